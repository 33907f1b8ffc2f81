/**
 * The lists over 1,000,000 vehicles: looking up, screening by combined conditions, counting and choosing for a batch,
 * through the whole stack, beside the same SQL on a bare connection without row level security; and the plan of every one of
 * them, which must not read the whole table of vehicles: `node bench/vehicle-search.ts [--quick]`.
 */
import type { RawBuilder } from 'kysely'
import pg from 'pg'
import { searchEndpoints, vehicleList, type VehicleFilter, type VehicleSort } from '@saddle/contract/fleet/search.ts'
import { selectIds, selectNamed, vehicleRows } from '@saddle/server/fleet/search/store.ts'
import { compilingKysely } from '@saddle/server/kit/db/transaction.ts'
import type { DB } from '@saddle/server/kit/db/types.ts'
import { addCrowd } from './lib/crowd.ts'
import { startDemo, type Demo } from './lib/demo.ts'
import { isQuick, judge, median, quantile, say, whole } from './lib/report.ts'

const vehicles = isQuick ? 100_000 : 1_000_000
const rounds = isQuick ? 10 : 40
const pageSize = 20
const batchLimit = 5_000

type Case = {
  readonly name: string
  readonly filter: VehicleFilter
  readonly sort?: VehicleSort
  /** Number of further pages read after the first. */
  readonly further?: number
  readonly isChoice?: boolean
  /** The keyword names more than are looked up first. */
  readonly isBroad?: boolean
  /** Asks every vehicle for what changes with each report and so has no index: its status is read whole, and only that. */
  readonly readsStatus?: boolean
  /** A delay that a person does not notice as slow. */
  readonly limitMs: number
}

const areaIds = [5_000, 5_001, 5_002]
const cases: readonly Case[] = [
  { name: 'first page of all, with its count', filter: {}, limitMs: 100 },
  { name: 'page 30 of all', filter: {}, further: 29, limitMs: 100 },
  { name: 'start of a number', filter: { keyword: 'BX0012' }, limitMs: 100 },
  { name: 'last digits of a number', filter: { keyword: '4711' }, limitMs: 100 },
  { name: 'start of an IMEI', filter: { keyword: '8600000010471' }, limitMs: 100 },
  { name: 'start of an IMEI that a tenth of all have', filter: { keyword: '8600000010' }, isBroad: true, limitMs: 300 },
  {
    name: 'one area, emptiest first',
    filter: { areaIds: [5_000] },
    sort: 'battery',
    limitMs: 100,
  },
  {
    name: 'three areas: free, under 20 %, idle for a day, online',
    filter: { areaIds, states: ['available'], batteryTo: 20, idleHoursFrom: 24, online: true },
    sort: 'idle',
    limitMs: 100,
  },
  { name: 'everywhere: open alarm and a task', filter: { alarms: [], tasks: [] }, limitMs: 300 },
  {
    name: 'everywhere: two models, under 20 %, idle for a day',
    filter: { models: ['SD-E2', 'SD-S1'], batteryTo: 20, idleHoursFrom: 24 },
    readsStatus: true,
    limitMs: 300,
  },
  {
    name: 'everywhere: emptiest first',
    filter: {},
    sort: 'battery',
    readsStatus: true,
    limitMs: 1_000,
  },
  {
    name: 'everywhere: silent for 12 hours',
    filter: { silentHoursFrom: 12 },
    sort: 'heard',
    readsStatus: true,
    limitMs: 1_000,
  },
  {
    name: 'choose up to 5,000 free ones under 30 %',
    filter: { states: ['available'], batteryTo: 30 },
    isChoice: true,
    readsStatus: true,
    limitMs: 300,
  },
]

async function ask(demo: Demo, { filter, sort = 'number', further = 0, isChoice }: Case): Promise<number[]> {
  const took: number[] = []
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    const answer = await work()
    took.push(performance.now() - startedAt)
    return answer
  }
  if (isChoice === true) {
    await timed(() => demo.call(searchEndpoints.findVehicleIds, { filter, limit: batchLimit }))
    return took
  }
  let { nextCursor } = (await timed(() => demo.call(searchEndpoints.searchVehicles, { filter, sort, pageSize }))).data
  for (let page = 0; page < further && nextCursor !== null; page += 1) {
    const cursor = nextCursor
    const answer = await timed(() => demo.call(searchEndpoints.searchVehicles, { filter, sort, pageSize, cursor }))
    nextCursor = answer.data.nextCursor
  }
  // Of a walk through the pages only what comes after the first page is its own.
  return further > 0 ? took.slice(1) : took
}

