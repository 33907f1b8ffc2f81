/**
 * The list of 10,000,000 split lines over 300 areas of 3 companies: its first page with the count by many combinations of
 * filters, as the slowest and as a quantile: `node bench/split-lines.ts [lines]`. Beside it the time of an empty query.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { splitLineKinds, splitLineList, type SplitLineFilter } from '@saddle/contract/finance/splitBills.ts'
import { addDays, businessDayStart } from '@saddle/contract/time.ts'
import { migrate } from '@saddle/server/kit/db/migrate.ts'
import { openDatabase } from '@saddle/server/kit/db/pool.ts'
import { serveList } from '@saddle/server/kit/list/serveList.ts'
import { createLog, silentLog } from '@saddle/server/kit/log.ts'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'
import { lineOf, lineRows } from '@saddle/server/finance/splitBills/lines.ts'
import { sessionCall, testKit } from '@saddle/server/test/kit.ts'
import { quantile } from './lib/report.ts'

const [lines = 10_000_000] = process.argv.slice(2).map(Number)
const companies = 3
const areas = 300
const days = 90
const firstDay = '2026-08-20'
const limitMs = 50
const rounds = 10
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const areaIds = Array.from({ length: areas }, (_, n) => 5_000 + n)
const agentIds = Array.from({ length: companies }, (_, n) => n + 1)

async function prepare(url: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  const run = (text: string) => owner.query(text)
  await run('set session_replication_role = replica')
  await run(`
    insert into agent (id, parent_id, company) overriding system value
    select n, case when n > 1 then 1 end, 'company ' || n from generate_series(1, ${companies}) n on conflict do nothing`)
  await run(`
    insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring, created_at)
    select 5000 + n, 1 + n % ${companies}, 'area ' || n, 31.2, 120.6, '[[120,31],[121,31],[121,32],[120,31]]', now()
    from generate_series(0, ${areas - 1}) n`)
  // Days pass with the numbers of the entries; one line in a hundred is a refund.
  await run(`
    insert into split_line (agent_id, entry_number, kind, area_id, day, order_id, at, paid_cents, channel_cents, fee_cents,
      platform_borne_cents, partner_borne_cents, party_cents, parties_cents, owner_cents)
    select 1 + n % ${companies}, n, case when n % 100 = 7 then 'ride_refund' else 'ride_charge' end,
      case when n % 50 = 0 then null else 5000 + n % ${areas} end, date '${firstDay}' + (n * ${days} / ${lines + 1})::integer, n,
      timestamptz '${firstDay} 00:00+08' + n * interval '${days} days' / ${lines + 1}, 300, 300, 2, 0, 0, '{20}', 20, 278
    from generate_series(1::bigint, ${lines}) n`)
  await run('vacuum analyze split_line')
  await owner.end()
}

/** Every combination of whose, what and when. */
function filters(): SplitLineFilter[] {
  const whose = [
    {},
    { agentIds: [2] },
    { areaIds: [5_017] },
    { areaIds: areaIds.slice(0, 10) },
    { areaIds: areaIds.slice(0, 150) },
    { isOfCompany: true },
  ]
  const what = [
    {},
    { kinds: ['ride_charge'] },
    { kinds: ['ride_refund'] },
    { kinds: ['ride_refund', 'adjustment'] },
  ] as const
  const dayOf = (n: number): number => businessDayStart(addDays(firstDay, n))
  const when = [{}, { from: dayOf(40), to: dayOf(41) }, { from: dayOf(20), to: dayOf(50) }]
  const all = whose.flatMap((a) => what.flatMap((b) => when.map((c) => Object.assign({}, a, b, c))))
  return [...(all as SplitLineFilter[]), { orderId: 4_711 }]
}

async function measure(url: string): Promise<void> {
  const db = openDatabase({ url, log: silentLog })
  const kit = testKit(db)
  const list = serveList({ kit, audit: { noteExport: async () => {} } }, splitLineList, {
    name: 'lines',
    rows: lineRows,
    present: lineOf,
  })
  const call = sessionCall({ operatorId: 1, agentId: 1, grant: { agentIds, areaIds } })
  const took: number[] = []
  let slowest = { ms: 0, filter: '' }
  for (let round = 0; round < rounds; round += 1) {
    for (const filter of filters()) {
      const at = performance.now()
      await list.page({ filter, sort: 'day', pageSize: 50 }, call)
      const ms = performance.now() - at
      // The first round fills the caches.
      if (round === 0) continue
      took.push(ms)
      if (ms > slowest.ms) slowest = { ms, filter: JSON.stringify(filter).slice(0, 80) }
    }
  }
  const p99 = quantile(took, 0.99)
  say(
    `${lines.toLocaleString('en')} lines, ${splitLineKinds.length} kinds, ${filters().length} filters: median ${quantile(took, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (limit ${limitMs})`,
  )
  say(`  slowest ${slowest.ms.toFixed(1)} ms: ${slowest.filter}`)
  if (p99 > limitMs) process.exitCode = 1
  await db.close()
}

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'saddle-split-lines-'))
  const postgres = await startEmbedded({ dataDir, log: createLog({ level: 'error' }) })
  try {
    await migrate({ url: postgres.url, log: silentLog })
    await prepare(postgres.url)
    await measure(postgres.url)
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

await main()
