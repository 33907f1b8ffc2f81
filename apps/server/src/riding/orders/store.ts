import { sql } from 'kysely'
import { orderCells, orderList, orderStates } from '@saddle/contract/riding/orders.ts'
import { bearers } from '@saddle/contract/riding/benefits.ts'
import { chargeCodes, returnKinds } from '@saddle/contract/riding/price.ts'
import { reviewCauses, reviewStates } from '@saddle/contract/riding/returns.ts'
import { rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { runsMax, spanOf, tableList } from '#kit/list/tableList.ts'
import { readOrderNumber } from './rules.ts'

const orderRow = rowsOf(
  rowOf('ride_order', 'o', [
    'id',
    'agent_id',
    'area_id',
    'vehicle_id',
    'vehicle_number',
    'rider_id',
    'state',
    'placed_at',
    'started_at',
    'ended_at',
    'changed_at',
    'trip_id',
    'start_lat',
    'start_lng',
    'end_lat',
    'end_lng',
    'distance_m',
    'price_version_id',
    'benefits',
    'skipped_benefits',
    'return_kind',
    'charged_cents',
    'refunded_cents',
    'failure',
  ]).codes({ state: orderStates, return_kind: returnKinds }),
  rowOf('agent', 'agent', ['company']),
  rowOf('service_area', 'service_area', ['name as area_name']),
  rowOf('rider', 'rider', ['phone_sealed', 'phone_hash', 'name_sealed']),
)
export type OrderRow = RowOf<typeof orderRow>
const joins = sql`join agent on agent.id = o.agent_id join service_area on service_area.id = o.area_id
  join rider on rider.id = o.rider_id`

/**
 * The cells that the filter overlaps are runs of an index. By amount there is no such index over all areas: where the runs
 * of the areas are too many, the index of amounts is read and the cells are filters of its rows.
 */
export const orderRows = tableList(orderList, {
  table: 'ride_order',
  alias: 'o',
  tenant: 'area',
  columns: orderRow,
  joins,
  sorts: { placed: ['placed_at', 'instant'], charged: ['amount_cents', 'whole'] },
  sums: { chargedCents: sql`o.amount_cents`, refundedCents: sql`o.refunded_cents` },
  find: (filter, { riderIds }: { readonly riderIds: readonly number[] | undefined }, { scope, sort }) => {
    const { number, vehicleNumber, areaIds, states, amountFromCents, amountBelowCents } = filter
    const cells = orderCells(filter)
    const areas = areaIds?.length ?? scope.areaIds.length
    const hasRuns = cells !== null && (sort === 'placed' || areas * cells.length <= runsMax)
    return {
      areaIds,
      ...(hasRuns && { runs: { column: 'cell', type: 'smallint', values: cells } }),
      narrowed: [
        ...numberOf(number),
        riderIds && sql`o.rider_id = any (${riderIds}::bigint[])`,
        vehicleNumber !== undefined && sql`o.vehicle_number = ${vehicleNumber.toUpperCase()}`,
      ],
      where: [
        ...spanOf('o.placed_at', filter),
        !hasRuns && states && sql`o.cell = any (${cells}::smallint[])`,
        amountFromCents !== undefined && sql`o.amount_cents >= ${amountFromCents}`,
        amountBelowCents !== undefined && sql`o.amount_cents < ${amountBelowCents}`,
      ],
    }
  },
})

function numberOf(number: string | undefined) {
  if (number === undefined) return []
  const named = readOrderNumber(number)
  return named === null ? [sql`false`] : [sql`o.id = ${named.id}`, ...spanOf('o.placed_at', named)]
}

export function selectOrder({ id, scope }: { id: number; scope: Scope }) {
  return orderRow.select`from ride_order o ${joins} where o.id = ${id} and ${tenantFilter('o', scope)}`
}

const lineRow = rowOf('order_line', 'l', [
  'n',
  'code',
  'reason',
  'day',
  'quantity',
  'unit_cents',
  'amount_cents',
  'benefit',
  'bearer',
]).codes({ code: chargeCodes, bearer: bearers })
export type LineRow = RowOf<typeof lineRow>

export function selectLines({ orderId, scope }: { orderId: number; scope: Scope }) {
  return lineRow.select`
    from order_line l where l.order_id = ${orderId} and ${tenantFilter('l', scope)} order by l.n`
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
]).codes({ kind: returnKinds })
export type CheckRow = RowOf<typeof checkRow>

const checksMax = 50

export function selectChecks({ orderId, scope }: { orderId: number; scope: Scope }) {
  return checkRow.select`
    from return_check c where c.order_id = ${orderId} and ${tenantFilter('c', scope)} order by c.id limit ${checksMax}`
}

export const reviewRow = rowOf('return_review', 'w', [
  'order_id',
  'opened_at',
  'cause',
  'claim',
  'fee_cents',
  'state',
  'decided_at',
  'decided_by',
  'note',
]).codes({ cause: reviewCauses, state: reviewStates })
export type ReviewRow = RowOf<typeof reviewRow>

export function selectReview({ orderId, scope }: { orderId: number; scope: Scope }) {
  return reviewRow.select`
    from return_review w where w.order_id = ${orderId} and ${tenantFilter('w', scope)}`
}

/** Shown as the contract writes them. */
export const presentLine = lineRow.present
export const presentReview = reviewRow.present
export const presentCheck = checkRow.present
export const presentOrder = orderRow.present
