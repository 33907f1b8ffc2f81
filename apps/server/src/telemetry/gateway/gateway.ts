import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { DeviceProtocol } from '@saddle/contract/fleet/vehicles.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import { fleetTopics, type Fleet, type ModelChangedMessage } from '#fleet/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { TelemetryMetrics } from '../metrics.ts'
import { dropOldReportDays, ensureReportDays, readLately } from '../reports/store.ts'
import { createReportWriter, type ReportWriter } from '../reports/writer.ts'
import { createBrokerBridge } from './broker/bridge.ts'
import { createAdmission, descriptorLimit, lineBudget } from './admission.ts'
import { readCertificate } from './certificate.ts'
import type { DeviceSession, Line, SessionParts, SessionWatch } from './connection.ts'
import { createContests } from './contest.ts'
import { createDeviceDirectory, isOfModel, type Device, type DeviceDirectory } from './devices.ts'
import { createGone, type GoneVehicles } from './gone.ts'
import { createHealth, createTallies } from './health.ts'
import { createBucket, gatewayLimits } from './limits.ts'
import { createJt808Session } from './jt808/session.ts'
import { openListener, type Listener } from './listeners.ts'
import { createMqttSession } from './mqtt/session.ts'
import { allowList } from './networks.ts'
import { createDeviceSecrets } from './secrets.ts'
import { createOmniSession } from './session.ts'
import { deviceConnected } from './topics.ts'
import { createUnknownDevices, type UnknownDevices } from './unknownDevices.ts'

type Ports = Readonly<Record<DeviceProtocol, number>>

export type Gateway = {
  /** TCP ports of the listeners; 0 where one is closed. */
  readonly omniPort: number
  readonly jt808Port: number
  readonly mqttPort: number
  readonly tlsPorts: Ports
  /** The clock's work, done every second by itself; tests call it after they move the clock. */
  tick(): Promise<void>
  /** Takes no more, writes what was read, answers it, closes. */
  close(): Promise<void>
}

/** As many devices as one question to the database asks for. */
const linesAtOnce = 1_000

const tickMs = 1_000

export type GatewayOptions = {
  readonly kit: Kit
  readonly fleet: Fleet
  readonly audit: Audit
  readonly metrics: TelemetryMetrics
  readonly flushAfterMs?: number
}

type CreateSession = (socket: Socket, parts: SessionParts, watch: SessionWatch) => DeviceSession
const createSession: Readonly<Record<DeviceProtocol, CreateSession>> = {
  omni: createOmniSession,
  jt808: createJt808Session,
  mqtt: createMqttSession,
}

/** Who is connected: one session per device, over all gateways. */
function createSessions({ kit, metrics }: Pick<GatewayOptions, 'kit' | 'metrics'>, gone: GoneVehicles) {
  const gatewayId = randomUUID()
  const all = new Set<DeviceSession>()
  const byVehicle = new Map<number, DeviceSession>()
  const liveOf = (vehicleId: number): DeviceSession | undefined => byVehicle.get(vehicleId)
  const contests = createContests({ clock: kit.clock, log: kit.log, metrics, liveOf })
  const watch: SessionWatch = {
    admits: contests.admits,
    onSignedIn(session, device) {
      if (session.contest !== undefined) contests.entered(device, session.contest.address)
      byVehicle.get(device.vehicleId)?.close('replaced')
      byVehicle.set(device.vehicleId, session)
      gone.isBack(device.vehicleId)
      kit.bus.publish(deviceConnected, { gatewayId, vehicleId: device.vehicleId })
    },
    onClosed(session) {
      all.delete(session)
      metrics.connections.set(all.size)
      const { device, contest } = session
      if (device !== null && contest !== undefined) contests.left(device, contest)
      const vehicleId = device?.vehicleId
      if (vehicleId !== undefined && byVehicle.get(vehicleId) === session) byVehicle.delete(vehicleId)
    },
  }
  const stops = [
    kit.bus.subscribe(fleetTopics.commandQueued, ({ vehicleId }) => {
      byVehicle.get(vehicleId)?.dispatch()
    }),
    kit.bus.subscribe(deviceConnected, (other) => {
      if (other.gatewayId === gatewayId) return
      gone.isBack(other.vehicleId)
      byVehicle.get(other.vehicleId)?.close('replaced')
    }),
  ]
  return {
    all,
    watch,
    /** Ends the line of a device whose secret was changed or which was taken off the register. */
    revoke: (vehicleId: number) => byVehicle.get(vehicleId)?.close('revoked'),
    /** Gives the lines of a model's devices what is known of them now, some at a time. */
    async followModel(changed: ModelChangedMessage, directory: DeviceDirectory): Promise<void> {
      const lines = [...byVehicle.values()].filter(({ device }) => device !== null && isOfModel(device, changed))
      for (let at = 0; at < lines.length; at += linesAtOnce) {
        await Promise.all(
          lines.slice(at, at + linesAtOnce).map(async (session) => {
            const before = session.device
            const device = before === null ? null : await directory.find(before.imei)
            // Its line may have ended meanwhile, and the vehicle may have another device.
            if (device !== null && session.device === before && device.vehicleId === before?.vehicleId) {
              session.follow(device)
            }
          }),
        )
      }
    },
    signedIn() {
      const counts = { omni: 0, jt808: 0, mqtt: 0 }
      for (const { protocol } of byVehicle.values()) counts[protocol] += 1
      return counts
    },
    stopListening: () => {
      for (const stop of stops) stop()
    },
  }
}

