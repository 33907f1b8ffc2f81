import { activityCommonSchema } from '@saddle/contract/marketing/activities.ts'
import { ridingTermsSchema } from '@saddle/contract/marketing/ridingActivities.ts'
import type { Tx } from '#kit/db/pool.ts'

export const testActivityCommon = activityCommonSchema.parse({ name: 'activity', startsAt: Date.UTC(2026, 0, 1) })
export const testRidingTerms = ridingTermsSchema.parse({ effect: { off: 'cents', cents: 100 } })

/** A riding activity that the rider has used once, for an order; every text holds the marker. */
export async function addActivity(options: {
  tx: Tx
  agentId: number
  riderId: number
  orderId: number
  marker: string
  at: Date
}): Promise<number> {
  const { tx, agentId, riderId, orderId, marker, at } = options
  const name = `${marker} activity`
  const { id } = await tx
    .insertInto('activity')
    .values({
      agent_id: agentId,
      kind: 'riding',
      name,
      state: 'paused',
      starts_at: new Date(testActivityCommon.startsAt),
      bearer: 'company',
      used_cents: 100,
      uses: 1,
      riders: 1,
      created_at: at,
      changed_at: at,
      changed_by: `${marker} clerk`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const own = { activity_id: id, agent_id: agentId }
  await tx
    .insertInto('activity_version')
    .values({
      ...own,
      version: 1,
      common: JSON.stringify({ ...testActivityCommon, name }),
      terms: JSON.stringify(testRidingTerms),
      made_at: at,
      made_by: `${marker} clerk`,
    })
    .execute()
  await tx
    .insertInto('activity_rider')
    .values({ ...own, rider_id: riderId, uses: 1, cents: 100 })
    .execute()
  const cause = { cause_kind: 'ride', cause_id: orderId, day: at.toISOString().slice(0, 10) }
  await tx
    .insertInto('activity_use')
    .values({ ...own, version: 1, rider_id: riderId, ...cause, cents: 100, used_at: at })
    .execute()
  return id
}
