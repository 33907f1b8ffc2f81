import { byProtocol, deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { devicePort, deviceTlsPort } from '#kit/devicePorts.ts'
import type { Kit } from '#kit/kit.ts'
import type { TelemetryMetrics } from '../metrics.ts'
import { createAdmission, descriptorLimit, lineBudget } from './admission.ts'
import { readCertificate } from './certificate.ts'
import { gatewayLimits } from './limits.ts'
import { openListener, type Listener } from './listeners.ts'
import { allowList } from './networks.ts'
import { gatewayProtocols } from './protocols.ts'
import type { SessionDeps } from './session.ts'
import type { Sessions } from './sessions.ts'

/** TCP ports; 0 where a port is closed. */
export type Ports = Readonly<Record<DeviceProtocol, number>>

export type OpenPorts = {
  readonly ports: Ports
  readonly tlsPorts: Ports
  /** Uses a certificate that was renewed. */
  refresh(): Promise<void>
  /** Accepts no more connections; resolves when the last one is closed. */
  close(): Promise<void>
}

/** Opens the ports of all protocols, plain and over TLS as the settings say. */
export async function openPorts(options: {
  readonly kit: Pick<Kit, 'config' | 'clock' | 'log'>
  readonly metrics: TelemetryMetrics
  readonly deps: SessionDeps
  readonly sessions: Sessions
  readonly isStopping: () => boolean
}): Promise<OpenPorts> {
  const { kit, metrics, deps, sessions, isStopping } = options
  const { config } = kit
  const { gatewayTlsCert: certFile, gatewayTlsKey: keyFile } = config
  const admission = createAdmission({
    isAllowed: allowList(config.gatewayAllow),
    maxLines: lineBudget({ descriptors: descriptorLimit(), most: config.gatewayConnections }),
    maxUnsigned: gatewayLimits.maxUnsigned,
    maxUnsignedPerAddress: config.gatewayLinesPerAddress,
  })
  const certificate =
    certFile === undefined || keyFile === undefined
      ? null
      : await readCertificate({ certFile, keyFile, clock: kit.clock, log: kit.log })
  const open = async (protocol: DeviceProtocol, port: number | undefined, isTls: boolean): Promise<Listener | null> => {
    if (port === undefined) return null
    return openListener({
      port,
      host: config.gatewayHost,
      certificate: isTls ? certificate?.current() : undefined,
      admission,
      handshakeMs: gatewayLimits.signInWithinMs,
      log: kit.log,
      onRefused: (reason) => metrics.refused.inc({ protocol, reason }),
      onLine(socket, ticket) {
        if (isStopping()) {
          socket.destroy()
          return
        }
        const watch: typeof sessions.watch = {
          ...sessions.watch,
          onSignedIn(session, device) {
            ticket.signedIn()
            sessions.watch.onSignedIn(session, device)
          },
        }
        sessions.add(gatewayProtocols[protocol].createSession(socket, deps, watch))
      },
    })
  }
  const opened = new Map(
    await Promise.all(
      deviceProtocols.map(async (protocol) => {
        const plainPort = config.gatewayPlain ? devicePort(config, protocol) : undefined
        const [plain, tls] = await Promise.all([
          open(protocol, plainPort, false),
          open(protocol, deviceTlsPort(config, protocol), true),
        ])
        return [protocol, { plain, tls }] as const
      }),
    ),
  )
  const listeners = [...opened.values()].flatMap(({ plain, tls }) => [plain, tls]).filter((one) => one !== null)
  return {
    ports: byProtocol((protocol) => opened.get(protocol)?.plain?.port ?? 0),
    tlsPorts: byProtocol((protocol) => opened.get(protocol)?.tls?.port ?? 0),
    async refresh() {
      if (certificate === null || !(await certificate.refresh())) return
      for (const listener of listeners) listener.renew(certificate.current())
    },
    async close() {
      await Promise.all(listeners.map((listener) => listener.close()))
    },
  }
}
