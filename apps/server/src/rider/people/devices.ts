import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'

export const devicePurpose = 'rider-device'

const devicesPerRiderMax = 50

interface EarlierDevice {
  readonly agentId: number
  readonly hash: string
  readonly earlier: readonly string[]
}

/** A telephone known under an earlier secret is hashed anew when it shows up, for all riders of the company that had it. */
async function rehashDevice(tx: Tx, of: EarlierDevice): Promise<void> {
  await sql`
    update rider_device d set device_hash = ${of.hash}
    where agent_id = ${of.agentId} and device_hash = any (${of.earlier}::text[])
      and not exists (select from rider_device o where o.rider_id = d.rider_id and o.device_hash = ${of.hash})`.execute(
    tx,
  )
}

/** Notes the telephone; a rider with very many of them keeps those that were used last. */
export async function upsertDevice(
  tx: Tx,
  device: {
    readonly riderId: number
    readonly agentId: number
    readonly appId: number
    /** Of the present secret first, then of earlier ones. */
    readonly hashes: readonly [string, ...string[]]
    readonly model: string
    readonly system: string
    readonly appVersion: string
    readonly at: Date
  },
): Promise<void> {
  const { riderId, agentId, at } = device
  const [hash, ...earlier] = device.hashes
  if (earlier.length > 0) await rehashDevice(tx, { agentId: agentId, hash, earlier })
  await sql`
    insert into rider_device (agent_id, rider_id, app_id, device_hash, model, system, app_version, first_seen_at,
      last_seen_at)
    values (${agentId}, ${riderId}, ${device.appId}, ${hash}, ${device.model}, ${device.system},
      ${device.appVersion}, ${at}, ${at})
    on conflict (rider_id, device_hash) do update set app_id = excluded.app_id, model = excluded.model,
      system = excluded.system, app_version = excluded.app_version, last_seen_at = excluded.last_seen_at`.execute(tx)
  await sql`
    delete from rider_device where rider_id = ${riderId} and id in (
      select id from rider_device where rider_id = ${riderId} order by last_seen_at desc, id desc
      offset ${devicesPerRiderMax})`.execute(tx)
}
