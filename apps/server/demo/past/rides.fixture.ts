import { type Kysely, sql } from 'kysely'
import { minuteMs } from '@saddle/contract/time.ts'
import type { DB } from '#kit/db/types.ts'

interface PastRide {
  readonly riderId: number
  readonly endedAt: number
}

/** Rides of the past as benefits of that time see them. */
export const pastRide = (agentId: number, { riderId, endedAt }: PastRide) => ({
  agentId,
  riderId,
  areaId: 1,
  startedAt: endedAt - 20 * minuteMs,
  endedAt,
})

/** Paid orders of these rides with a vehicle of the company. Resolves to their ids, in the order of the rides. */
export async function insertPastRides(
  owner: Kysely<DB>,
  agentId: number,
  rides: readonly PastRide[],
  chargedCents: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into ride_order (agent_id, area_id, vehicle_id, vehicle_number, rider_id, state, placed_at, started_at, ended_at,
      distance_m, price_version_id, return_kind, charged_cents, changed_at)
    select ${agentId}, v.area_id, v.id, v.number, n.rider_id, 'paid', n.at - interval '1 hour', n.at - interval '20 minutes',
      n.at, 2000, v.price_id, 'in_place', ${chargedCents}, n.at
    from unnest(${rides.map(({ riderId }) => riderId)}::bigint[],
      ${rides.map(({ endedAt }) => new Date(endedAt))}::timestamptz[]) with ordinality as n (rider_id, at, place)
    cross join (
      select v.id, v.number, v.area_id, p.id as price_id from vehicle v join price_version p on p.area_id = v.area_id
      where v.agent_id = ${agentId} order by v.id, p.id limit 1
    ) v
    order by n.place returning id`.execute(owner)
  return rows.map(({ id }) => id)
}
