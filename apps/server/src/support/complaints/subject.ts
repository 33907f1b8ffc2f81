import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'

/** What a ticket is about: at least one of the three. */
export type Subject = {
  readonly agentId: number
  readonly areaId: number | null
  readonly riderId: number | null
  readonly orderId: number | null
  readonly vehicle: { readonly id: number; readonly number: string } | null
}

/** The order as a subject: its own rider, vehicle and area. Throws not_found outside the scope. */
export async function orderSubject(tx: Tx, { orderId, scope }: { orderId: number; scope: Scope }): Promise<Subject> {
  const { rows } = await sql<{
    agent_id: number
    area_id: number
    rider_id: number
    vehicle_id: number
    vehicle_number: string
  }>`
    select o.agent_id, o.area_id, o.rider_id, o.vehicle_id, o.vehicle_number from ride_order o
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

/** Throws vehicle_not_found outside the scope. */
export async function vehicleSubject(tx: Tx, { number, scope }: { number: string; scope: Scope }): Promise<Subject> {
  const { rows } = await sql<{ id: number; number: string; agent_id: number; area_id: number }>`
    select v.id, v.number, v.agent_id, v.area_id from vehicle v
    where v.number = ${number.toUpperCase()} and v.agent_id = any (${scope.agentIds}::bigint[])
      and v.area_id = any (${scope.areaIds}::bigint[])`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('vehicle_not_found')
  const vehicle = { id: row.id, number: row.number }
  return { agentId: row.agent_id, areaId: row.area_id, riderId: null, orderId: null, vehicle }
}

/**
 * A rider alone, with the company that they were a customer of last; null where none of them is there. Rides tell whose
 * desk it is: the area of the scope where they rode last. Without any, the ticket is their company's, as the rider is.
 */
export async function riderSubject(
  tx: Tx,
  { riderIds, scope }: { riderIds: readonly number[]; scope: Scope },
): Promise<Subject | null> {
  const { rows } = await sql<{ id: number; agent_id: number; area_id: number | null }>`
    select r.id, r.agent_id, (
      select o.area_id from ride_order o
      where o.rider_id = r.id and o.agent_id = r.agent_id and o.area_id = any (${scope.areaIds}::bigint[])
      order by o.placed_at desc, o.id desc limit 1) as area_id
    from rider r where r.id = any (${riderIds}::bigint[]) order by r.last_active_at desc, r.id desc limit 1`.execute(tx)
  const [row] = rows
  if (row === undefined) return null
  return { agentId: row.agent_id, areaId: row.area_id, riderId: row.id, orderId: null, vehicle: null }
}

/** The areas of companies: an application of riders is held to companies, not to areas. */
export async function scopeOfAgents(tx: Tx, agentIds: readonly number[]): Promise<Scope> {
  const { rows } = await sql<{ id: number }>`
    select a.id from service_area a where a.agent_id = any (${agentIds}::bigint[])`.execute(tx)
  return { agentIds, areaIds: rows.map(({ id }) => id), operatorId: null }
}