type Shared = { writer: ReportWriter; directory: DeviceDirectory; strangers: UnknownDevices; gone: GoneVehicles }

function createParts(options: GatewayOptions, shared: Shared): SessionParts {
  const { kit, fleet, metrics } = options
  const { writer, directory, strangers, gone } = shared
  return {
    kit,
    commands: fleet.commands,
    vehicles: fleet.vehicles,
    writer,
    metrics,
    tallies: createTallies(),
    notices: createBucket({
      clock: kit.clock,
      perSecond: gatewayLimits.noticesPerSecond,
      burst: gatewayLimits.noticesBurst,
    }),
    gone,
    secrets: createDeviceSecrets(kit.secrets),
    identify: (call) => identify({ ...call, directory, strangers, metrics }),
    noteRefused(call) {
      metrics.unknown.inc({ reason: 'secret' })
      strangers
        .note({ ...call, reason: 'secret' })
        .catch((err: unknown) => kit.log.error({ err }, 'a refused device could not be noted'))
    },
    lately: (options) => readLately(kit.db, options),
    noteFirmware: (said) => fleet.vehicles.noteFirmware(said),
  }
}

/** Listens for devices and is the only one that talks to them; commands reach it over the bus and the database. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { kit, fleet, metrics } = options
  const writer = createReportWriter(options)
  const directory = createDeviceDirectory({ vehicles: fleet.vehicles, clock: kit.clock })
  const strangers = createUnknownDevices(kit, options)
  const gone = createGone()
  const parts = createParts(options, { writer, directory, strangers, gone })
  let isStopping = false

  let dayReady = 0
  const readyDays = async (): Promise<void> => {
    const nowMs = kit.clock.now()
    const day = Math.floor(nowMs / dayMs)
    if (day === dayReady) return
    await kit.db.system((tx) => ensureReportDays(tx, nowMs))
    dayReady = day
    await kit.db.system((tx) => dropOldReportDays(tx, nowMs, kit.config.reportRetentionDays))
  }

  await readyDays()
  const { all, watch, revoke, followModel, signedIn, stopListening } = createSessions(options, gone)
  const health = createHealth({ kit, tallies: parts.tallies, sessions: signedIn })
  const door = await openDoor({ ...options, parts, all, watch, isStopping: () => isStopping })
  const adopt = (line: Line): void => {
    all.add(createMqttSession(line, parts, watch))
    metrics.connections.set(all.size)
  }
  const { mqttBrokerUrl: url } = kit.config
  const bridge = url === undefined ? null : createBrokerBridge({ kit, url, metrics, adopt })
  const stopForgetting = kit.bus.subscribe(fleetTopics.deviceChanged, (names) => {
    directory.forget(names)
    strangers.forget(names)
  })
  const stopFollowing = kit.bus.subscribe(fleetTopics.modelChanged, async (changed) => {
    directory.forgetModel(changed)
    await followModel(changed, directory)
  })
  const stopRevoking = kit.bus.subscribe(fleetTopics.deviceRevoked, ({ vehicleId, names }) => {
    directory.forget(names)
    strangers.forget(names)
    revoke(vehicleId)
  })
  const tick = async (): Promise<void> => {
    for (const session of all) session.tick()
    await readyDays()
    await door.refresh()
    await fleet.vehicles.loseGone(gone.due(kit.clock.now()))
    if (bridge !== null) metrics.brokerConnected.set(bridge.isConnected() ? 1 : 0)
    await health.tick()
  }
  const timer = setInterval(() => {
    tick().catch((err: unknown) => kit.log.error({ err }, "the clock's work of the gateway failed"))
  }, tickMs)
  timer.unref()

  return {
    omniPort: door.ports.omni,
    jt808Port: door.ports.jt808,
    mqttPort: door.ports.mqtt,
    tlsPorts: door.tlsPorts,
    async tick() {
      await tick()
      await Promise.all([...all].map((session) => session.settled()))
    },
    async close() {
      isStopping = true
      clearInterval(timer)
      stopListening()
      stopForgetting()
      stopFollowing()
      stopRevoking()
      bridge?.hold()
      for (const session of all) session.hold()
      const closed = door.close()
      await Promise.all([...all].map((session) => session.settled()))
      await writer.close()
      for (const session of all) session.close('stopping')
      await bridge?.close()
      await closed
      await health.close()
    },
  }
}

type Door = {
  readonly ports: Ports
  readonly tlsPorts: Ports
  /** Takes over a certificate that was renewed. */
  refresh(): Promise<void>
  /** Lets nobody in any more; resolves when the last line has gone. */
  close(): Promise<void>
}

