import { dayMs } from '@saddle/contract/time.ts'
import { sha256 } from '#kit/crypto.ts'
import type { Tx } from '#kit/db/pool.ts'

/** A key of a company that a call could reach for; returns its id. */
export async function addPartnerKey(options: { tx: Tx; agentId: number; marker: string; at: Date }): Promise<number> {
  const { tx, agentId, marker, at } = options
  const { id } = await tx
    .insertInto('partner_key')
    .values({
      agent_id: agentId,
      name: `${marker} key`,
      hint: 'hint',
      key_hash: sha256(`${marker} key`),
      scopes: ['areas'],
      per_minute: 10,
      expires_at: new Date(at.getTime() + dayMs),
      created_at: at,
      created_by: `${marker} author`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('partner_key_day')
    .values({ key_id: id, agent_id: agentId, day: at.toISOString().slice(0, 10), calls: 100 + agentId, refused: 1 })
    .execute()
  return id
}
