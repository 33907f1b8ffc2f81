import { sql } from 'kysely'
import { dayMs } from '@saddle/contract/time.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'

const orderLineRow = rowsOf(
  rowOf('order_line', 'l', ['day']),
  rowOfValues({ cents: computed('bigint', sql`sum(l.amount_cents)`) }),
).filled('day')

/**
 * What a rider was charged for riding in an area on the days that a ride beginning now may touch, by the rides that
 * began before it: the cap of a day counts them together.
 */
export function spentBefore(options: { riderId: number; areaId: number; startedAt: number }) {
  const { riderId, areaId, startedAt } = options
  const since = new Date(startedAt - 8 * dayMs)
  return orderLineRow.select`
    from ride_order o join order_line l on l.order_id = o.id
    where o.rider_id = ${riderId} and o.area_id = ${areaId} and o.placed_at >= ${since}
      and o.placed_at <= ${new Date(startedAt)} and o.started_at < ${new Date(startedAt)}
      and l.day is not null
    group by l.day`
}
