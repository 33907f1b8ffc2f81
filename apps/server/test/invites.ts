import { inviteTermsSchema } from '@saddle/contract/marketing/inviteActivities.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { testActivityCommon } from '#test/activities.ts'

/** Invites that a call could reach for. */
export type InviteThings = {
  readonly activityId: number
  /** Waits for its rewards. */
  readonly inviteId: number
}

export const testInviteTerms = inviteTermsSchema.parse({
  inviterRewards: [{ kind: 'gift', cents: 300, validDays: 30 }],
})

/** An invite activity by which the rider has brought another one, and a wrong code; every text holds the marker. */
export async function addInvites(options: {
  tx: Tx
  agentId: number
  riderId: number
  invitedId: number
  orderId: number
  marker: string
  at: Date
}): Promise<InviteThings> {
  const { tx, agentId, riderId, invitedId, orderId, marker, at } = options
  const name = `${marker} invites`
  const made = { made_at: at, made_by: `${marker} clerk` }
  const own = { agent_id: agentId }
  const { id: activityId } = await tx
    .insertInto('activity')
    .values({
      ...own,
      kind: 'invite',
      name,
      state: 'paused',
      starts_at: new Date(testActivityCommon.startsAt),
      bearer: 'company',
      created_at: at,
      changed_at: at,
      changed_by: `${marker} clerk`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const texts = {
    common: JSON.stringify({ ...testActivityCommon, name }),
    terms: JSON.stringify(testInviteTerms),
  }
  await tx
    .insertInto('activity_version')
    .values({ ...own, ...made, ...texts, activity_id: activityId, version: 1 })
    .execute()
  const code = `AAAA${agentId}${agentId}`
  await tx
    .insertInto('invite_code')
    .values({ ...own, rider_id: riderId, code, made_at: at, brought: 1 })
    .execute()
  await tx
    .insertInto('invite_guess')
    .values({ ...own, rider_id: invitedId, day: at.toISOString().slice(0, 10), wrong: 1 })
    .execute()
  const none = { sameDevice: false, samePayer: false, samePerson: false, olderAccount: false }
  const { id: inviteId } = await tx
    .insertInto('invite')
    .values({
      ...own,
      activity_id: activityId,
      version: 1,
      inviter_id: riderId,
      invited_id: invitedId,
      depth: 1,
      state: 'pending',
      note: `${marker} note`,
      facts: JSON.stringify({ ...none, minutes: 12, metres: 1_500, paidCents: 900 }),
      bound_at: new Date(at.getTime() - dayMs),
      ride_by: new Date(at.getTime() + dayMs),
      counted_at: at,
      order_id: orderId,
      due_at: new Date(at.getTime() + dayMs),
      grant_id: -agentId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { activityId, inviteId }
}
