import type { Kit } from '#kit/kit.ts'
import { rowOf } from '#kit/db/rows.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { RiderEvents } from '#rider/public.ts'

const rideOrderRow = rowOf('ride_order', 'o', ['id', 'vehicle_number', 'state', 'placed_at', 'charged_cents'])

/** The rides of a rider as moments of their life: each with the vehicle, what became of it, and what it cost. */
export const createRideEvents =
  ({ db }: Pick<Kit, 'db'>): RiderEvents =>
  async (scope, { riderId, before, limit }) => {
    const rows = await db.read(scope, (k) =>
      rideOrderRow.select`
        from ride_order o
        where o.rider_id = ${riderId} and o.placed_at < ${new Date(before)} and ${tenantFilter('o', scope)}
        order by o.placed_at desc, o.id desc limit ${limit}`.compile(k),
    )
    return rows.map((row) => ({
      at: row.placed_at.getTime(),
      kind: 'ride',
      code: row.state,
      text: row.vehicle_number,
      cents: row.charged_cents,
      by: null,
      aboutId: row.id,
    }))
  }
