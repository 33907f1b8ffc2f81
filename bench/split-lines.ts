/**
 * The list of 10,000,000 split lines over 300 areas of 3 companies: its first page with the count by many combinations of
 * filters, as the slowest and as a quantile: `node bench/split-lines.ts [lines]`. Beside it one line by its key in the same scope.
 */
import { sql } from 'kysely'
import pg from 'pg'
import { splitLineKinds, splitLineList, type SplitLineFilter } from '@saddle/contract/finance/splitBills.ts'
import { addDays, businessDayStart } from '@saddle/contract/time.ts'
import { openDatabase } from '@saddle/server/kit/db/pool.ts'
import { serveList } from '@saddle/server/kit/list/serveList.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import { lineOf, lineRows } from '@saddle/server/finance/splitBills/lines.ts'
import { sessionCall, testKit } from '@saddle/server/test/kit.ts'
import { addCompanies, idsOf, withOwnDatabase } from './lib/ownDatabase.ts'
import { quantile } from './lib/report.ts'

const [lines = 10_000_000] = process.argv.slice(2).map(Number)
const companies = 3
const areas = 300
const days = 90
const firstDay = '2026-08-20'
const limitMs = 50
const rounds = 10
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const { agentIds, areaIds } = idsOf({ companies, areas })

async function prepare(url: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  const run = (text: string) => owner.query(text)
  await run('set session_replication_role = replica')
  await addCompanies(owner, { companies, areas })
  // Indexes are built once over all lines.
  const { rows: indexes } = await owner.query<{ name: string; text: string }>(
    `select indexname as name, indexdef as text from pg_indexes where tablename = 'split_line' and indexname <> 'split_line_pkey'`,
  )
  for (const { name } of indexes) await run(`drop index ${name}`)
  // Days pass with the numbers of the entries; one line in a hundred is a refund.
  await run(`
    insert into split_line (agent_id, entry_number, kind, area_id, day, order_id, at, paid_cents, channel_cents, fee_cents,
      platform_borne_cents, partner_borne_cents, party_cents, parties_cents, owner_cents)
    select 1 + n % ${companies}, n, case when n % 100 = 7 then 'ride_refund' else 'ride_charge' end,
      case when n % 50 = 0 then null else 5000 + n % ${areas} end, date '${firstDay}' + (n * ${days} / ${lines + 1})::integer, n,
      timestamptz '${firstDay} 00:00+08' + n * interval '${days} days' / ${lines + 1}, 300, 300, 2, 0, 0, '{20}', 20, 278
    from generate_series(1::bigint, ${lines}) n`)
  await run(`set maintenance_work_mem = '512MB'`)
  for (const { text } of indexes) await run(text)
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
  const all = filters()
  const took: number[] = []
  const slowest: { ms: number; filter: string }[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const filter of all) {
      const at = performance.now()
      await list.page({ filter, sort: 'day', pageSize: 50 }, call)
      const ms = performance.now() - at
      // The first round fills the caches.
      if (round === 0) continue
      took.push(ms)
      slowest.push({ ms, filter: JSON.stringify(filter).slice(0, 120) })
    }
  }
  const byKey: number[] = []
  for (let n = 1; n <= all.length * (rounds - 1); n += 1) {
    const at = performance.now()
    const number = 1 + ((n * 7_919) % lines)
    await db.read(call.scope, (k) =>
      sql`select * from split_line where agent_id = ${1 + (number % companies)} and entry_number = ${number}`.compile(
        k,
      ),
    )
    byKey.push(performance.now() - at)
  }
  const [p50, p99] = [quantile(took, 0.5), quantile(took, 0.99)]
  const ofKey = `${quantile(byKey, 0.5).toFixed(1)} and ${quantile(byKey, 0.99).toFixed(1)} ms`
  say(
    `${lines.toLocaleString('en')} lines, ${splitLineKinds.length} kinds, ${all.length} filters with their count: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (limit ${limitMs} ms: ${p99 <= limitMs ? 'met' : 'missed'}); one line by its key ${ofKey}`,
  )
  for (const { ms, filter } of slowest.toSorted((a, b) => b.ms - a.ms).slice(0, 5))
    say(`  ${ms.toFixed(1)} ms: ${filter}`)
  await db.close()
}

await withOwnDatabase({ name: 'split-lines' }, async ({ url }) => {
  await prepare(url)
  await measure(url)
})
