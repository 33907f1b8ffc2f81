import { randomUUID } from 'node:crypto'
import { deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import { fleetTopics, type Fleet } from '#fleet/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Transfers } from '#production/public.ts'
import type { TelemetryMetrics } from '../metrics.ts'
import { dropOldReportDays, ensureReportDays, readRecentFrames } from '../reports/store.ts'
import { createStandingReports, type StandingReports } from '../reports/standing.ts'
import { createReportWriter, type ReportWriter } from '../reports/writer.ts'
import { createDeviceDirectory, type Device, type DeviceDirectory } from './devices.ts'
import { createDisconnectedVehicles, type DisconnectedVehicles } from './disconnected.ts'
import { createHealth, createTallies } from './health.ts'
import { createBucket, gatewayLimits } from './limits.ts'
import { openPorts, type Ports } from './openPorts.ts'
import { gatewayProtocols } from './protocols.ts'
import { createDeviceSecrets } from './secrets.ts'
import type { SessionDeps } from './session.ts'
import { createSessions } from './sessions.ts'
import { createUnknownDevices, type UnknownDevices } from './unknownDevices.ts'

export type Gateway = {
  readonly ports: Ports
  readonly tlsPorts: Ports
  /** Does what is due by the clock. Called every second by itself; tests call it after they move the clock. */
  tick(): Promise<void>
  /** Accepts nothing more, stores and answers what was read, and closes. */
  close(): Promise<void>
}

const tickMs = 1_000

export type GatewayOptions = {
  readonly kit: Kit
  readonly fleet: Fleet
  readonly audit: Audit
  readonly transfers: Transfers
  readonly metrics: TelemetryMetrics
  readonly flushAfterMs?: number
}

type Shared = {
  readonly writer: ReportWriter
  readonly standing: StandingReports
  readonly directory: DeviceDirectory
  readonly unknownDevices: UnknownDevices
  readonly disconnected: DisconnectedVehicles
  /** Names this gateway among those of a cluster; null on a single server. */
  readonly leaseId: string | null
}

function createSessionDeps(options: GatewayOptions, shared: Shared): SessionDeps {
  const { kit, fleet, metrics, transfers } = options
  const { writer, standing, directory, unknownDevices, disconnected, leaseId } = shared
  return {
    kit,
    commands: fleet.commands,
    leaseId,
    transfers,
    vehicles: fleet.vehicles,
    writer,
    standing,
    metrics,
    tallies: createTallies(),
    faultLines: createBucket({
      clock: kit.clock,
      perSecond: gatewayLimits.noticesPerSecond,
      burst: gatewayLimits.noticesBurst,
    }),
    disconnected,
    secrets: createDeviceSecrets(kit.secrets),
    identify: (call) => identify({ ...call, directory, unknownDevices, metrics }),
    noteRefused(call) {
      metrics.unknown.inc({ reason: 'secret' })
      unknownDevices
        .note({ ...call, reason: 'secret' })
        .catch((err: unknown) => kit.log.error({ err }, 'a refused device could not be noted'))
    },
    recentFrames: (query) => readRecentFrames(kit.db, query),
    async noteFirmware(reported) {
      await fleet.vehicles.noteFirmware(reported)
      await transfers.reported(reported)
    },
  }
}

/** Drops what is cached of devices that changed, and ends sessions that may not go on; returns what ends that. */
function watchDevices(
  { kit }: Pick<GatewayOptions, 'kit'>,
  { directory, unknownDevices }: Pick<Shared, 'directory' | 'unknownDevices'>,
  sessions: ReturnType<typeof createSessions>,
): () => void {
  const stops = [
    kit.bus.subscribe(fleetTopics.deviceChanged, (names) => {
      directory.forget(names)
      unknownDevices.forget(names)
    }),
    kit.bus.subscribe(fleetTopics.modelChanged, async (changed) => {
      directory.forgetModel(changed)
      await sessions.updateModel(changed, directory)
    }),
    kit.bus.subscribe(fleetTopics.deviceRevoked, ({ vehicleId, names }) => {
      directory.forget(names)
      unknownDevices.forget(names)
      sessions.revoke(vehicleId)
    }),
    kit.bus.onGap(() => directory.forgetAll()),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Creates the partitions of today and tomorrow and drops old ones, once a day. */
function createDailyPartitions(kit: Kit): () => Promise<void> {
  let preparedDay = 0
  return async () => {
    const nowMs = kit.clock.now()
    const day = Math.floor(nowMs / dayMs)
    if (day === preparedDay) return
    await kit.db.system((tx) => ensureReportDays(tx, nowMs))
    preparedDay = day
    await kit.db.system((tx) => dropOldReportDays(tx, nowMs, kit.config.reportRetentionDays))
  }
}

/** Listens for devices and is the only part that talks to them; commands reach it by the bus and the database. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { kit, fleet, metrics } = options
  const writer = createReportWriter(options)
  const standing = createStandingReports({
    writer,
    offlineAfterMs: () => fleet.reports.leastOfflineAfterMs(),
    onHeld: () => metrics.unchanged.inc(),
  })
  const directory = createDeviceDirectory({ vehicles: fleet.vehicles, clock: kit.clock })
  const unknownDevices = createUnknownDevices(kit, options)
  const disconnected = createDisconnectedVehicles()
  const gatewayId = randomUUID()
  const leases = kit.config.cluster ? fleet.leases : null
  const leaseId = leases === null ? null : gatewayId
  const deps = createSessionDeps(options, { writer, standing, directory, unknownDevices, disconnected, leaseId })
  let isStopping = false

  const preparePartitions = createDailyPartitions(kit)
  await preparePartitions()
  const sessions = createSessions({ kit, metrics, gatewayId, leases }, disconnected, standing)
  const health = createHealth({ kit, tallies: deps.tallies, sessions: sessions.counts })
  const open = await openPorts({ ...options, deps, sessions, isStopping: () => isStopping })
  const bridges = deviceProtocols.flatMap((protocol) => {
    const { openBridge, createSession } = gatewayProtocols[protocol]
    const bridge = openBridge?.({
      kit,
      metrics,
      adopt: (transport) => sessions.add(createSession(transport, deps, sessions.watch)),
    })
    return bridge === undefined || bridge === null ? [] : [bridge]
  })
  const stopWatching = watchDevices(options, { directory, unknownDevices }, sessions)
  const tick = async (): Promise<void> => {
    for (const session of sessions.all) session.tick()
    standing.tick(kit.clock.now())
    await preparePartitions()
    await sessions.tick()
    await open.refresh()
    await fleet.vehicles.markDisconnectedLost(disconnected.due(kit.clock.now()))
    for (const bridge of bridges) bridge.tick()
    await health.tick()
  }
  const timer = setInterval(() => {
    tick().catch((err: unknown) => kit.log.error({ err }, 'a tick of the gateway failed'))
  }, tickMs)
  timer.unref()
  const settled = () => Promise.all([...sessions.all].map((session) => session.settled()))

  return {
    ports: open.ports,
    tlsPorts: open.tlsPorts,
    async tick() {
      await tick()
      await settled()
    },
    async close() {
      isStopping = true
      clearInterval(timer)
      await sessions.stopListening()
      stopWatching()
      for (const bridge of bridges) bridge.hold()
      for (const session of sessions.all) session.hold()
      const closed = open.close()
      await settled()
      standing.releaseAll()
      await writer.close()
      for (const session of sessions.all) session.close('stopping')
      for (const bridge of bridges) await bridge.close()
      await closed
      await health.close()
    },
  }
}

/** The registered device, if it uses this listener's protocol. The session checks its secret. */
async function identify(options: {
  name: string
  protocol: DeviceProtocol
  address: string
  directory: DeviceDirectory
  unknownDevices: UnknownDevices
  metrics: TelemetryMetrics
}): Promise<Device | null> {
  const { name, protocol, address, directory, unknownDevices, metrics } = options
  const isRefused = unknownDevices.isRefused(name)
  const device = isRefused ? null : await directory.find(name)
  if (device?.protocol === protocol) return device
  const reason = device === null ? 'unknown' : 'protocol'
  metrics.unknown.inc({ reason })
  if (!isRefused) await unknownDevices.note({ name, protocol, address, reason })
  return null
}
