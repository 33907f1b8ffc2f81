import { rechargeTermsSchema } from '@saddle/contract/marketing/rechargeActivities.ts'
import type { Tx } from '#kit/db/pool.ts'
import { testActivityCommon } from './activities.ts'

export const testRechargeTerms = rechargeTermsSchema.parse({ tiers: [{ payCents: 2_000, giftCents: 200 }] })

/** A recharge activity that is paused, with a recharge of the rider that got nothing; every text holds the marker. */
export async function addRechargeActivity(options: {
  tx: Tx
  agentId: number
  riderId: number
  paymentId: number
  marker: string
  at: Date
}): Promise<number> {
  const { tx, agentId, riderId, paymentId, marker, at } = options
  const name = `${marker} recharges`
  const changed_by = `${marker} clerk`
  const { id } = await tx
    .insertInto('activity')
    .values({
      agent_id: agentId,
      kind: 'recharge',
      name,
      state: 'paused',
      starts_at: new Date(testActivityCommon.startsAt),
      bearer: 'company',
      created_at: at,
      changed_at: at,
      changed_by,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const own = { activity_id: id, agent_id: agentId, version: 1 }
  const [common, terms] = [JSON.stringify({ ...testActivityCommon, name }), JSON.stringify(testRechargeTerms)]
  await tx
    .insertInto('activity_version')
    .values({ ...own, common, terms, made_at: at, made_by: changed_by })
    .execute()
  await tx
    .insertInto('recharge_use')
    .values({
      ...own,
      id: paymentId,
      rider_id: riderId,
      state: 'refused',
      why: 'budget_spent',
      cents: 2_000,
      gift_cents: 200,
      rewards: '[]',
      asked_at: at,
      settled_at: at,
    })
    .execute()
  return id
}
