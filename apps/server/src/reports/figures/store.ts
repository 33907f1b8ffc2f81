import { sql, type RawBuilder } from 'kysely'
import type { CardKind } from '@saddle/contract/finance/cardTerms.ts'
import {
  fleetMeasures,
  moneyMeasures,
  rideMeasures,
  supplyMeasures,
  sourceOf,
  type Measure,
  type MoneyMeasureRow,
} from '@saddle/contract/reports/measures.ts'
import { reportModelsMax } from '@saddle/contract/reports/figures.ts'
import type { Dimension } from '@saddle/contract/reports/metrics.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

export type Grain = 'hour' | 'day' | 'month'

/** Where figures are read: the tables that the job fills, or the rows that those are made of. */
export interface FigureTables {
  readonly rides: (grain: Grain, of: Buckets) => RawBuilder<unknown>
  readonly money: (grain: Grain, of: Buckets, accounts: readonly string[]) => RawBuilder<unknown>
}

/**
 * Of what figures are added up: of areas, of companies with all of their areas, or of companies less the few of their areas
 * that are not asked for.
 */
export type Level = 'areas' | 'company' | 'most'

export const rollupTables: FigureTables = {
  rides: (grain, of) => {
    if (of.level === 'most')
      return sql`${sql.ref(`report_ride_rest_${grain}`)}(${reachOf(of)}, ${cutOf(of)}, ${daysOf(of)})`
    return sql.table(of.level === 'company' ? `report_ride_company_${grain}` : `report_ride_${grain}`)
  },
  money: (grain, of, accounts) => {
    if (of.level === 'most')
      return sql`report_money_rest_day(${reachOf(of)}, ${of.hasOfCompany}, ${accounts}::text[], ${daysOf(of)})`
    return sql.table(of.level === 'company' ? `report_money_company_${grain}` : `report_money_${grain}`)
  },
}

/** Which buckets are added up, and by what they are told apart; null: all together. */
export interface Buckets {
  readonly by: Dimension | null
  readonly grain: Grain
  /** Those of companies are kept by hour and day. */
  readonly level: Level
  readonly from: string
  readonly to: string
  /** The hours of these days that begin before a moment. */
  readonly before?: Date
  /** The companies and areas of the scope that are asked for. */
  readonly agentIds: readonly number[]
  readonly areaIds: readonly number[]
  /** Also what belongs to a company and to none of its areas. */
  readonly hasOfCompany: boolean
  readonly models: readonly string[] | undefined
  readonly channels: readonly string[] | undefined
  readonly cardKind: CardKind | undefined
}

/** Sums by measure. */
export type SumsOfKey = Partial<Record<Measure, number>>
/** The same by the key that they are told apart by. */
export type Sums = Map<string, SumsOfKey>

/** What rows of table `f` are put together by: as it is stored, because a text for each row takes longer than the sums. */
function groupOf({ by }: Buckets): readonly string[] {
  switch (by) {
    case null:
      return []
    case 'day':
    case 'month':
      return ['day']
    case 'hour':
      return ['agent_id', 'hour']
    case 'company':
      return ['agent_id']
    case 'area':
      return ['area_id']
    case 'model':
      return ['value']
    case 'channel':
      return ['channel']
  }
}

/** The key of what was put together, in rows `g`; several of them may have the same. */
function keyOf({ by }: Buckets): RawBuilder<unknown> {
  switch (by) {
    case null:
      return sql`''`
    case 'day':
      return sql`to_char(g.day, 'YYYY-MM-DD')`
    case 'month':
      return sql`to_char(g.day, 'YYYY-MM')`
    case 'hour':
      return sql`(select to_char(g.hour at time zone coalesce(min(c.zone), 'Asia/Shanghai'), 'HH24')
        from report_calendar c where c.agent_id = g.agent_id)`
    case 'company':
      return sql`g.agent_id::text`
    case 'area':
      return sql`coalesce(g.area_id::text, '')`
    case 'model':
      return sql`g.value`
    case 'channel':
      return sql`g.channel`
  }
}