type Statement = { readonly sql: string; readonly parameters: readonly unknown[] }
const kysely = compilingKysely<DB>()
const compile = (builder: RawBuilder<unknown>): Statement => builder.compile(kysely)

function statementsOf(one: Case, scope: Scope): Statement[] {
  const { filter, sort = 'number', isChoice } = one
  const params = { namedIds: undefined, nowMs: Date.now() }
  const search = { filter, params, scope: { ...scope, operatorId: null } }
  if (isChoice === true) return [compile(selectIds({ ...search, limit: batchLimit + 1 }))]
  const { keyword } = filter
  // The few whom a keyword names are looked up first, as the handler does; of many, the list asks each.
  if (keyword !== undefined && one.isBroad !== true) return [compile(selectNamed(keyword, search.scope))]
  const query = { ...search, sort, direction: 'asc', after: null } as const
  return [
    compile(vehicleRows.select({ ...query, limit: pageSize + 1 })),
    compile(vehicleRows.count({ ...query, limit: vehicleList.countMax + 1 })),
  ]
}

type Scope = { readonly agentIds: number[]; readonly areaIds: number[] }

async function askBare(database: pg.Client, statements: readonly Statement[]): Promise<number> {
  const startedAt = performance.now()
  for (const { sql, parameters } of statements) await database.query(sql, [...parameters])
  return performance.now() - startedAt
}

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] }

/** Tables that the statement reads from one end to the other, as the server's own role and scope plan it. */
async function scannedTables(database: pg.Client, scope: Scope, statement: Statement): Promise<string[]> {
  await database.query('begin')
  await database.query('set local role saddle_app')
  const list = (ids: readonly number[]): string => `{${ids.join(',')}}`
  await database.query(`select set_config('app.agent_ids', $1, true), set_config('app.area_ids', $2, true)`, [
    list(scope.agentIds),
    list(scope.areaIds),
  ])
  const explained = await database.query(`explain (analyze, format json) ${statement.sql}`, [...statement.parameters])
  await database.query('rollback')
  const [{ 'QUERY PLAN': plans }] = explained.rows as [{ 'QUERY PLAN': [{ Plan: Plan }] }]
  const scanned = (plan: Plan): string[] => [
    ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
    ...(plan.Plans ?? []).flatMap(scanned),
  ]
  return scanned(plans[0].Plan)
}

const large = ['vehicle', 'vehicle_status', 'device', 'vehicle_alarm', 'task']

const demo = await startDemo({ historyDays: 0, prepare: (database) => addCrowd(database, vehicles) })
const database = new pg.Client({ connectionString: demo.databaseUrl })
try {
  await database.connect()
  const { rows } = await database.query<{ agents: string[]; areas: string[] }>(
    `select array(select distinct agent_id from vehicle) as agents, array(select id from service_area) as areas`,
  )
  const scope = { agentIds: (rows[0]?.agents ?? []).map(Number), areaIds: (rows[0]?.areas ?? []).map(Number) }
  say(`${whole(vehicles)} vehicles, ${scope.areaIds.length} areas, pages of ${pageSize}, ${rounds} rounds`)
  for (const one of cases) {
    const statements = statementsOf(one, scope)
    const ours: number[] = []
    const bare: number[] = []
    for (let round = 0; round < (one.further === undefined ? rounds : Math.ceil(rounds / 10)); round += 1) {
      ours.push(...(await ask(demo, one)))
      bare.push(await askBare(database, statements))
    }
    const scans: string[] = []
    for (const statement of statements) scans.push(...(await scannedTables(database, scope, statement)))
    const allowed = one.readsStatus === true ? 'vehicle_status' : ''
    const read = large.filter((table) => scans.includes(table))
    const wrong = read.filter((table) => table !== allowed)
    const reads = read.length === 0 ? 'by indexes' : `reads all of ${read.join(', ')}`
    const [p50, p99] = [median(ours), quantile(ours, 0.99)]
    judge({
      what: one.name,
      figure: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, bare SQL ${median(bare).toFixed(1)} ms; ${reads}`,
      isMet: p50 <= one.limitMs && wrong.length === 0,
      goal: `p50 <= ${one.limitMs} ms, ${allowed === '' ? 'by indexes' : 'at most the status read whole'}`,
    })
  }
} finally {
  await database.end()
  await demo.stop()
}
