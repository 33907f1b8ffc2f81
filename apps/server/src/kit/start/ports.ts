import { createServer } from 'node:net'
import { deviceProtocols, portSetting, tlsPortSetting } from '@saddle/contract/fleet/protocols.ts'
import type { Config } from '../config.ts'
import { devicePort, deviceTlsPort } from '../devicePorts.ts'
import { StartRefusal } from './refusal.ts'

interface ListenerPort {
  readonly setting: string
  readonly port: number
  readonly host: string
}

const portsOf = (config: Config): ListenerPort[] => [
  { setting: 'PORT', port: config.port, host: config.host },
  ...(config.services.includes('gateway') ? vehiclePorts(config) : []),
]

/** 0 asks for any free port; one that is closed is not listened on. */
function vehiclePorts(config: Config): ListenerPort[] {
  const { gatewayHost: host, gatewayPlain: isPlain } = config
  const all = deviceProtocols.flatMap((protocol): [setting: string, port: number | undefined][] => [
    [portSetting(protocol), isPlain ? devicePort(config, protocol) : undefined],
    [tlsPortSetting(protocol), deviceTlsPort(config, protocol)],
  ])
  return all.flatMap(([setting, port]) => (port === undefined ? [] : [{ setting, port, host }]))
}

/** Whether the error is that of a port that belongs to another process. */
export const isPortTaken = (error: unknown): error is NodeJS.ErrnoException & { readonly port?: number } =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === 'EADDRINUSE'

/** Throws StartRefusal unless every port can be listened on: found out before the database is touched. */
export async function assertPortsFree(config: Config): Promise<void> {
  for (const { setting, port, host } of portsOf(config)) {
    // 0 asks for any free port.
    if (port !== 0) await assertPortFree({ setting, port, host })
  }
}

async function assertPortFree({ setting, port, host }: ListenerPort): Promise<void> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen({ port, host }, resolve)
    })
  } catch (error) {
    throw new StartRefusal(portSentence({ setting, port, host, error }))
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

function portSentence(options: ListenerPort & { readonly error: unknown }): string {
  const { setting, port, host, error } = options
  if (isPortTaken(error))
    return `Port ${port} (${setting}) is taken by another process: is Saddle running already? Stop it or set ${setting}.`
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EACCES')
    return `Port ${port} (${setting}) needs rights that this account does not have; set ${setting}.`
  return `Saddle cannot listen on ${host}:${port} (${setting}): ${message}.`
}
