/**
 * The daily report over a year of 20,000,000 rides in 100 areas of 3 companies, each span with the spans before, beside the same
 * question to the orders; making all figures anew; and writing rides with and without the notes for figures:
 * `node bench/reports.ts [rides] [--fill]`. 20,000,000 rides take about 30 minutes and 15 GB. In the folder that `BENCH_DATA`
 * names they are kept: the next run only measures, and `--fill` ends once they are there.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { metricNames } from '@saddle/contract/reports/metrics.ts'
import type { ReportFilter } from '@saddle/contract/reports/figures.ts'
import { reportNames, reports } from '@saddle/contract/reports/reports.ts'
import { addDays, businessDayOf } from '@saddle/contract/time.ts'
import { createAudit } from '@saddle/server/audit/public.ts'
import { migrate } from '@saddle/server/kit/db/migrate.ts'
import { systemClock } from '@saddle/server/kit/clock.ts'
import { openDatabase, type Database } from '@saddle/server/kit/db/pool.ts'
import { createLog, silentLog } from '@saddle/server/kit/log.ts'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'
import { createReports } from '@saddle/server/reports/public.ts'
import { isCounted, rideSums } from '@saddle/server/reports/rollups/rides.ts'
import { rebuildFigures } from '@saddle/server/reports/rollups/rebuild.ts'
import { sessionCall, testKit } from '@saddle/server/test/kit.ts'
import { addCompanies, idsOf } from './lib/ownDatabase.ts'
import { compare, judge, median, quantile, say, state, whole } from './lib/report.ts'

const [rides = 20_000_000] = process.argv
  .slice(2)
  .filter((option) => /^\d+$/.test(option))
  .map(Number)
const isFillOnly = process.argv.includes('--fill')
const companies = 3
const areas = 100
const models = 3
const vehicles = 18_000
const limitMs = 50
const rounds = 100
const writtenRides = 2_000
const writers = 4
const writeRounds = 11
const { agentIds, areaIds } = idsOf({ companies, areas })
const secondsSince = (at: number): number => (performance.now() - at) / 1_000

/** The year that has rides: from its first day to the day before `end`. */
type Year = { readonly firstDay: string; readonly end: string }

async function writeOrders(owner: pg.Client, { firstDay }: Year): Promise<void> {
  const run = (text: string) => owner.query(text)
  await addCompanies(owner, { companies, areas })
  await run(`
    insert into vehicle (id, agent_id, area_id, number, model, protocol, state, state_changed_at, created_at)
    overriding system value
    select n, 1 + n % ${areas} % ${companies}, 5000 + n % ${areas}, 'BX' || lpad(n::text, 6, '0'), 'model ' || n % ${models}, 'omni',
      'available', now(), now() from generate_series(1, ${vehicles}) n`)
  await run(`
    insert into rider (id, agent_id, phone_hash, phone_sealed, created_at, last_active_at)
    select n, 1 + n % ${companies}, n, '', now(), now() from generate_series(1, 3000) n`)
  await run(`
    insert into price_version (id, agent_id, area_id, name, rules, valid_from, author_name, created_at)
    select 100000 + n, 1 + n % ${companies}, 5000 + n, 'bench', '{}', now() - interval '2 years', 'bench', now()
    from generate_series(0, ${areas - 1}) n`)
  // The lists of orders need the other indexes, figures only this one: without them a year fits on the disk.
  const { rows } = await owner.query<{ name: string }>(`
    select indexname as name from pg_indexes where tablename = 'ride_order' and indexname like 'ride\\_order\\_%'
      and indexname not in (select conname from pg_constraint where conrelid = 'ride_order'::regclass)
      and indexname not in ('ride_order_area', 'ride_order_vehicle_busy', 'ride_order_rider_busy')`)
  for (const { name } of rows) await run(`drop index ${name}`)
  await run('drop index ride_order_area')
  const at = performance.now()
  await run(`
    insert into ride_order (id, agent_id, area_id, vehicle_id, vehicle_number, rider_id, state, placed_at, started_at, ended_at,
      distance_m, price_version_id, return_kind, charged_cents, refunded_cents, changed_at)
    select n, 1 + vehicle % ${areas} % ${companies}, 5000 + vehicle % ${areas}, vehicle, 'BX', 1 + n % 1000 * 3 + vehicle % ${areas} % ${companies},
      state, at, at, case when cents is not null then at + interval '13 minutes' end, 2900,
      case when cents is not null then 100000 + vehicle % ${areas} end, case when cents is not null then 'in_place' end, cents,
      case when state = 'part_refunded' then 50 else 0 end, at
    from (
      select n, 1 + n * 48271 % ${vehicles} as vehicle, state,
        case when state not in ('cancelled', 'failed') then 200 + n % 7 * 50 end as cents,
        date_trunc('milliseconds', timestamptz '${firstDay} 00:00+08' + n::float8 / ${rides + 1} * interval '365 days') as at
      from (
        select n, case when n % 211 = 0 then 'part_refunded' when n % 47 = 0 then 'cancelled' when n % 997 = 0 then 'failed'
          else 'paid' end as state
        from generate_series(1::bigint, ${rides}) n
      ) a
    ) b`)
  await run(`create index ride_order_area on ride_order (area_id, placed_at desc, id desc) include (agent_id)`)
  await run(`select setval(pg_get_serial_sequence('ride_order', 'id'), ${rides + 1_000})`)
  await run('vacuum analyze ride_order')
  await run('analyze vehicle')
  state('orders written', `${whole(rides)} in ${secondsSince(at).toFixed(0)} s`)
}

