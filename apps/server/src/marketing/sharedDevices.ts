import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'

/** Telephones of a rider that count, the latest; and riders on each of them. */
const devicesMax = 20
const sharersMax = 200

/** Rows `(device_hash, rider_id)`: the rider's telephones, and everybody of the company who was seen on them. */
export const ridersOnDevices = ({ agentId, riderId }: { agentId: number; riderId: number }): RawBuilder<unknown> => sql`
  (select d.device_hash, o.rider_id
    from (select device_hash from rider_device where rider_id = ${riderId} and agent_id = ${agentId}
      order by last_seen_at desc, id desc limit ${devicesMax}) d
    cross join lateral (
      select s.rider_id from rider_device s where s.device_hash = d.device_hash and s.agent_id = ${agentId}
      order by s.last_seen_at desc, s.id desc limit ${sharersMax}
    ) o)`

/**
 * Makes others who take of the same thing on one of the rider's telephones wait until the end of the transaction. Telephones
 * are locked in one order, after the rider and before what is taken.
 */
export async function lockDevices(
  tx: Tx,
  { of, agentId, riderId }: { of: string; agentId: number; riderId: number },
): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(k.key) from (
      select distinct hashtextextended(${`${of} `}::text || d.device_hash, 0) as key
      from (select device_hash from rider_device where rider_id = ${riderId} and agent_id = ${agentId}
        order by last_seen_at desc, id desc limit ${devicesMax}) d
      order by key
    ) k`.execute(tx)
}
