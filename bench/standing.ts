/**
 * A day of the demo's city as it is stored, beside every report in a row of its own and at once: commits and rows of the whole day,
 * counted by the code of the gateway on a clock of its own, and bytes written ahead for half hours of it, written by the writer:
 * `node bench/standing.ts [--quick]`. A report is a row of the history and an update of its vehicle; one that is not kept is
 * neither.
 */
import pg from 'pg'
import { businessOffsetMs, dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createAudit } from '@saddle/server/audit/public.ts'
import { createFleet } from '@saddle/server/fleet/public.ts'
import { openDatabase } from '@saddle/server/kit/db/pool.ts'
import { migrate } from '@saddle/server/kit/db/migrate.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import { createTelemetryMetrics } from '@saddle/server/telemetry/metrics.ts'
import { sanitizeReport } from '@saddle/server/telemetry/reports/rules.ts'
import { createStandingReports, newStanding, TakenReport } from '@saddle/server/telemetry/reports/standing.ts'
import { ensureReportDays, type AcceptedReport } from '@saddle/server/telemetry/reports/store.ts'
import { createReportWriter, type ReportWriter } from '@saddle/server/telemetry/reports/writer.ts'
import { testKit } from '@saddle/server/test/kit.ts'
import { demoVehicleCount } from '@saddle/contract/demo/city.ts'
import { Registry } from 'prom-client'
import { cityReports } from './lib/cityReports.ts'
import { withOwnDatabase } from './lib/ownDatabase.ts'
import { compare, isQuick, say, state, whole } from './lib/report.ts'

const lengthMs = isQuick ? 3 * hourMs : dayMs
/** Local midnight of the city. */
const startMs = Math.floor(Date.now() / dayMs) * dayMs - dayMs - businessOffsetMs + (isQuick ? 16 * hourMs : 0)
const sampleMs = 30 * minuteMs
const samples = (isQuick ? [1.5] : [3, 8, 12, 17.5, 21]).map((hour) => startMs + hour * hourMs)
/** How long the writer gathered before, and gathers now what nobody waits for. */
const gathering = { before: 20, patient: 1_000 } as const
const checkpointEveryMs = { before: 5 * minuteMs, after: 30 * minuteMs } as const
const offlineAfterMs = 10 * minuteMs

type Batch = { readonly atMs: number; readonly rows: AcceptedReport[] }

/** The writer's batches on the clock of the day: a batch begins with its first report and ends when its time is over. */
function createBatches() {
  const kept: Batch[] = []
  let open: { batch: Batch; dueMs: number; settled: (() => void)[] } | null = null
  let [commits, rows] = [0, 0]
  const close = (): void => {
    if (open === null) return
    const { batch, settled } = open
    open = null
    commits += 1
    rows += batch.rows.length
    if (samples.some((from) => batch.atMs >= from && batch.atMs < from + sampleMs)) kept.push(batch)
    for (const settle of settled) settle()
  }
  return {
    kept,
    counts: () => ({ commits, rows }),
    until(nowMs: number): void {
      if (open !== null && nowMs > open.dueMs) close()
    },
    add(row: AcceptedReport, waitMs: number, settled: () => void): void {
      const atMs = row.report.receivedAt
      open ??= { batch: { atMs, rows: [] }, dueMs: Number.POSITIVE_INFINITY, settled: [] }
      open.dueMs = Math.min(open.dueMs, atMs + waitMs)
      open.batch.rows.push(row)
      open.settled.push(settled)
    },
    close,
  }
}

function live() {
  const before = createBatches()
  const after = createBatches()
  const standings = Array.from({ length: demoVehicleCount }, newStanding)
  const openLocks = new Set<number>()
  let nowMs = startMs
  const writer: Pick<ReportWriter, 'push'> = {
    push(row, waiting, how) {
      row.onPlaced?.(openLocks.has(row.vehicleId) ? 'on_trip' : 'available', false)
      const { locked } = row.report
      if (locked === false) openLocks.add(row.vehicleId)
      if (locked === true) openLocks.delete(row.vehicleId)
      // A held report is written now, at its own time.
      const dueMs = nowMs + (how?.isPatient === true ? gathering.patient : gathering.before)
      after.add(row, dueMs - row.report.receivedAt, () => waiting.settled(null))
    },
  }
  const standing = createStandingReports({ writer, offlineAfterMs: () => offlineAfterMs, onHeld: () => {} })
  let reports = 0
  let tickMs = startMs
  for (const { index, atMs, kind, report } of cityReports({ startMs, lengthMs, seed: 20_261_124 })) {
    nowMs = atMs
    before.until(atMs)
    after.until(atMs)
    if (atMs >= tickMs + 1_000) {
      standing.tick(atMs)
      tickMs = atMs
    }
    reports += 1
    const row = {
      vehicleId: index,
      kind,
      frameCrc: reports,
      commanded: false,
      isRepeat: false,
      report: sanitizeReport(report, atMs),
      unchanged: 0,
    }
    before.add(row, gathering.before, () => {})
    standing.take(standings[index]!, new TakenReport(row), { isAwaited: false })
  }
  standing.releaseAll()
  before.close()
  after.close()
  return { reports, before, after }
}

