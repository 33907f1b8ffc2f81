import { sql } from 'kysely'
import { devicesPerOperatorMax } from '@saddle/contract/identity/limits.ts'
import type { Tx } from '#kit/db/pool.ts'

export interface SeenDevice {
  readonly operatorId: number
  readonly agentId: number
  readonly deviceHash: string
  readonly name: string
  readonly userAgent: string
  readonly at: Date
}

/** Notes that the operator was seen with this browser; approval is untouched. */
export async function rememberDevice(tx: Tx, device: SeenDevice): Promise<void> {
  const { operatorId, agentId, deviceHash, name, userAgent, at } = device
  await tx
    .insertInto('operator_device')
    .values({
      operator_id: operatorId,
      agent_id: agentId,
      device_hash: deviceHash,
      name,
      user_agent: userAgent,
      first_seen_at: at,
      last_seen_at: at,
    })
    .onConflict((conflict) =>
      conflict.columns(['operator_id', 'device_hash']).doUpdateSet({ name, user_agent: userAgent, last_seen_at: at }),
    )
    .execute()
  await sql`
    delete from operator_device where id in (
      select id from operator_device where operator_id = ${operatorId} and not approved
      order by last_seen_at desc, id desc offset ${devicesPerOperatorMax}
    )`.execute(tx)
}