type DoorOptions = GatewayOptions & {
  readonly parts: SessionParts
  readonly all: Set<DeviceSession>
  readonly watch: SessionWatch
  readonly isStopping: () => boolean
}

/** Opens the ports of all protocols, plain and over TLS as the settings say. */
async function openDoor({ kit, metrics, parts, all, watch, isStopping }: DoorOptions): Promise<Door> {
  const { config } = kit
  const { gatewayTlsCert: certFile, gatewayTlsKey: keyFile } = config
  const admission = createAdmission({
    isAllowed: allowList(config.gatewayAllow),
    maxLines: lineBudget({ descriptors: descriptorLimit(), most: gatewayLimits.maxConnections }),
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
        all.add(createSession[protocol](socket, parts, { ...watch, onSignedIn: signedIn }))
        metrics.connections.set(all.size)

        function signedIn(session: DeviceSession, device: Device): void {
          ticket.signedIn()
          watch.onSignedIn(session, device)
        }
      },
    })
  }
  const plain = (port: number): number | undefined => (config.gatewayPlain ? port : undefined)
  const listeners = await Promise.all([
    open('omni', plain(config.omniPort), false),
    open('jt808', plain(config.jt808Port), false),
    open('mqtt', plain(config.mqttPort), false),
    open('omni', config.omniTlsPort, true),
    open('jt808', config.jt808TlsPort, true),
    open('mqtt', config.mqttTlsPort, true),
  ])
  const portOf = (at: number): number => listeners[at]?.port ?? 0
  return {
    ports: { omni: portOf(0), jt808: portOf(1), mqtt: portOf(2) },
    tlsPorts: { omni: portOf(3), jt808: portOf(4), mqtt: portOf(5) },
    async refresh() {
      if (certificate === null || !(await certificate.refresh())) return
      for (const listener of listeners) listener?.renew(certificate.current())
    },
    async close() {
      await Promise.all(listeners.flatMap((listener) => (listener === null ? [] : [listener.close()])))
    },
  }
}

/** The registered device, if it is one of this listener's protocol. Whether it can show a secret, the session asks. */
async function identify(options: {
  name: string
  protocol: DeviceProtocol
  address: string
  directory: DeviceDirectory
  strangers: UnknownDevices
  metrics: TelemetryMetrics
}): Promise<Device | null> {
  const { name, protocol, address, directory, strangers, metrics } = options
  const isRefused = strangers.isRefused(name)
  const device = isRefused ? null : await directory.find(name)
  if (device?.protocol === protocol) return device
  const reason = device === null ? 'unknown' : 'protocol'
  metrics.unknown.inc({ reason })
  if (!isRefused) await strangers.note({ name, protocol, address, reason })
  return null
}