/** `a.x, a.y` */
const listed = (alias: string, names: readonly string[]) => sql.join(names.map((name) => sql.ref(`${alias}.${name}`)))
const groupedBy = (names: readonly string[]) => (names.length === 0 ? sql`` : sql`group by ${listed('f', names)}`)

const reachOf = ({ agentIds, areaIds }: Buckets) => sql`${agentIds}::bigint[], ${areaIds}::bigint[]`
const cutOf = ({ by, models }: Buckets) => (by === 'model' || models !== undefined ? 'model' : 'all')
const daysOf = ({ from, to }: Buckets) => sql`${from}::date, ${to}::date`
const inDays = ({ from, to }: Buckets) => sql`f.day between ${from}::date and ${to}::date`
const untilHour = ({ before }: Buckets) => (before === undefined ? sql`` : sql`and f.hour < ${before}`)

type Answer = { readonly key: string } & Readonly<Record<string, number | string>>

/** Rows `f` of the companies and areas; those of most areas are of nothing else. */
function inReach({ level, agentIds, areaIds }: Buckets): RawBuilder<unknown> {
  if (level === 'most') return sql`true`
  const ofAreas = level === 'areas' ? sql`f.area_id = any (${areaIds}::bigint[]) and` : sql``
  return sql`${ofAreas} f.agent_id = any (${agentIds}::bigint[])`
}

/** The sums of some columns of `f`, with what they are put together by. */
function summed(of: Buckets, columns: readonly (readonly [column: string, name: string])[], from: RawBuilder<unknown>) {
  const group = groupOf(of)
  const sums = columns.map(([column, name]) => sql`coalesce(sum(f.${sql.ref(column)}), 0)::bigint as ${sql.ref(name)}`)
  const names = columns.map(([, name]) => name)
  return sql<Answer>`
    select ${keyOf(of)} as key, ${listed('g', names)}
    from (select ${sql.join([...group.map((name) => sql.ref(`f.${name}`)), ...sums])} ${from} ${groupedBy(group)}) g`
}

function rideQuery(measures: readonly Measure[], of: Buckets, tables: FigureTables): RawBuilder<Answer> {
  const ofModels = of.models === undefined ? sql`` : sql`and f.value = any (${of.models}::text[])`
  return summed(
    of,
    measures.map((name) => [rideMeasures[name as keyof typeof rideMeasures], name]),
    sql`from ${tables.rides(of.grain, of)} f
      where ${inReach(of)}
        and f.cut = ${cutOf(of)} and ${inDays(of)} ${untilHour(of)} ${ofModels}`,
  )
}

function moneyColumn(name: Measure): RawBuilder<unknown> {
  const { accounts, side, kinds, except } = moneyMeasures[name as keyof typeof moneyMeasures] as MoneyMeasureRow
  const amounts: Readonly<Record<MoneyMeasureRow['side'], RawBuilder<unknown>>> = {
    credit_net: sql`g.credit_cents - g.debit_cents`,
    debit_net: sql`g.debit_cents - g.credit_cents`,
    credit: sql`g.credit_cents`,
    debit: sql`g.debit_cents`,
    credits: sql`g.credits`,
    debits: sql`g.debits`,
  }
  const ofKinds = kinds === undefined ? sql`` : sql`and g.kind = any (${kinds}::text[])`
  const notOf = except === undefined ? sql`` : sql`and g.kind <> all (${except}::text[])`
  return sql`coalesce(sum(${amounts[side]}) filter (where g.account = any (${accounts}::text[]) ${ofKinds} ${notOf}), 0)::bigint
    as ${sql.ref(name)}`
}

/**
 * First by account and kind, so that what a figure is made of is looked at once for each and not for every row. Days are put
 * together as they are stored, their text is made of what that leaves.
 */
