import type { Fleet, Judged, LockedVehicles, VehicleReport } from '#fleet/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { TelemetryMetrics } from '../metrics.ts'
import { createBatchWriter, type BatchWriter } from './batches.ts'
import { vehicleReport } from './rules.ts'
import { copyReports, insertReports, isRepeated, reportKey, type PlacedReport, type AcceptedReport } from './store.ts'

/**
 * Reports that only tell where a vehicle is, or how full its battery, wait so long for others to share their commit. Nobody waits
 * for them: what answers a command or turns a lock is written at once, and takes those that wait along.
 */
const patientMs = 1_000
/**
 * While one batch is written the next one gathers, so that batches grow with the load and a commit is shared by more.
 * Above `behindAbove` reports the gateway stops reading from its sockets.
 */
const writing = { flushAfterMs: 20, maxItems: 10_000, behindAbove: 20_000, retryAfterMs: 500 } as const
/** After a batch with a report that was stored before (a device came back, a gateway fell over) others will follow. */
const carefulBatches = 8

export type ReportWriter = BatchWriter<AcceptedReport>

function reportOf({ row, judged }: PlacedReport): VehicleReport {
  const report = vehicleReport(row)
  if (judged === undefined) return report
  return { ...report, batteryPercent: judged.batteryPercent, batteryVersion: judged.batteryVersion }
}

/** Reports of one vehicle come one after another, as many as it sent together: it is looked up once for all of them. */
function vehicleIdsOf(rows: readonly AcceptedReport[]): number[] {
  const ids = new Set<number>()
  let last = 0
  for (const { vehicleId } of rows) {
    if (vehicleId !== last) ids.add(vehicleId)
    last = vehicleId
  }
  return [...ids]
}

function placedOf(
  rows: readonly AcceptedReport[],
  { locked, judged }: { readonly locked: LockedVehicles; readonly judged: ReadonlyMap<AcceptedReport, Judged> },
): PlacedReport[] {
  const placed: PlacedReport[] = []
  let vehicleId = 0
  let known: ReturnType<LockedVehicles['get']>
  for (const row of rows) {
    if (row.vehicleId !== vehicleId) known = locked.get(row.vehicleId)
    vehicleId = row.vehicleId
    if (known === undefined) continue
    const { now } = known
    const ownJudged = judged.size === 0 ? undefined : judged.get(row)
    row.onPlaced?.(now.state, ownJudged !== undefined)
    placed.push({ row, agentId: now.agentId, areaId: now.areaId, judged: ownJudged })
  }
  return placed
}

/** Writes reports and what follows from them: one transaction, one COPY and one update of the vehicles for a batch. */
export function createReportWriter(options: {
  kit: Pick<Kit, 'db' | 'log'>
  fleet: Pick<Fleet, 'reports'>
  metrics: TelemetryMetrics
  flushAfterMs?: number | undefined
}): ReportWriter {
  const { kit, fleet, metrics } = options
  let careful = 0

  const writeOnce = (rows: readonly AcceptedReport[], mode: 'copy' | 'insert'): Promise<number> =>
    kit.db.system(async (tx) => {
      const locked = await fleet.reports.lock(tx, vehicleIdsOf(rows))
      const judged = await fleet.reports.judge(tx, locked, rows)
      const placed = placedOf(rows, { locked, judged })
      const news = mode === 'copy' ? placed : await insertNews(placed)
      if (mode === 'copy') await copyReports(tx, kit.db, placed)
      await fleet.reports.apply(tx, locked, news.map(reportOf))
      return news.length

      async function insertNews(all: readonly PlacedReport[]): Promise<readonly PlacedReport[]> {
        const keys = await insertReports(tx, all)
        // The first of two equal ones in a batch takes the key.
        return all.filter(({ row }) => keys.delete(reportKey({ ...row, occurredAt: row.report.occurredAt })))
      }
    })

  const write = async (rows: readonly AcceptedReport[]): Promise<number> => {
    if (rows.length === 0) return 0
    if (careful > 0) {
      careful -= 1
      return writeOnce(rows, 'insert')
    }
    try {
      return await writeOnce(rows, 'copy')
    } catch (error) {
      if (!isRepeated(error)) throw error
      careful = carefulBatches
      return writeOnce(rows, 'insert')
    }
  }

  return createBatchWriter<AcceptedReport>({
    ...writing,
    flushAfterMs: options.flushAfterMs ?? writing.flushAfterMs,
    patientMs: options.flushAfterMs ?? patientMs,
    log: kit.log,
    // Classes 22 and 23: the data, or a rule of the table, is the reason.
    isFaultOfItems: (error) => error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code)),
    onDropped: (row, err) => {
      metrics.dropped.inc()
      kit.log.error({ err, vehicleId: row.vehicleId, kind: row.kind }, 'the database refused a report')
    },
    write: async (rows) => {
      // A repeated report waits for the one that it repeats, which is in this batch or was in an earlier one.
      const fresh = await write(rows.filter((row) => !row.isRepeat))
      metrics.batch.observe(rows.length)
      metrics.stored.inc(fresh)
      metrics.repeated.inc(rows.length - fresh)
    },
  })
}
