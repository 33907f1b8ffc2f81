import { sql, type Kysely, type RawBuilder } from 'kysely'
import { vehicleCountMax, type VehicleFilter, type VehicleSort } from '@saddle/contract/fleet/search.ts'
import type { TaskKind } from '@saddle/contract/operations/taskWords.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { computed, countRow, rowOfValues } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { DB } from '#kit/db/types.ts'
import { startsWith } from '#kit/db/startsWith.ts'
import { within } from '#kit/db/within.ts'
import { offlineCondition, onlineCondition } from '../states/offline.ts'
import type { SearchCursor } from './rules.ts'

export type Search = {
  readonly filter: VehicleFilter
  /** Whom the filter's keyword names, where they are few; without it each vehicle is asked. */
  readonly namedIds?: readonly number[] | undefined
  readonly sort: { readonly by: VehicleSort; readonly direction: 'asc' | 'desc' }
  readonly after: SearchCursor | null
  readonly limit: number
  readonly scope: Scope
  readonly nowMs: number
}

export type SearchRow = {
  id: number
  number: string
  imei: string
  model: string
  protocol: string
  firmware: string | null
  agent_id: number
  company: string
  area_id: number
  area_name: string
  state: string
  locked: boolean | null
  battery_percent: number | null
  signal: number | null
  lat: number | null
  lng: number | null
  heard_at: Date | null
  idle_since: Date
  alarms: string[]
  tasks: TaskKind[]
  sort_value: string | number
}

const idleSince = sql<Date>`coalesce(v.last_ride_at, v.created_at)`
/** Everything has a place in the order: unknown batteries before empty ones, the never heard before all others. */
const sortValues: Readonly<Record<VehicleSort, RawBuilder<unknown>>> = {
  number: sql`v.number collate "C"`,
  state: sql`v.state collate "C"`,
  battery: sql`coalesce(s.battery_percent, -1)::float8`,
  idle: sql`extract(epoch from ${idleSince})::float8`,
  heard: sql`coalesce(extract(epoch from s.heard_at), 0)::float8`,
}

/**
 * Vehicles that meet the conditions, one page of them. Conditions and order are found on the narrow tables first; names,
 * alarms and tasks are looked up for the rows of the page alone.
 */
export function selectPage(search: Search) {
  const { sort, after, limit } = search
  const value = sortValues[sort.by]
  const direction = sql.raw(sort.direction)
  const beyond = sql.raw(sort.direction === 'asc' ? '>' : '<')
  const type = sql.raw(sort.by === 'number' || sort.by === 'state' ? 'text' : 'float8')
  const start = after === null ? sql`` : sql`and (${value}, v.id) ${beyond} (${after.value}::${type}, ${after.id})`
  return sql<SearchRow>`
    select p.id, p.number, d.imei, v.model, v.protocol, d.firmware, v.agent_id, agent.company, v.area_id,
      service_area.name as area_name, v.state, s.locked, s.battery_percent, s.signal, s.lat, s.lng, s.heard_at,
      ${idleSince} as idle_since, p.sort_value,
      array(select a.kind from vehicle_alarm a where a.vehicle_id = p.id and a.closed_at is null order by a.id) as alarms,
      array(select t.kind from task t where t.vehicle_id = p.id and t.done_at is null order by t.id) as tasks
    from (
      select v.id, v.number, ${value} as sort_value ${fromVehicles(search, sort.by)} ${start}
      order by ${value} ${direction}, v.id ${direction} limit ${limit}
    ) p
    join vehicle v on v.id = p.id
    join vehicle_status s on s.vehicle_id = p.id
    join device d on d.vehicle_id = p.id
    join agent on agent.id = v.agent_id
    join service_area on service_area.id = v.area_id
    order by p.sort_value ${direction}, p.id ${direction}`
}

/** How many meet the conditions, up to one more than is told. */
export function selectCount(search: Omit<Search, 'after' | 'limit' | 'sort'>) {
  return countRow.select`from (select ${fromVehicles(search)} limit ${vehicleCountMax + 1}) found`
}

/** Ids alone, lowest first. */
export function selectIds(search: Omit<Search, 'after' | 'sort'>) {
  return sql<{ id: number }>`select v.id ${fromVehicles(search)} order by v.id limit ${search.limit}`
}

/** What is known of the status, of the device: where nothing of it is asked, a vehicle's row is enough. */
const statusConditions = ['batteryFrom', 'batteryTo', 'signalTo', 'silentHoursFrom', 'online', 'locked'] as const
const statusSorts: ReadonlySet<VehicleSort> = new Set<VehicleSort>(['battery', 'heard'])

function fromVehicles(
  search: Pick<Search, 'filter' | 'namedIds' | 'scope' | 'nowMs'>,
  sort?: VehicleSort,
): RawBuilder<unknown> {
  const { scope, filter } = search
  const asksStatus = statusConditions.some((name) => filter[name] !== undefined)
  const status =
    asksStatus || (sort !== undefined && statusSorts.has(sort))
      ? sql`join vehicle_status s on s.vehicle_id = v.id`
      : sql``
  const device = filter.firmwares === undefined ? sql`` : sql`join device d on d.vehicle_id = v.id`
  const conditions = [within('v', scope), ...belonging(search), ...condition(filter, search.nowMs)]
  return sql`from vehicle v ${status} ${device} where ${sql.join(conditions, sql` and `)}`
}

