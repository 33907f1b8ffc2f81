import { dayMs } from '@saddle/contract/time.ts'
import { sql } from 'kysely'
import { sha256 } from '#kit/crypto.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { webhookKeyPurpose } from '#partners/keyed.ts'

export interface PartnerThings {
  readonly keyId: number
  readonly webhookId: number
  readonly deliveryId: number
}

/** A key and a webhook of a company that a call could reach for. */
export async function addPartnerThings(options: {
  tx: Tx
  kit: Pick<Kit, 'secrets'>
  agentId: number
  marker: string
  at: Date
}): Promise<PartnerThings> {
  const { tx, kit, agentId, marker, at } = options
  const { id: keyId } = await tx
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
    .values({ key_id: keyId, agent_id: agentId, day: at.toISOString().slice(0, 10), calls: 100 + agentId, refused: 1 })
    .execute()
  const text = JSON.stringify({ secret: `${marker} secret`, previous: null })
  const { id: webhookId } = await tx
    .insertInto('webhook')
    .values({
      agent_id: agentId,
      name: `${marker} webhook`,
      url: `https://${marker}.example.com/hook`,
      secret_sealed: kit.secrets.encryptText({ purpose: webhookKeyPurpose, text, context: String(agentId) }),
      events: ['statement'],
      // What it waits for is not sent.
      state: 'paused',
      created_at: at,
      created_by: `${marker} author`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: deliveryId } = await tx
    .insertInto('webhook_delivery')
    .values({
      webhook_id: webhookId,
      agent_id: agentId,
      event: 'test',
      subject: `${marker} subject`,
      data: sql`'{}'::jsonb`,
      created_at: at,
      state: 'failed',
      attempts: 1,
      answer_status: 500,
      answer: `${marker} answer`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { keyId, webhookId, deliveryId }
}
