import { sql, type Kysely, type RawBuilder } from 'kysely'
import { deviceProtocols } from '@saddle/contract/fleet/protocols.ts'
import type { vehicleList, VehicleFilter, VehicleRow, VehicleSort } from '@saddle/contract/fleet/search.ts'
import { vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import { taskKinds } from '@saddle/contract/operations/taskWords.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { computed, countRow, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { DB } from '#kit/db/types.ts'
import { startsWith } from '#kit/db/startsWith.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import {
  countedState,
  idleSince,
  idleSinceCondition,
  isHeard,
  lowBatteryCondition,
  offlineCondition,
  offlineMinutes,
  onlineCondition,
} from '../states/counted.ts'
import { lowBattery, openAlarms, openTasks } from '../vehicles/waiting.ts'
import { codeOf } from '#kit/codes.ts'
import type { CountedRows, ListQuery } from '#kit/list/serveList.ts'

/** What the statements need beside the filter. */
export interface SearchParams {
  /** The ids that match the filter's keyword, if there are few; without it each vehicle is checked. */
  readonly namedIds: readonly number[] | undefined
  readonly nowMs: number
}
type Query = ListQuery<typeof vehicleList, SearchParams>
type Search = Pick<Query, 'filter' | 'params' | 'scope'>

const vehicleRow = rowsOf(
  rowOf('vehicle', 'v', ['id', 'number', 'model', 'protocol', 'agent_id', 'area_id', 'state']).codes({
    protocol: deviceProtocols,
    state: vehicleStates,
  }),
  rowOf('device', 'd', ['imei', 'firmware']),
  rowOf('agent', 'agent', ['company']),
  rowOf('service_area', 'service_area', ['name as area_name']),
  rowOf('vehicle_status', 's', ['locked', 'battery_percent', 'signal', 'lat', 'lng', 'heard_at']),
  rowOfValues({
    idle_since: computed('timestamptz', idleSince),
    offline_minutes: computed('integer', offlineMinutes),
    low_battery: lowBattery,
    open_alarms: openAlarms,
    open_tasks: openTasks,
    // As text, for any sort: a float8 is written so that it reads back as the same number.
    sort_value: computed('text', sql`p.sort_value`),
  }),
)
export type VehicleSearchRow = RowOf<typeof vehicleRow>

/** Everything has a place in the order: unknown batteries before empty ones, the never heard before all others. */
const sortValues: Readonly<Record<VehicleSort, readonly [kind: 'text' | 'decimal', value: RawBuilder<unknown>]>> = {
  number: ['text', sql`v.number collate "C"`],
  state: ['text', sql`v.state collate "C"`],
  battery: ['decimal', sql`coalesce(s.battery_percent, -1)::float8`],
  idle: ['decimal', sql`extract(epoch from ${idleSince})::float8`],
  heard: ['decimal', sql`coalesce(extract(epoch from s.heard_at), 0)::float8`],
}

/**
 * The statements of the list of vehicles. Conditions and order are found on the narrow tables first; names, alarms and tasks
 * are looked up for the rows of the page alone.
 */
export const vehicleRows: CountedRows<typeof vehicleList, SearchParams, VehicleSearchRow> = {
  keys: {
    number: [sortValues.number[0], 'id'],
    state: [sortValues.state[0], 'id'],
    battery: [sortValues.battery[0], 'id'],
    idle: [sortValues.idle[0], 'id'],
    heard: [sortValues.heard[0], 'id'],
  },
  select: (query) => {
    const { sort, after, limit } = query
    const [kind, value] = sortValues[sort]
    const direction = sql.raw(query.direction)
    const beyond = sql.raw(query.direction === 'asc' ? '>' : '<')
    const type = sql.raw(kind === 'text' ? 'text' : 'float8')
    const start = after === null ? sql`` : sql`and (${value}, v.id) ${beyond} (${after[0]}::${type}, ${after[1]})`
    return vehicleRow.select`
      from (
        select v.id, ${value} as sort_value ${fromVehicles(query, sort)} ${start}
        order by ${value} ${direction}, v.id ${direction} limit ${limit}
      ) p
      join vehicle v on v.id = p.id
      join vehicle_status s on s.vehicle_id = p.id
      join device d on d.vehicle_id = p.id
      join agent on agent.id = v.agent_id
      join service_area on service_area.id = v.area_id
      order by p.sort_value ${direction}, p.id ${direction}`
  },
  count: (query) => countRow.select`from (select ${fromVehicles(query)} limit ${query.limit}) found`,
  cursorOf: ({ id, sort_value }, sort) => [sortValues[sort][0] === 'text' ? sort_value : Number(sort_value), id],
}