const oneOf = (column: RawBuilder<unknown>, values: readonly unknown[] | undefined, type: string) =>
  values === undefined ? [] : [sql`${column} = any (${values}::${sql.raw(type)}[])`]

function belonging({ filter, namedIds }: Pick<Search, 'filter' | 'namedIds'>): RawBuilder<unknown>[] {
  const { keyword } = filter
  return [
    ...oneOf(sql`v.id`, filter.vehicleIds, 'bigint'),
    ...oneOf(sql`v.agent_id`, filter.agentIds, 'bigint'),
    ...oneOf(sql`v.area_id`, filter.areaIds, 'bigint'),
    ...oneOf(sql`v.state`, filter.states, 'text'),
    ...oneOf(sql`v.model`, filter.models, 'text'),
    ...oneOf(sql`v.protocol`, filter.protocols, 'text'),
    ...oneOf(sql`d.firmware`, filter.firmwares, 'text'),
    ...(keyword === undefined || keyword === ''
      ? []
      : [namedIds === undefined ? isNamed(keyword) : sql`v.id = any (${namedIds}::bigint[])`]),
  ]
}

/** Up to so many that a keyword names are looked up first; of more, the pages of any order find enough on their way. */
export const namedMax = 5_000

const idRow = rowOfValues({ id: computed('bigint', sql`id`) })

/** The start of a number or an IMEI, or the last digits of a number: each has an index of its own. */
export function selectNamed(keyword: string, scope: Scope) {
  const { number, imei, tail } = namings(keyword)
  const tails = tail === null ? sql`` : sql`union select v.id from vehicle v where ${tail} and ${within('v', scope)}`
  return idRow.select`
    from (
      select v.id from vehicle v where ${number} and ${within('v', scope)}
      union select d.vehicle_id from device d where ${imei} and ${within('d', scope)} ${tails}
    ) named limit ${namedMax + 1}`
}

function isNamed(keyword: string): RawBuilder<unknown> {
  const { number, imei, tail } = namings(keyword)
  const tails = tail === null ? sql`` : sql`or ${tail}`
  return sql`(${number} or exists (select from device d where d.vehicle_id = v.id and ${imei}) ${tails})`
}

function namings(keyword: string) {
  const isTail = /^\d{3,6}$/.test(keyword)
  return {
    number: startsWith(sql`v.number`, keyword.toUpperCase()),
    imei: startsWith(sql`d.imei`, keyword),
    tail: isTail ? startsWith(sql`v.number_backwards`, backwards(keyword)) : null,
  }
}

const backwards = (digits: string): string => digits.split('').toReversed().join('')

function condition(filter: VehicleFilter, nowMs: number): RawBuilder<unknown>[] {
  const found: RawBuilder<unknown>[] = []
  const hoursAgo = (hours: number): Date => new Date(nowMs - hours * hourMs)
  const { batteryFrom, batteryTo, signalTo, idleHoursFrom, idleHoursTo, silentHoursFrom, online, locked } = filter
  if (batteryFrom !== undefined) found.push(sql`s.battery_percent >= ${batteryFrom}`)
  if (batteryTo !== undefined) found.push(sql`s.battery_percent <= ${batteryTo}`)
  if (signalTo !== undefined) found.push(sql`s.signal <= ${signalTo}`)
  // Who is being ridden does not stand idle, however long ago the last ride began.
  if (idleHoursFrom !== undefined) found.push(sql`v.state <> 'on_trip' and ${idleSince} <= ${hoursAgo(idleHoursFrom)}`)
  if (idleHoursTo !== undefined) found.push(sql`v.state <> 'on_trip' and ${idleSince} >= ${hoursAgo(idleHoursTo)}`)
  if (silentHoursFrom !== undefined) {
    found.push(sql`(s.heard_at is null or s.heard_at <= ${hoursAgo(silentHoursFrom)})`)
  }
  if (online !== undefined) found.push(online ? onlineCondition(nowMs) : offlineCondition(nowMs))
  if (locked !== undefined) found.push(sql`s.locked = ${locked}`)
  if (filter.alarms !== undefined) {
    const kinds = filter.alarms.length === 0 ? sql`` : sql`and a.kind = any (${filter.alarms}::text[])`
    found.push(sql`v.id in (select a.vehicle_id from vehicle_alarm a where a.closed_at is null ${kinds})`)
  }
  if (filter.tasks !== undefined) {
    const kinds = filter.tasks.length === 0 ? sql`` : sql`and t.kind = any (${filter.tasks}::text[])`
    found.push(sql`v.id in (select t.vehicle_id from task t where t.done_at is null ${kinds})`)
  }
  return found
}

const choicesMax = 200

/** Models, firmwares and kinds of open alarms that occur within the scope. */
export function selectChoices(kysely: Kysely<DB>, scope: Scope) {
  const inScope = sql`agent_id = any (${scope.agentIds}::bigint[]) and area_id = any (${scope.areaIds}::bigint[])`
  return rowOfValues({
    models: computed(
      'text[]',
      sql`array(select distinct model from vehicle where ${inScope} order by 1 limit ${choicesMax})`,
    ),
    firmwares: computed(
      'text[]',
      sql`array(select distinct firmware from device where ${inScope} and firmware is not null
        order by 1 limit ${choicesMax})`,
    ),
    alarms: computed(
      'text[]',
      sql`array(select distinct kind from vehicle_alarm where closed_at is null and ${inScope}
        order by 1 limit ${choicesMax})`,
    ),
  }).select`
    `.compile(kysely)
}
