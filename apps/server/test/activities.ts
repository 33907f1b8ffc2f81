import { activityCommonSchema } from '@saddle/contract/marketing/activities.ts'
import { ridingTermsSchema } from '@saddle/contract/marketing/ridingActivities.ts'
import type { Tx } from '#kit/db/pool.ts'

export const testActivityCommon = activityCommonSchema.parse({ name: 'activity', startsAt: Date.UTC(2026, 0, 1) })
export const testRidingTerms = ridingTermsSchema.parse({ effect: { off: 'cents', cents: 100 } })

interface Options {
  readonly tx: Tx
  readonly agentId: number
  readonly riderId: number
  readonly orderId: number
  readonly marker: string
  readonly at: Date
}

/**
 * A riding activity that the rider has used once, for an order, and another that is on, begins far in the future and
 * whose budget is nearly spent; every text holds the marker.
 */
export async function addActivity(options: Options): Promise<number> {
  const { tx, agentId, riderId, orderId, at } = options
  const used = await insertActivity(options, {
    name: 'activity',
    state: 'paused',
    startsAt: testActivityCommon.startsAt,
  })
  const warned = { name: 'next activity', state: 'on', startsAt: Date.UTC(2100, 0, 1), warnedAt: at } as const
  await insertActivity(options, warned)
  const own = { activity_id: used, agent_id: agentId }
  await tx
    .insertInto('activity_rider')
    .values({ ...own, rider_id: riderId, uses: 1, cents: 100 })
    .execute()
  const cause = { cause_kind: 'ride', cause_id: orderId, day: at.toISOString().slice(0, 10) }
  await tx
    .insertInto('activity_use')
    .values({ ...own, version: 1, rider_id: riderId, ...cause, cents: 100, used_at: at })
    .execute()
  return used
}

async function insertActivity(
  { tx, agentId, marker, at }: Options,
  asked: { name: string; state: 'paused' | 'on'; startsAt: number; warnedAt?: Date },
): Promise<number> {
  const { state, startsAt, warnedAt = null } = asked
  const name = `${marker} ${asked.name}`
  const { id } = await tx
    .insertInto('activity')
    .values({
      agent_id: agentId,
      kind: 'riding',
      name,
      state,
      starts_at: new Date(startsAt),
      bearer: 'company',
      used_cents: 100,
      uses: 1,
      riders: 1,
      warned_at: warnedAt,
      created_at: at,
      changed_at: at,
      changed_by: `${marker} clerk`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('activity_version')
    .values({
      activity_id: id,
      agent_id: agentId,
      version: 1,
      common: JSON.stringify({ ...testActivityCommon, name, startsAt }),
      terms: JSON.stringify(testRidingTerms),
      made_at: at,
      made_by: `${marker} clerk`,
    })
    .execute()
  return id
}