/** Writes batches with a checkpoint every so often; the bytes written ahead. */
async function write(
  url: string,
  batches: readonly Batch[],
  { writer, firstId, everyMs }: { readonly writer: ReportWriter; readonly firstId: number; readonly everyMs: number },
): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const place = async (): Promise<string> =>
    (await client.query<{ at: string }>('select pg_current_wal_insert_lsn()::text as at')).rows[0]!.at
  const from = await place()
  let checkpointMs = Number.NEGATIVE_INFINITY
  for (const { atMs, rows } of batches) {
    if (atMs - checkpointMs >= everyMs) {
      await client.query('checkpoint')
      checkpointMs = atMs
    }
    await Promise.all(rows.map((row) => writer.add({ ...row, vehicleId: firstId + row.vehicleId })))
  }
  const { rows } = await client.query<{ bytes: string }>(
    'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1::pg_lsn)::bigint::text as bytes',
    [from],
  )
  await client.end()
  return Number(rows[0]?.bytes)
}

/** A database with the city's vehicles, and a writer into it. */
async function withWriter<T>(
  name: string,
  work: (made: { readonly url: string; readonly writer: ReportWriter; readonly firstId: number }) => Promise<T>,
): Promise<T> {
  let result: T | undefined
  await withOwnDatabase({ name }, async ({ url }) => {
    const db = openDatabase({ url, log: silentLog })
    await migrate({ url, log: silentLog })
    const kit = testKit(db)
    const fleet = createFleet(kit, { audit: createAudit(kit) })
    const owner = new pg.Client({ connectionString: url })
    // The failing statement reports the error itself.
    owner.on('error', () => {})
    await owner.connect()
    await owner.query(`insert into agent (id, company) overriding system value values (2, 'A')`)
    await owner.query(`insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring)
      overriding system value values (31, 2, 'N', 31.3, 120.6, '[[120,31],[121,31],[121,32],[120,31]]')`)
    const devices = Array.from({ length: demoVehicleCount }, (_, n) => ({
      agentId: 2,
      areaId: 31,
      number: `SD${100_001 + n}`,
      imei: String(861_234_500_000_000 + n),
      model: 'SD-E2',
    }))
    await db.system((tx) => fleet.vehicles.register(tx, devices))
    await owner.query(`update vehicle set state = 'available'`)
    const { rows } = await owner.query<{ id: string }>('select min(id)::text as id from vehicle')
    await db.system((tx) => ensureReportDays(tx, startMs + dayMs))
    await owner.query('vacuum analyze')
    await owner.end()
    const writer = createReportWriter({ kit, fleet, metrics: createTelemetryMetrics(new Registry()), flushAfterMs: 0 })
    result = await work({ url, writer, firstId: Number(rows[0]?.id) })
    await writer.close()
    await db.close()
  })
  return result!
}

const startedAt = performance.now()
const { reports, before, after } = live()
const seconds = whole((performance.now() - startedAt) / 1_000)
say(
  `${lengthMs / hourMs} hours of ${whole(demoVehicleCount)} vehicles: ${whole(reports)} reports, lived in ${seconds} s`,
)
const [all, few] = [before.counts(), after.counts()]
compare({
  what: 'commits',
  figure: whole(few.commits),
  reference: `each at once ${whole(all.commits)}`,
  ratio: all.commits / few.commits,
  goal: { atLeast: 5 },
})
state(
  'rows of the history, updates of vehicles',
  `${whole(few.rows)} beside ${whole(all.rows)}: x ${(all.rows / few.rows).toFixed(2)}`,
)
const bytes = { before: 0, after: 0 }
for (const side of ['before', 'after'] as const) {
  const { kept } = side === 'before' ? before : after
  bytes[side] = await withWriter(`standing-${side}`, ({ url, writer, firstId }) =>
    write(url, kept, { writer, firstId, everyMs: checkpointEveryMs[side] }),
  )
}
compare({
  what: `bytes written ahead in ${samples.length} half hours`,
  figure: `${whole(bytes.after / 1e6)} MB`,
  reference: `each at once ${whole(bytes.before / 1e6)} MB`,
  ratio: bytes.before / bytes.after,
  goal: { atLeast: 5 },
})