function moneyQuery(measures: readonly Measure[], of: Buckets, tables: FigureTables): RawBuilder<Answer> {
  const accounts = [
    ...new Set(measures.flatMap((name) => moneyMeasures[name as keyof typeof moneyMeasures].accounts as string[])),
  ]
  const ofCompany = of.hasOfCompany ? sql`f.area_id is null or` : sql``
  const ofChannels = of.channels === undefined ? sql`` : sql`and f.channel = any (${of.channels}::text[])`
  const ofCards = of.cardKind === undefined ? sql`` : sql`and f.card_kind = ${of.cardKind}`
  const group = [...groupOf(of), 'account', 'kind']
  return sql<Answer>`
    select ${keyOf(of)} as key, ${sql.join(measures.map(moneyColumn))}
    from (
      select ${listed('f', group)}, sum(f.credits) as credits, sum(f.debits) as debits, sum(f.credit_cents) as credit_cents,
        sum(f.debit_cents) as debit_cents
      from ${tables.money(of.grain, of, accounts)} f
      where ${of.level === 'most' ? sql`true` : sql`f.agent_id = any (${of.agentIds}::bigint[])`}
        ${of.level === 'areas' ? sql`and (${ofCompany} f.area_id = any (${of.areaIds}::bigint[]))` : sql``}
        and f.account = any (${accounts}::text[]) and ${inDays(of)} ${untilHour(of)} ${ofChannels} ${ofCards}
      ${groupedBy(group)}
    ) g
    group by ${of.by === 'day' ? sql`g.day` : sql`1`}`
}

/** Vehicles are counted once a day: a part of a day has all of them. */
function fleetQuery(measures: readonly Measure[], of: Buckets): RawBuilder<Answer> {
  return summed(
    of,
    measures.map((name) => [fleetMeasures[name as keyof typeof fleetMeasures], name]),
    sql`from ${fleetTable(of)} f where ${inReach(of)} and ${inDays(of)}`,
  )
}

function fleetTable(of: Buckets): RawBuilder<unknown> {
  if (of.level === 'most') return sql`report_fleet_rest_day(${reachOf(of)}, ${daysOf(of)})`
  return sql.table(of.level === 'company' ? 'report_fleet_company_day' : 'fleet_day')
}

/** Vehicles at the beginning of each hour; the hour belongs to the day of the company's calendar. */
function supplyQuery(measures: readonly Measure[], of: Buckets): RawBuilder<Answer> {
  return summed(
    of,
    measures.map((name) => [supplyMeasures[name as keyof typeof supplyMeasures], name]),
    sql`from (
        select h.*, report_day(h.hour, c.zone, c.day_starts_at) as day
        from fleet_hour h left join report_calendar c on c.agent_id = h.agent_id
        where ${of.level === 'company' ? sql`` : sql`h.area_id = any (${of.areaIds}::bigint[]) and`}
          h.agent_id = any (${of.agentIds}::bigint[])
          and h.hour >= ${of.from}::date - 2 and h.hour < ${of.to}::date + 2
      ) f
      where ${inDays(of)} ${untilHour(of)}`,
  )
}

/** The statements that add up measures of orders, money and vehicle-hours: one for each. */
export function sumQueries(measures: readonly Measure[], of: Buckets, tables = rollupTables): RawBuilder<Answer>[] {
  const bySource = Map.groupBy(new Set(measures), sourceOf)
  const [rides = [], money = [], supply = []] = [bySource.get('rides'), bySource.get('money'), bySource.get('supply')]
  // What areas left out have posted in an hour would be found among what all others have: their index has the company.
  const ofMoney: Buckets = of.level === 'most' && of.grain === 'hour' ? { ...of, level: 'areas' } : of
  return [
    ...(rides.length > 0 ? [rideQuery(rides, of, tables)] : []),
    ...(money.length > 0 ? [moneyQuery(money, ofMoney, tables)] : []),
    ...(supply.length > 0 ? [supplyQuery(supply, of)] : []),
  ]
}

/** Of companies as a whole only these are kept. */
const wholeFleet: ReadonlySet<Measure> = new Set(['vehicleDays', 'riddenVehicleDays'])

/** The fleet's figures are kept by area and day. */
export function fleetQueries(measures: readonly Measure[], of: Buckets): RawBuilder<Answer>[] {
  const own = measures.filter((name) => sourceOf(name) === 'fleet')
  const level = own.every((name) => wholeFleet.has(name)) ? of.level : 'areas'
  return own.length > 0 ? [fleetQuery(own, { ...of, level })] : []
}

