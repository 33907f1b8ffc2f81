import { fixedTermsSchema } from '@saddle/contract/marketing/fixedActivities.ts'
import { taskTermsSchema } from '@saddle/contract/marketing/taskActivities.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { testActivityCommon } from '#test/activities.ts'

/** Activities that give rewards, and a reward that a call could reach for. */
export type RewardThings = {
  readonly fixedActivityId: number
  readonly taskActivityId: number
  /** Of a coupon, and pending. */
  readonly rewardId: number
}

export const testFixedTerms = (templateId: number) =>
  fixedTermsSchema.parse({ event: 'rider_new', rewards: [{ kind: 'coupon', templateId, count: 1 }] })
export const testTaskTerms = (templateId: number) =>
  taskTermsSchema.parse({
    measure: 'rides',
    days: 7,
    levels: [{ target: 3, rewards: [{ kind: 'coupon', templateId, count: 1 }] }],
  })

/** A paused fixed and a paused custom activity, progress in the second, and a pending reward of the first. */
export async function addRewards(options: {
  tx: Tx
  agentId: number
  riderId: number
  orderId: number
  templateId: number
  marker: string
  at: Date
}): Promise<RewardThings> {
  const { tx, agentId, riderId, orderId, templateId, marker, at } = options
  const add = async (kind: 'fixed' | 'task', terms: object): Promise<number> => {
    const name = `${marker} ${kind} activity`
    const by = { created_at: at, changed_at: at, changed_by: `${marker} clerk` }
    const { id } = await tx
      .insertInto('activity')
      .values({
        agent_id: agentId,
        kind,
        name,
        state: 'paused',
        starts_at: new Date(testActivityCommon.startsAt),
        bearer: 'company',
        ...by,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('activity_version')
      .values({
        activity_id: id,
        agent_id: agentId,
        version: 1,
        common: JSON.stringify({ ...testActivityCommon, name }),
        terms: JSON.stringify(terms),
        made_at: at,
        made_by: `${marker} clerk`,
      })
      .execute()
    return id
  }
  const fixedActivityId = await add('fixed', testFixedTerms(templateId))
  const taskActivityId = await add('task', testTaskTerms(templateId))
  const reward = await tx
    .insertInto('reward')
    .values({
      agent_id: agentId,
      rider_id: riderId,
      activity_id: fixedActivityId,
      version: 1,
      cause_kind: 'rider',
      cause_id: riderId,
      n: 1,
      kind: 'coupon',
      what: JSON.stringify({ kind: 'coupon', templateId, count: 1 }),
      name: `${marker} reward`,
      cents: 200,
      state: 'pending',
      granted_at: at,
      due_at: new Date(at.getTime() + 1_000 * dayMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const day = at.toISOString().slice(0, 10)
  const progress = await tx
    .insertInto('task_progress')
    .values({
      agent_id: agentId,
      activity_id: taskActivityId,
      rider_id: riderId,
      begins_on: day,
      ends_on: new Date(at.getTime() + 7 * dayMs).toISOString().slice(0, 10),
      value: 1,
      changed_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('task_ride')
    .values({
      activity_id: taskActivityId,
      order_id: orderId,
      agent_id: agentId,
      progress_id: progress.id,
      day,
      amount: 1,
    })
    .execute()
  return { fixedActivityId, taskActivityId, rewardId: reward.id }
}
