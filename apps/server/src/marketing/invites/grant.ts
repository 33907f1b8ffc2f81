import { sql } from 'kysely'
import type { InviteReason } from '@saddle/contract/marketing/invites.ts'
import { rewardRefusalLabels, type RewardRefusal } from '@saddle/contract/marketing/rewards.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import { lockRiders } from '../coupons/issue.ts'
import type { InviteDeps } from './deps.ts'
import { nextGrantId, type StoredInvite } from './store.ts'

type Outcome = { readonly grantId: number } | { readonly reason: InviteReason; readonly note: string }

const reasons: Readonly<Record<string, InviteReason>> = {
  rider_cap: 'inviter_cap',
  rider_day_cap: 'day_cap',
  device_cap: 'device',
  budget_spent: 'budget',
  not_on: 'over',
  closed: 'closed',
}

/** Grants the rewards of both sides, or none of them; then it says why. They are given when they are due. */
export async function grantBoth(
  { rewards }: Pick<InviteDeps, 'rewards'>,
  tx: Tx,
  invite: StoredInvite,
  times: { readonly at: number; readonly dueAt: number },
): Promise<Outcome> {
  const { agentId, activityId, version, inviterId, invitedId, terms } = invite
  const grantId = invite.grantId === null ? invite.id : await nextGrantId(tx)
  const cause = { kind: 'invite', id: grantId } as const
  const [at, dueAt] = [new Date(times.at), new Date(times.dueAt)]
  // Both at once and in one order: others that lock several riders do it in this order.
  await lockRiders(tx, agentId, [inviterId, invitedId])
  await sql`savepoint invite_grant`.execute(tx)
  const sides = [
    [inviterId, terms.inviterRewards],
    [invitedId, terms.invitedRewards],
  ] as const
  for (const [riderId, ofSide] of sides) {
    if (ofSide.length === 0) continue
    const granted = await rewards.grant(tx, {
      agentId,
      riderId,
      activityId,
      version,
      rewards: ofSide,
      cause,
      at,
      dueAt,
      // A person's decision moves no money: the worker gives what is due.
      isLater: true,
    })
    if (granted.outcome === 'given' || granted.outcome === 'pending') continue
    await sql`rollback to savepoint invite_grant`.execute(tx)
    return granted.outcome === 'held_out' ? { reason: 'held_out', note: '' } : refusalOf(granted.why ?? '')
  }
  await sql`release savepoint invite_grant`.execute(tx)
  await sql`
    update invite set cost_cents = coalesce((
      select sum(r.cents) from reward r where r.cause_kind = 'invite' and r.cause_id = ${grantId} and r.agent_id = ${agentId}), 0)
    where id = ${invite.id}`.execute(tx)
  return { grantId }
}

function refusalOf(why: string): { reason: InviteReason; note: string } {
  const reason = reasons[why]
  if (reason !== undefined) return { reason, note: '' }
  return { reason: 'undelivered', note: rewardRefusalLabels[why as RewardRefusal] ?? '' }
}

/** Takes back what an invite has granted: pending rewards are not given, of given ones what is not used yet ends. */
export async function revokeBoth(
  { rewards }: Pick<InviteDeps, 'rewards'>,
  tx: Tx,
  invite: Pick<StoredInvite, 'agentId' | 'grantId' | 'inviterId' | 'invitedId'>,
  ending: {
    readonly at: number
    readonly by: { readonly id: number; readonly name: string } | null
    readonly reason: string
  },
): Promise<void> {
  if (invite.grantId === null) return
  const cause = { kind: 'invite', id: invite.grantId } as const
  const { agentId, inviterId, invitedId } = invite
  await lockRiders(tx, agentId, [inviterId, invitedId])
  for (const riderId of [inviterId, invitedId]) {
    await rewards.revoke(tx, { agentId, riderId, cause, ...ending, at: new Date(ending.at) })
  }
}

const statesRow = rowOfValues({
  is_pending: computed('boolean', sql`coalesce(bool_or(r.state = 'pending'), false)`),
  is_given: computed('boolean', sql`coalesce(bool_or(r.state = 'given'), false)`),
})

/** What became of the rewards of an invite. */
export async function rewardStatesOf(
  tx: Tx,
  { agentId, grantId }: Pick<StoredInvite, 'agentId' | 'grantId'>,
): Promise<{ readonly isPending: boolean; readonly isGiven: boolean }> {
  const { rows } = await statesRow.select`
    from reward r where r.cause_kind = 'invite' and r.cause_id = ${grantId} and r.agent_id = ${agentId}`.execute(tx)
  return { isPending: rows[0]?.is_pending === true, isGiven: rows[0]?.is_given === true }
}