const companyRow = rowsOf(rowOf('report_company', 'w', ['agent_id', 'area_ids']))
export type CompanyAreas = RowOf<typeof companyRow>

/** Companies with the areas that their figures are made of. */
export const selectAreasOfCompanies = ({ agentIds }: Pick<Buckets, 'agentIds'>) =>
  companyRow.select`from report_company w where w.agent_id = any (${agentIds}::bigint[])`

/** Adds the answer of a statement to sums. */
export function addSums(sums: Sums, rows: readonly Answer[]): void {
  for (const row of rows) {
    let known: Record<string, number> | undefined = sums.get(row.key)
    if (known === undefined) {
      known = {}
      sums.set(row.key, known)
    }
    addTo(known, row)
  }
}

/** Adds every value of `row` but its key, without a copy: that would take longer than the sums. */
function addTo(known: Record<string, number>, row: Readonly<Record<string, number | string>>): void {
  for (const name of Object.keys(row)) if (name !== 'key') known[name] = (known[name] ?? 0) + Number(row[name])
}

/** What several sums add up to. */
export function addedUp(sums: Iterable<SumsOfKey>): SumsOfKey {
  const all: Record<string, number> = {}
  for (const values of sums) addTo(all, values)
  return all
}

const modelRow = rowOfValues({ model: computed('text', sql`m.value`) })

/** Models with orders, those with the most rides first. */
export const selectModels = ({ agentIds, areaIds }: Pick<Scope, 'agentIds' | 'areaIds'>) =>
  modelRow.select`
    from (
      select f.value, sum(f.rides) as rides from report_ride_month f
      where f.agent_id = any (${agentIds}::bigint[]) and f.area_id = any (${areaIds}::bigint[]) and f.cut = 'model'
      group by f.value order by 2 desc, 1 limit ${reportModelsMax}
    ) m order by m.rides desc, m.value`

const areaNames = rowsOf(rowOf('service_area', 'a', ['id', 'name']))
const companyNames = rowsOf(rowOf('agent', 'a', ['id', 'company as name']))

export const selectAreaNames = (areaIds: readonly number[], agentIds: readonly number[]) =>
  areaNames.select`from service_area a where a.id = any (${areaIds}::bigint[]) and a.agent_id = any (${agentIds}::bigint[])`
export const selectCompanyNames = (agentIds: readonly number[]) =>
  companyNames.select`from agent a where a.id = any (${agentIds}::bigint[])`

const boundRow = rowOfValues({
  day: computed('text', sql`to_char(d.day, 'YYYY-MM-DD')`),
  at: computed(
    'timestamptz',
    sql`(d.day + coalesce(c.day_starts_at, 0) * interval '1 hour') at time zone coalesce(c.zone, 'Asia/Shanghai')`,
  ),
})

/** When days of a company's calendar begin. */
export const selectDayStarts = ({ agentId, days }: { readonly agentId: number; readonly days: readonly string[] }) =>
  boundRow.select`
    from unnest(${days}::date[]) as d (day) left join report_calendar c on c.agent_id = ${agentId}`

const nowRow = rowOfValues({
  today: computed('text', sql`to_char(report_day(n.at, c.zone, c.day_starts_at), 'YYYY-MM-DD')`),
  hour: computed('timestamptz', sql`date_trunc('hour', n.at, 'UTC')`),
  /** The moment before which every change is in the figures; null until the job has run. */
  fresh_at: computed('timestamptz?', sql`(select f.at from report_fresh f)`),
})

/** Today and the hour that has begun, by a company's calendar, and how fresh figures are. */
export const selectNow = ({ agentId, at }: { readonly agentId: number; readonly at: Date }) =>
  nowRow.select`from (select ${at}::timestamptz as at) n left join report_calendar c on c.agent_id = ${agentId}`

const freshRow = rowOf('report_fresh', 'f', ['at'])

/** The same moment alone. */
export const selectFresh = freshRow.select`from report_fresh f`