/**
 * Figures of the ledger and the fleet, for as many areas and days: their own rows would not fit on the disk. What is a year
 * older, with which reports compare, are figures without rows.
 */
async function addOtherFigures(owner: pg.Client, { firstDay }: Year): Promise<void> {
  const run = (text: string) => owner.query(text)
  await run(`
    insert into report_money_day (agent_id, area_id, account, kind, channel, card_kind, day, credits, debits, credit_cents, debit_cents)
    select 1 + n % ${companies}, 5000 + n, a.account, a.kind, a.channel, '', date '${firstDay}' + d, 500, 0, 100000, 0
    from generate_series(0, ${areas - 1}) n, generate_series(0, 364) d, (values ('agent_revenue', 'ride_charge', 'wechat'),
      ('agent_revenue', 'ride_charge', ''), ('rider_balance', 'ride_charge', ''), ('clearing_wechat', 'ride_charge', 'wechat')
    ) a (account, kind, channel)`)
  await run(`
    insert into report_money_company_day (agent_id, account, kind, channel, card_kind, day, credits, debits, credit_cents, debit_cents)
    select agent_id, account, kind, channel, card_kind, day, sum(credits), sum(debits), sum(credit_cents), sum(debit_cents)
    from report_money_day group by agent_id, account, kind, channel, card_kind, day`)
  await run(`
    insert into fleet_day (area_id, agent_id, day, vehicles, ridden, trips, ride_seconds, distance_m, low_battery, made_at)
    select 5000 + n, 1 + n % ${companies}, date '${firstDay}' + d, 180, 150, 500, 1, 1, 1, now()
    from generate_series(0, ${areas - 1}) n, generate_series(0, 364) d`)
  for (const table of tablesOfYearBefore) {
    const { rows } = await owner.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [table],
    )
    const columns = rows.map(({ name }) => name)
    const values = columns.map((name) => (name === 'day' ? `(day - interval '1 year')::date` : name))
    await run(
      `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from ${table} on conflict do nothing`,
    )
  }
  await run(`vacuum analyze report_company, report_ride_hour, ${tablesOfYearBefore.join(', ')}, report_fleet_company_day,
    report_ride_company_hour`)
}

/** A trigger of `fleet_day` keeps the vehicles of companies. */
const tablesOfYearBefore = [
  'report_ride_day',
  'report_ride_month',
  'report_ride_company_day',
  'report_money_day',
  'report_money_company_day',
  'fleet_day',
]

async function fill(options: { db: Database; owner: pg.Client; year: Year }): Promise<void> {
  const { db, owner, year } = options
  await owner.query('set session_replication_role = replica')
  await owner.query('set synchronous_commit = off')
  await writeOrders(owner, year)
  await owner.query('set session_replication_role = default')
  const at = performance.now()
  await rebuildFigures({ db, log: silentLog, clock: systemClock })
  state('all figures of orders made anew', `${secondsSince(at).toFixed(0)} s`)
  await addOtherFigures(owner, year)
}

type Report = (filter: Partial<ReportFilter>) => Promise<unknown>

/** `report` as somebody asks who sees everything, `ofMost` as somebody who sees all areas but one, `raw` without figures. */
type Readers = Readonly<Record<'report' | 'ofMost' | 'raw', Report>>