export function presentVehicle(row: VehicleSearchRow, nowMs: number): VehicleRow {
  const {
    lat,
    lng,
    idleSince: idleSinceMs,
    openTasks,
    offlineMinutes: minutes,
    sortValue: _sortValue,
    ...shown
  } = vehicleRow.present(row)
  return {
    ...shown,
    online: isHeard(shown.heardAt, minutes, nowMs),
    position: lat === null || lng === null ? null : { lat, lng },
    idleSince: shown.state === 'on_trip' ? null : idleSinceMs,
    openTasks: openTasks.map((kind) => codeOf(taskKinds, kind)),
  }
}

const vehicleId = rowOf('vehicle', 'v', ['id'])

/** Ids alone, lowest first. */
export function selectIds({ limit, ...search }: Search & { readonly limit: number }) {
  return vehicleId.select`${fromVehicles(search)} order by v.id limit ${limit}`
}

/** What is known of the status, of the device: where nothing of it is asked, a vehicle's row is enough. */
const statusConditions = [
  'states',
  'batteryFrom',
  'batteryTo',
  'lowBattery',
  'signalFrom',
  'signalTo',
  'silentHoursFrom',
  'silentHoursTo',
  'online',
  'locked',
] as const
const statusSorts: ReadonlySet<VehicleSort> = new Set<VehicleSort>(['battery', 'heard'])

function fromVehicles({ filter, params, scope }: Search, sort?: VehicleSort): RawBuilder<unknown> {
  const asksStatus = statusConditions.some((name) => filter[name] !== undefined)
  const status =
    asksStatus || (sort !== undefined && statusSorts.has(sort))
      ? sql`join vehicle_status s on s.vehicle_id = v.id`
      : sql``
  const device = filter.firmwares === undefined ? sql`` : sql`join device d on d.vehicle_id = v.id`
  const conditions = [tenantFilter('v', scope), ...belonging(filter, params), ...condition(filter, params.nowMs)]
  return sql`from vehicle v ${status} ${device} where ${sql.join(conditions, sql` and `)}`
}

const oneOf = (column: RawBuilder<unknown>, values: readonly unknown[] | undefined, type: string) =>
  values === undefined ? [] : [sql`${column} = any (${values}::${sql.raw(type)}[])`]

function belonging(filter: VehicleFilter, { namedIds, nowMs }: SearchParams): RawBuilder<unknown>[] {
  const { keyword } = filter
  return [
    ...oneOf(sql`v.id`, filter.vehicleIds, 'bigint'),
    ...oneOf(sql`v.agent_id`, filter.agentIds, 'bigint'),
    ...oneOf(sql`v.area_id`, filter.areaIds, 'bigint'),
    ...oneOf(countedState(nowMs), filter.states, 'text'),
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
  const tails =
    tail === null ? sql`` : sql`union select v.id from vehicle v where ${tail} and ${tenantFilter('v', scope)}`
  return idRow.select`
    from (
      select v.id from vehicle v where ${number} and ${tenantFilter('v', scope)}
      union select d.vehicle_id from device d where ${imei} and ${tenantFilter('d', scope)} ${tails}
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
  if (filter.lowBattery !== undefined) {
    found.push(filter.lowBattery ? lowBatteryCondition : sql`${lowBatteryCondition} is not true`)
  }
  if (filter.signalFrom !== undefined) found.push(sql`s.signal >= ${filter.signalFrom}`)
  if (signalTo !== undefined) found.push(sql`s.signal <= ${signalTo}`)
  // Who is being ridden does not stand idle, however long ago the last ride began.
  if (idleHoursFrom !== undefined) found.push(idleSinceCondition(hoursAgo(idleHoursFrom)))
  if (idleHoursTo !== undefined) found.push(sql`v.state <> 'on_trip' and ${idleSince} >= ${hoursAgo(idleHoursTo)}`)
  if (silentHoursFrom !== undefined) {
    found.push(sql`(s.heard_at is null or s.heard_at <= ${hoursAgo(silentHoursFrom)})`)
  }
  if (filter.silentHoursTo !== undefined) found.push(sql`s.heard_at >= ${hoursAgo(filter.silentHoursTo)}`)
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
