import { randomUUID } from 'node:crypto'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { fleetTopics, type CommandQueuedMessage, type Fleet, type KnownDevice } from '#fleet/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { TelemetryMetrics } from '../metrics.ts'
import { createBatchWriter } from '../reports/batches.ts'
import { vehicleReport } from '../reports/rules.ts'
import { ensureReportDays, insertReports, reportKey, type ReportRow } from '../reports/store.ts'
import { gatewayLimits } from './limits.ts'
import { createOmniSession, type OmniSession, type SessionWatch } from './session.ts'
import type { SessionParts } from './state.ts'
import { createUnknownDevices } from './unknownDevices.ts'

export type Gateway = {
  /** TCP port of the Omni listener. */
  readonly omniPort: number
  /** The clock's work, done every second by itself; tests call it after they move the clock. */
  tick(): Promise<void>
  /** Takes no more, writes what was read, answers it, closes. */
  close(): Promise<void>
}

/** Another gateway took over a device: `{ gatewayId, vehicleId }`. */
const connectedTopic = 'device.connected'

const writing = { flushAfterMs: 40, maxItems: 500, behindAbove: 5_000, retryAfterMs: 500 } as const
const tickMs = 1_000
const dayMs = 24 * 3_600_000

export type GatewayOptions = {
  readonly kit: Kit
  readonly fleet: Fleet
  readonly metrics: TelemetryMetrics
  readonly flushAfterMs?: number
}

/** Listens for devices and is the only one that talks to them; commands reach it over the bus and the database. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { kit, fleet, metrics } = options
  const gatewayId = randomUUID()
  const writer = createReportWriter(options)
  const strangers = createUnknownDevices(kit)
  const all = new Set<OmniSession>()
  const byVehicle = new Map<number, OmniSession>()
  let isStopping = false

  const parts: SessionParts = {
    kit,
    commands: fleet.commands,
    writer,
    metrics,
    identify: (call) => identify({ ...call, fleet, strangers, metrics }),
    noteFirmware: (said) => fleet.vehicles.noteFirmware(said),
  }
  const watch: SessionWatch = {
    onSignedIn(session, device) {
      byVehicle.get(device.vehicleId)?.close('replaced')
      byVehicle.set(device.vehicleId, session)
      kit.bus.publish(connectedTopic, { gatewayId, vehicleId: device.vehicleId })
    },
    onClosed(session) {
      all.delete(session)
      metrics.connections.set(all.size)
      const vehicleId = session.device?.vehicleId
      if (vehicleId !== undefined && byVehicle.get(vehicleId) === session) byVehicle.delete(vehicleId)
    },
  }

  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }, (socket) => {
    if (isStopping) {
      socket.destroy()
      return
    }
    all.add(createOmniSession(socket, parts, watch))
    metrics.connections.set(all.size)
  })
  server.maxConnections = gatewayLimits.maxConnections

  let dayReady = 0
  const readyDays = async (): Promise<void> => {
    const day = Math.floor(kit.clock.now() / dayMs)
    if (day === dayReady) return
    await kit.db.system((tx) => ensureReportDays(tx, kit.clock.now()))
    dayReady = day
  }
  const tick = async (): Promise<void> => {
    for (const session of all) session.tick()
    await readyDays()
    await Promise.all([...all].map((session) => session.settled()))
  }

  await readyDays()
  await listen(server, { port: kit.config.omniPort, host: kit.config.host })
  const stops = [
    kit.bus.subscribe(fleetTopics.commandQueued, (message) => {
      byVehicle.get((message as CommandQueuedMessage).vehicleId)?.dispatch()
    }),
    kit.bus.subscribe(connectedTopic, (message) => {
      const other = message as { gatewayId: string; vehicleId: number }
      if (other.gatewayId !== gatewayId) byVehicle.get(other.vehicleId)?.close('replaced')
    }),
  ]
  const timer = setInterval(() => {
    for (const session of all) session.tick()
    readyDays().catch((err: unknown) => kit.log.error({ err }, 'report partitions could not be made'))
  }, tickMs)
  timer.unref()

  return {
    omniPort: (server.address() as AddressInfo).port,
    tick,
    async close() {
      isStopping = true
      clearInterval(timer)
      for (const stop of stops) stop()
      for (const session of all) session.hold()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      await Promise.all([...all].map((session) => session.settled()))
      await writer.close()
      for (const session of all) session.close('stopping')
      await closed
    },
  }
}

async function listen(server: Server, options: { port: number; host: string }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Known IMEIs only: an Omni device has nothing else to show. */
async function identify(options: {
  imei: string
  address: string
  fleet: Fleet
  strangers: ReturnType<typeof createUnknownDevices>
  metrics: TelemetryMetrics
}): Promise<KnownDevice | null> {
  const { imei, address, fleet, strangers, metrics } = options
  const isRefused = strangers.isRefused(imei)
  const device = isRefused ? null : await fleet.vehicles.findDevice(imei)
  if (device !== null) return device
  metrics.unknown.inc()
  if (!isRefused) await strangers.note({ imei, protocol: 'omni', address })
  return null
}

function createReportWriter(options: GatewayOptions) {
  const { kit, fleet, metrics } = options
  return createBatchWriter<ReportRow>({
    ...writing,
    flushAfterMs: options.flushAfterMs ?? writing.flushAfterMs,
    log: kit.log,
    // Classes 22 and 23: the data, or a rule of the table, is the reason.
    isFaultOfItems: (error) => error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code)),
    onDropped: (row, err) => {
      metrics.dropped.inc()
      kit.log.error({ err, vehicleId: row.vehicleId, kind: row.kind }, 'the database refused a report')
    },
    write: async (rows) => {
      const fresh = await kit.db.system(async (tx) => {
        const keys = await insertReports(tx, rows)
        const news = rows.filter((row) => {
          const { vehicleId, frameCrc, sound } = row
          // The first of two equal ones in a batch takes the key.
          return keys.delete(reportKey({ vehicleId, frameCrc, occurredAt: sound.occurredAt }))
        })
        await fleet.reports.apply(tx, news.map(vehicleReport))
        return news.length
      })
      metrics.batch.observe(rows.length)
      metrics.stored.inc(fresh)
      metrics.repeated.inc(rows.length - fresh)
    },
  })
}