async function measureReading({ report, ofMost, raw }: Readers, { firstDay, end }: Year): Promise<void> {
  const year = { from: firstDay, to: addDays(end, -1) }
  const today = businessDayOf(Date.now())
  const asked: readonly [name: string, filter: Partial<ReportFilter>, ask?: Report][] = [
    ['daily report of a year by day', { report: 'daily', by: 'day', ...year }],
    ['the same until now', { report: 'daily', by: 'day', from: addDays(today, -364), to: today }],
    ['the same without one of the areas', { report: 'daily', by: 'day', ...year }, ofMost],
    ['orders of a year by day', { report: 'orders', by: 'day', ...year }],
    ['orders of a year by month', { report: 'orders', by: 'month', ...year }],
    ['orders of a year by area', { report: 'orders', by: 'area', ...year }],
    ['orders of a year by model', { report: 'orders', by: 'model', ...year }],
    ['orders of a month by hour', { report: 'orders', by: 'hour', from: addDays(end, -30), to: addDays(end, -1) }],
    ['daily report of an area', { report: 'daily', by: 'day', ...year, areaIds: [5_017] }],
  ]
  const medians = new Map<string, number>()
  for (const [name, filter, ask = report] of asked) {
    const took: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const at = performance.now()
      await ask(filter)
      // The first round fills the caches.
      if (round > 0) took.push(performance.now() - at)
    }
    medians.set(name, median(took))
    const p99 = quantile(took, 0.99)
    judge({
      what: name,
      figure: `median ${median(took).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      isMet: p99 <= limitMs,
      goal: `p99 <= ${limitMs} ms`,
    })
  }
  const at = performance.now()
  await raw({ report: 'orders', by: 'day', ...year })
  const ms = performance.now() - at
  const own = medians.get('orders of a year by day') ?? Number.NaN
  compare({
    what: 'orders of a year, without figures',
    figure: `${ms.toFixed(0)} ms`,
    reference: `${own.toFixed(1)} ms`,
    ratio: ms / own,
    goal: { atLeast: 20 },
  })
}

/** The statements of a ride's order, from its request to its payment and, for some, a refund. */
async function writeRides(url: string, count: number): Promise<number> {
  const at = performance.now()
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const client = new pg.Client({ connectionString: url })
      // When one of them fails the others are cut off.
      client.on('error', () => {})
      await client.connect()
      for (let n = 0; n < count / writers; n += 1) {
        const vehicle = 1 + writer + n * writers
        const area = vehicle % areas
        const own = [1 + (area % companies), 5_000 + area]
        await client.query('begin')
        const { rows } = await client.query<{ id: string }>(
          `insert into ride_order (agent_id, area_id, vehicle_id, vehicle_number, rider_id, state, placed_at, changed_at)
           values ($1, $2, $3, 'BX', $4, 'unlocking', date_trunc('milliseconds', now()), now()) returning id`,
          [...own, vehicle, companies * (1 + (vehicle % 990)) + (area % companies)],
        )
        const id = rows[0]?.id
        await client.query('commit')
        await client.query(`update ride_order set state = 'riding', started_at = placed_at where id = $1`, [id])
        await client.query('begin')
        await client.query(`select from ride_order where id = $1 for update`, [id])
        await client.query(
          `insert into order_line (order_id, n, agent_id, area_id, code, reason, quantity, unit_cents, amount_cents)
           values ($1, 1, $2, $3, 'start', 'start', 1, 200, 200)`,
          [id, ...own],
        )
        await client.query(
          `update ride_order set state = 'due', ended_at = now(), price_version_id = $2, return_kind = 'in_place',
             charged_cents = 200, distance_m = 900 where id = $1`,
          [id, 100_000 + area],
        )
        await client.query(`update ride_order set state = 'paid' where id = $1`, [id])
        await client.query('commit')
      }
      await client.end()
    }),
  )
  return performance.now() - at
}

async function measureWriting(url: string, owner: pg.Client, runJob: () => Promise<unknown>): Promise<void> {
  const triggers = ['report_ride_made', 'report_ride_changed']
  const [withNotes, without]: [number[], number[]] = [[], []]
  await writeRides(url, writtenRides)
  for (let round = 0; round < writeRounds * 2; round += 1) {
    // Each pair in the other order: what a round leaves for the next one burdens both.
    const isNoted = round % 4 === 0 || round % 4 === 3
    for (const name of triggers)
      await owner.query(`alter table ride_order ${isNoted ? 'enable' : 'disable'} trigger ${name}`)
    const at = performance.now()
    await writeRides(url, writtenRides)
    if (isNoted) await runJob()
    ;(isNoted ? withNotes : without).push(performance.now() - at)
  }
  const [noted, plain] = [median(withNotes) / writtenRides, median(without) / writtenRides]
  compare({
    what: 'the order of a ride with figures made of it',
    figure: `${noted.toFixed(3)} ms`,
    reference: `${plain.toFixed(3)} ms without`,
    ratio: noted / plain,
    goal: { atMost: 1.1 },
  })
}

async function measure(options: Open & { readonly year: Year }): Promise<void> {
  const { db, url, owner, year } = options
  const kit = testKit(db)
  kit.clock.set(Date.now())
  const reporting = createReports(kit, { audit: createAudit(kit) })
  const permissions = reportNames.map((name) => reports[name].permission)
  const callOf = (areas: number[]) =>
    sessionCall({ operatorId: 1, agentId: 1, grant: { agentIds, areaIds: areas }, permissions })
  const call = callOf(areaIds)
  const callOfMost = callOf(areaIds.slice(1))
  const filterOf = (filter: Partial<ReportFilter>): ReportFilter => ({
    report: 'daily',
    by: 'day',
    from: year.firstDay,
    to: year.end,
    ...filter,
  })
  state('figures of the registry', String(metricNames.length))
  await measureReading(
    {
      report: (filter) => reporting.handlers.readReport({ filter: filterOf(filter) }, call),
      ofMost: (filter) => reporting.handlers.readReport({ filter: filterOf(filter) }, callOfMost),
      raw: async (filter) => {
        const { from, to } = filterOf(filter)
        await db.system(async (tx) => {
          await sql`set local statement_timeout = 0`.execute(tx)
          // Days of Beijing, by the index of each area: the same sums of orders as the report has.
          await sql`
            select (o.placed_at at time zone 'Asia/Shanghai')::date as day, ${rideSums} from ride_order o
            where o.area_id = any (${areaIds}::bigint[]) and o.agent_id = any (${agentIds}::bigint[]) and ${isCounted}
              and o.placed_at >= ${from}::timestamp at time zone 'Asia/Shanghai'
              and o.placed_at < (${to}::date + 1)::timestamp at time zone 'Asia/Shanghai'
            group by 1`.execute(tx)
        })
      },
    },
    year,
  )
  await measureWriting(url, owner, () => reporting.runRollups())
}

/** Where the rides are, and the note that they are all there. */
function placeOf(kept: string | undefined): { dataDir: string; note: string } {
  const dataDir = kept === undefined ? mkdtempSync(join(tmpdir(), 'saddle-reports-')) : join(kept, `reports-${rides}`)
  mkdirSync(dataDir, { recursive: true })
  return { dataDir, note: join(dataDir, 'filled.json') }
}

interface Open {
  readonly db: Database
  readonly url: string
  readonly owner: pg.Client
}

async function withDatabase(
  options: { readonly dataDir: string; readonly durable: boolean },
  work: (open: Open) => Promise<void>,
): Promise<void> {
  const postgres = await startEmbedded({ ...options, log: createLog({ level: 'error' }) })
  const db = openDatabase({ url: postgres.url, log: silentLog })
  const owner = new pg.Client({ connectionString: postgres.url })
  try {
    await migrate({ url: postgres.url, log: silentLog })
    await owner.connect()
    await work({ db, url: postgres.url, owner })
  } finally {
    await owner.end()
    await db.close()
    await postgres.stop()
  }
}

async function main(): Promise<void> {
  const kept = process.env['BENCH_DATA']
  if (isFillOnly && kept === undefined) throw new Error('--fill needs a folder that stays: BENCH_DATA')
  const { dataDir, note } = placeOf(kept)
  const isFilled = existsSync(note)
  const today = businessDayOf(Date.now())
  const year = isFilled
    ? (JSON.parse(readFileSync(note, 'utf8')) as Year)
    : { firstDay: addDays(today, -365), end: today }
  try {
    say(`${whole(rides)} rides of 365 days in ${areas} areas of ${companies} companies${isFilled ? ', kept' : ''}`)
    if (!isFilled) {
      await withDatabase({ dataDir, durable: false }, async ({ db, owner }) => fill({ db, owner, year }))
      writeFileSync(note, JSON.stringify(year))
    }
    if (!isFillOnly) await withDatabase({ dataDir, durable: true }, async (open) => measure({ ...open, year }))
  } finally {
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
}

await main()
