import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import type { Demo } from './demo.ts'

export type PortOf = (protocol: DeviceProtocol) => number

/** Ports for the gateways of a demo that a city is to find. */
export async function devicePorts(): Promise<PortOf> {
  const ports = new Map(await Promise.all(deviceProtocols.map(async (one) => [one, await freePort()] as const)))
  return (protocol) => ports.get(protocol) ?? 0
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The city as `npm start` has it: vehicles, riders with their app, and staff. */
export function startCity({ url, dataDir }: Demo, portOf: PortOf): ChildProcess {
  const gateways = deviceProtocols.map((protocol) => `--${protocol}=127.0.0.1:${portOf(protocol)}`)
  const people = [`--api=${url}`, `--riders=${join(dataDir, 'demo-riders.json')}`, `--staff=${dataDir}`]
  const args = [...gateways, ...people, `--devices=${join(dataDir, 'demo-devices.json')}`]
  const script = fileURLToPath(new URL('../../apps/simulator/src/main.ts', import.meta.url))
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}
