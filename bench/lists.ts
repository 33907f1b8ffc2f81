/**
 * A served list over 1,000,000 rows: its first page with the count, a page from its middle, both by each sort, and the sums
 * of a filter, beside plain queries without row level security: `node bench/lists.ts [--quick]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { z } from 'zod'
import { list as declareList } from '@saddle/contract/list.ts'
import { writeCursor } from '@saddle/server/kit/list/cursor.ts'
import { migrate } from '@saddle/server/kit/db/migrate.ts'
import { openDatabase } from '@saddle/server/kit/db/pool.ts'
import { computed, rowOfValues } from '@saddle/server/kit/db/rows.ts'
import type { DB } from '@saddle/server/kit/db/types.ts'
import { serveList } from '@saddle/server/kit/list/serveList.ts'
import { tableList } from '@saddle/server/kit/list/tableList.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'
import { sessionCall, testKit } from '@saddle/server/test/kit.ts'
import { compare, isQuick, judge, median, quantile, whole } from './lib/report.ts'

const rows = isQuick ? 200_000 : 1_000_000
const rounds = isQuick ? 10 : 50
const companies = 20
const limitMs = 50
const sumsLimitMs = 500
const states = ['open', 'paid', 'refused', 'closed'] as const

const bills = declareList({
  row: z.object({ id: z.int(), state: z.enum(states), amountCents: z.int(), madeAt: z.int() }),
  filter: z.strictObject({ states: z.array(z.enum(states)).optional() }),
  sorts: { made: 'desc', amount: 'desc' },
  sums: ['amountCents'],
})
const columns = rowOfValues({
  id: computed('bigint', sql`b.id`),
  state: computed('text', sql`b.state`),
  amount_cents: computed('bigint', sql`b.amount_cents`),
  made_at: computed('timestamptz', sql`b.made_at`),
}).codes({ state: states })
const statements = tableList(bills, {
  // A table of this benchmark alone.
  table: 'bench_bill' as keyof DB,
  alias: 'b',
  tenant: 'agent',
  columns,
  sorts: { made: ['made_at', 'instant'], amount: ['amount_cents', 'whole'] },
  find: ({ states: wanted = states }) => ({ runs: { column: 'state', type: 'text', values: wanted } }),
  sums: { amountCents: sql`b.amount_cents` },
})

const dataDir = mkdtempSync(join(tmpdir(), 'saddle-bench-'))
const postgres = await startEmbedded({ dataDir, log: silentLog })
try {
  await migrate({ url: postgres.url, log: silentLog })
  const owner = new Client({ connectionString: postgres.url })
  await owner.connect()
  // The failing statement reports the error itself.
  owner.on('error', () => {})
  await addBills(owner)
  const db = openDatabase({ url: postgres.url, log: silentLog })
  const served = serveList({ kit: testKit(db), audit: { noteExport: async () => {} } }, bills, {
    name: 'bills',
    rows: statements,
    present: (row) => columns.present(row),
    file: { action: 'bill.export', fields: {} },
  })
  const agentIds = Array.from({ length: companies }, (_, index) => 3 + index)
  const call = sessionCall({ operatorId: 1, agentId: 2, grant: { agentIds, areaIds: [] } })

  for (const sort of ['made', 'amount'] as const) {
    const column = { made: 'made_at', amount: 'amount_cents' }[sort]
    const middle = await owner.query<{ key: string; id: string }>(
      `select case when '${sort}' = 'made' then (extract(epoch from made_at) * 1000000)::bigint else amount_cents end as key, id
       from bench_bill order by ${column} desc, id desc offset ${rows / 2} limit 1`,
    )
    const [{ key, id } = { key: '0', id: '1' }] = middle.rows
    const order = { list: 'bills', sort, direction: 'desc' } as const
    const cursor = writeCursor(order, [Number(key), Number(id)])
    const asked = { filter: {}, sort, pageSize: 50 }
    const first = await timed(() => served.page(asked, call))
    const deep = await timed(() => served.page({ ...asked, cursor }, call))
    const bare = await timed(() => owner.query(`select * from bench_bill order by ${column} desc, id desc limit 51`))
    const offset = await timed(() =>
      owner.query(`select * from bench_bill order by ${column} desc, id desc offset ${rows / 2} limit 51`),
    )
    told(`by ${sort}: first page with its count`, first, limitMs)
    told(`by ${sort}: a page from the middle`, deep, limitMs)
    compare({
      what: `by ${sort}: the middle beside offset and limit`,
      figure: `${median(deep).toFixed(1)} ms`,
      reference: `${median(offset).toFixed(1)} ms (first rows ${median(bare).toFixed(1)} ms)`,
      ratio: median(deep) / median(offset),
      goal: { atMost: 1 },
    })
  }
  const filter = { states: ['refused' as const] }
  const sums = await timed(() => served.sums({ filter }, call))
  const plain = await timed(() =>
    owner.query(`select count(*), sum(amount_cents) from bench_bill where state = 'refused'`),
  )
  const { data } = await served.sums({ filter }, call)
  told(`sums of ${whole(data.rows)} rows`, sums, sumsLimitMs)
  compare({
    what: 'sums beside a bare sum',
    figure: `${median(sums).toFixed(1)} ms`,
    reference: `${median(plain).toFixed(1)} ms`,
    ratio: median(sums) / median(plain),
    goal: { atMost: 5 },
  })
  const cut = await timed(() => served.sums({ filter: {} }, call))
  told('sums that are not told: too many rows', cut, sumsLimitMs)
  await db.close()
  await owner.end()
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** A sixth of the bills is refused; amounts and times lie far apart in the table. */
async function addBills(owner: Client): Promise<void> {
  await owner.query(`
    create table bench_bill (
      id bigint generated by default as identity primary key, agent_id bigint not null, state text not null,
      amount_cents bigint not null, made_at timestamptz not null)`)
  await owner.query(`
    insert into bench_bill (agent_id, state, amount_cents, made_at)
    select 3 + n % ${companies}, (array['open', 'paid', 'paid', 'paid', 'refused', 'closed'])[1 + n % 6], n * 7919 % 100000,
      timestamptz '2026-01-01' + (n * 104729::bigint % 31536000) * interval '1 second'
    from generate_series(1::bigint, ${rows}) n`)
  await owner.query('create index on bench_bill (agent_id, state, made_at desc, id desc)')
  await owner.query('create index on bench_bill (agent_id, state, amount_cents desc, id desc)')
  await owner.query(`select enable_tenant_rls('bench_bill', false)`)
  await owner.query('vacuum (analyze) bench_bill')
}

async function timed(work: () => Promise<unknown>): Promise<number[]> {
  await work()
  const took: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const from = performance.now()
    await work()
    took.push(performance.now() - from)
  }
  return took
}

function told(what: string, took: readonly number[], goalMs: number): void {
  const p99 = quantile(took, 0.99)
  const figure = `p50 ${median(took).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  judge({ what, figure, isMet: p99 <= goalMs, goal: `p99 <= ${goalMs} ms` })
}
