import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

/** The subject of a ticket: at least one of the three. */
export type Subject = {
  readonly agentId: number
  readonly areaId: number | null
  readonly riderId: number | null
  readonly orderId: number | null
  readonly vehicle: { readonly id: number; readonly number: string } | null
}

const rideOrderRow = rowOf('ride_order', 'o', ['agent_id', 'area_id', 'rider_id', 'vehicle_id', 'vehicle_number'])

/** The order as a subject: its own rider, vehicle and area. Throws not_found outside the scope. */
export async function orderSubject(tx: Tx, { orderId, scope }: { orderId: number; scope: Scope }): Promise<Subject> {
  const { rows } = await rideOrderRow.select`
    from ride_order o
    where o.id = ${orderId} and o.agent_id = any (${scope.agentIds}::bigint[])
      and o.area_id = any (${scope.areaIds}::bigint[])`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return {
    agentId: row.agent_id,
    areaId: row.area_id,
    riderId: row.rider_id,
    orderId,
    vehicle: { id: row.vehicle_id, number: row.vehicle_number },
  }
}

const vehicleRow = rowOf('vehicle', 'v', ['id', 'number', 'agent_id', 'area_id'])

/** Throws vehicle_not_found outside the scope. */
export async function vehicleSubject(tx: Tx, { number, scope }: { number: string; scope: Scope }): Promise<Subject> {
  const { rows } = await vehicleRow.select`
    from vehicle v
    where v.number = ${number.toUpperCase()} and v.agent_id = any (${scope.agentIds}::bigint[])
      and v.area_id = any (${scope.areaIds}::bigint[])`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('vehicle_not_found')
  const vehicle = { id: row.id, number: row.number }
  return { agentId: row.agent_id, areaId: row.area_id, riderId: null, orderId: null, vehicle }
}

/**
 * A rider alone, with the company that they were a customer of last; null when there is none. Rides decide whose ticket
 * it is: the area of the scope where they rode last. Without rides the ticket belongs to the company, as the rider does.
 */
export async function riderSubject(
  tx: Tx,
  { riderIds, scope }: { riderIds: readonly number[]; scope: Scope },
): Promise<Subject | null> {
  const { rows } = await rowsOf(
    rowOf('rider', 'r', ['id', 'agent_id']),
    rowOfValues({
      area_id: computed(
        'bigint?',
        sql`(
      select o.area_id from ride_order o
      where o.rider_id = r.id and o.agent_id = r.agent_id and o.area_id = any (${scope.areaIds}::bigint[])
      order by o.placed_at desc, o.id desc limit 1)`,
      ),
    }),
  ).select`
    from rider r where r.id = any (${riderIds}::bigint[]) order by r.last_active_at desc, r.id desc limit 1`.execute(tx)
  const [row] = rows
  if (row === undefined) return null
  return { agentId: row.agent_id, areaId: row.area_id, riderId: row.id, orderId: null, vehicle: null }
}

const serviceAreaRow = rowOf('service_area', 'a', ['id'])

/** The areas of companies: a rider app is limited to companies, not to areas. */
export async function scopeOfAgents(tx: Tx, agentIds: readonly number[]): Promise<Scope> {
  const { rows } =
    await serviceAreaRow.select`from service_area a where a.agent_id = any (${agentIds}::bigint[])`.execute(tx)
  return { agentIds, areaIds: rows.map(({ id }) => id), operatorId: null }
}
