import { sql, type RawBuilder } from 'kysely'
import { orderCells, orderCountMax, type OrderFilter } from '@saddle/contract/riding/orders.ts'
import { countRow, rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { within } from '#kit/db/within.ts'
import type { OrderCursor } from './rules.ts'

/** Index runs that one statement may join: beyond it the list is read by time, over all areas. */
const runsMax = 4_096
/** Areas whose runs are joined where nothing but the area and the time is asked for. */
const areaRunsMax = 200
/** Rows that joined runs may hand over to be sorted: long pages of many areas are read by time too. */
const joinedRowsMax = 100_000

export type OrderSearch = {
  readonly filter: OrderFilter
  /** The filter's phone, looked up; absent: no phone was asked for. */
  readonly riderIds?: readonly number[] | undefined
  /** The filter's number, read; absent: none was asked for. */
  readonly orderId?: number | undefined
  readonly after: OrderCursor | null
  readonly limit: number
  readonly scope: Scope
}

export type OrderRow = {
  id: number
  agent_id: number
  company: string
  area_id: number
  area_name: string
  vehicle_id: number
  vehicle_number: string
  rider_id: number
  phone_sealed: string
  phone_hash: string
  name_sealed: string | null
  state: string
  placed_at: Date
  started_at: Date | null
  ended_at: Date | null
  changed_at: Date
  trip_id: number | null
  start_lat: number | null
  start_lng: number | null
  end_lat: number | null
  end_lng: number | null
  distance_m: number | null
  price_version_id: number | null
  benefits: unknown
  return_kind: string | null
  charged_cents: number | null
  refunded_cents: number
  failure: string | null
}

const columns = sql`o.id, o.agent_id, agent.company, o.area_id, service_area.name as area_name, o.vehicle_id,
  o.vehicle_number, o.rider_id, rider.phone_sealed, rider.phone_hash, rider.name_sealed, o.state, o.placed_at,
  o.started_at, o.ended_at, o.changed_at, o.trip_id, o.start_lat, o.start_lng, o.end_lat, o.end_lng, o.distance_m,
  o.price_version_id, o.benefits, o.return_kind, o.charged_cents, o.refunded_cents, o.failure`
const names = sql`join agent on agent.id = o.agent_id join service_area on service_area.id = o.area_id
  join rider on rider.id = o.rider_id`

/** Orders that meet the conditions, newest first, one page of them. */
export function selectOrders(search: OrderSearch) {
  return sql<OrderRow>`
    select ${columns}
    from (select f.id, f.placed_at from (${found(search)}) f order by f.placed_at desc, f.id desc limit ${search.limit}) p
    join ride_order o on o.id = p.id ${names}
    order by p.placed_at desc, p.id desc`
}

/** How many meet the conditions, up to one more than is told. */
export function countOrders(search: Omit<OrderSearch, 'after' | 'limit'>) {
  const limit = orderCountMax + 1
  return countRow.select`from (select from (${found({ ...search, after: null, limit })}) f limit ${limit}) c`
}

export function selectOrder({ id, scope }: { id: number; scope: Scope }) {
  return sql<OrderRow>`select ${columns} from ride_order o ${names} where o.id = ${id} and ${within('o', scope)}`
}

/**
 * Ids and times of what fits, as sorted runs of one index each: by rider, vehicle or number where one is given, else by
 * area and cell. A run is read no further than the page (or the count) needs, so the cost does not grow with the table.
 */
function found(search: OrderSearch): RawBuilder<unknown> {
  const { filter, riderIds, orderId, scope, limit } = search
  const areas = areasOf(search)
  const cells = orderCells(filter)
  const inCells = cells === null ? sql`` : sql`and o.cell = any (${cells}::smallint[])`
  const inAreas = sql`o.agent_id = any (${scope.agentIds}::bigint[]) and o.area_id = any (${areas}::bigint[])`
  const span = spanOf(search)
  const run = (conditions: RawBuilder<unknown>) => sql`
    select o.id, o.placed_at from ride_order o where ${conditions} ${span}
    order by o.placed_at desc, o.id desc limit ${limit}`
  const narrowed = [
    ...(orderId === undefined ? [] : [sql`o.id = ${orderId}`]),
    ...(riderIds === undefined ? [] : [sql`o.rider_id = any (${riderIds}::bigint[])`]),
    ...(filter.vehicleNumber === undefined ? [] : [sql`o.vehicle_number = ${filter.vehicleNumber.toUpperCase()}`]),
  ]
  if (narrowed.length > 0) return run(sql`${sql.join(narrowed, sql` and `)} and ${inAreas} ${inCells}`)
  const ofAgents = sql`o.agent_id = any (${scope.agentIds}::bigint[])`
  if (cells === null) {
    if (areas.length > areaRunsMax || areas.length * limit > joinedRowsMax) return run(inAreas)
    return sql`
      select r.id, r.placed_at from unnest(${areas}::bigint[]) a (id)
      cross join lateral (${run(sql`o.area_id = a.id and ${ofAgents}`)}) r`
  }
  if (areas.length * cells.length > runsMax) {
    return sql`
      select r.id, r.placed_at from unnest(${cells}::smallint[]) c (cell)
      cross join lateral (${run(sql`o.cell = c.cell and ${inAreas}`)}) r`
  }
  return sql`
    select r.id, r.placed_at from unnest(${areas}::bigint[]) a (id) cross join unnest(${cells}::smallint[]) c (cell)
    cross join lateral (${run(sql`o.area_id = a.id and o.cell = c.cell and ${ofAgents}`)}) r`
}

function areasOf({ filter, scope }: OrderSearch): readonly number[] {
  if (filter.areaIds === undefined) return scope.areaIds
  const wanted = new Set(filter.areaIds)
  return scope.areaIds.filter((id) => wanted.has(id))
}

function spanOf({ filter, after }: OrderSearch): RawBuilder<unknown> {
  const { from, to } = filter
  return sql.join(
    [
      ...(from === undefined ? [] : [sql`and o.placed_at >= ${new Date(from)}`]),
      ...(to === undefined ? [] : [sql`and o.placed_at < ${new Date(to)}`]),
      ...(after === null ? [] : [sql`and (o.placed_at, o.id) < (${new Date(after.placedAt)}, ${after.id})`]),
    ],
    sql` `,
  )
}

const lineRow = rowOf('order_line', 'l', ['n', 'code', 'reason', 'day', 'quantity', 'unit_cents', 'amount_cents'])
export type LineRow = RowOf<typeof lineRow>

export function selectLines({ orderId, scope }: { orderId: number; scope: Scope }) {
  return lineRow.select`
    from order_line l
    where l.order_id = ${orderId} and ${within('l', scope)} order by l.n`
}

const checkRow = rowOf('return_check', 'c', [
  'id',
  'checked_at',
  'lat',
  'lng',
  'kind',
  'fence_name',
  'fence_version',
  'distance_m',
  'accepted',
])
export type CheckRow = RowOf<typeof checkRow>

const checksMax = 50

export function selectChecks({ orderId, scope }: { orderId: number; scope: Scope }) {
  return checkRow.select`
    from return_check c where c.order_id = ${orderId} and ${within('c', scope)} order by c.id limit ${checksMax}`
}

const reviewRow = rowOf('return_review', 'w', [
  'order_id',
  'opened_at',
  'cause',
  'claim',
  'fee_cents',
  'state',
  'decided_at',
  'decided_by',
  'note',
])
export type ReviewRow = RowOf<typeof reviewRow>

export function selectReview({ orderId, scope }: { orderId: number; scope: Scope }) {
  return reviewRow.select`
    from return_review w where w.order_id = ${orderId} and ${within('w', scope)}`
}
