import { sql } from 'kysely'
import { inviteReasonLabels, type InviteReason } from '@saddle/contract/marketing/invites.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { lockAllRiders } from '../coupons/issue.ts'
import type { Consumer, Fact } from '../facts/facts.ts'
import type { InviteDeps } from './deps.ts'
import { factsOf, likenessOf, rideOf } from './facts.ts'
import { grantBoth, revokeBoth, rewardStatesOf } from './grant.ts'
import { checkBeforeMs, lateGraceMs, rideCounts, step, type InviteRide } from './rules.ts'
import { lockInvites, storeStep, touchedInvites, type StoredInvite } from './store.ts'

/** What rides and refunds do to invites: in the transaction that moves the cursor, so that each counts once. */
export function inviteConsumer(deps: InviteDeps): Consumer {
  return {
    name: 'invites',
    kinds: ['ride_paid', 'ride_refunded'],
    handle: async (tx, facts) => {
      await lockTouched(tx, facts)
      for (const fact of facts)
        await (fact.kind === 'ride_paid' ? afterRide(deps, tx, fact) : afterRefund(deps, tx, fact))
    },
  }
}

/**
 * Locks the invites that the facts touch and both riders of each, in one statement and one order, before the first is changed:
 * the inviter of one may be the friend of another.
 */
async function lockTouched(tx: Tx, facts: readonly Fact[]): Promise<void> {
  const riderIds = facts.filter(({ kind }) => kind === 'ride_paid').map((fact) => fact.rider_id)
  const orderIds = facts.filter(({ kind }) => kind === 'ride_refunded').map((fact) => fact.subject_id)
  const touched = await touchedInvites(tx, { riderIds, orderIds })
  await lockAllRiders(
    tx,
    touched.flatMap(({ inviterId, invitedId }) => [inviterId, invitedId]),
  )
}

async function afterRide(deps: InviteDeps, tx: Tx, fact: Fact): Promise<void> {
  const { rider_id: riderId, agent_id: agentId, subject_id: orderId } = fact
  const [invite] = await lockInvites(
    tx,
    sql`i.invited_id = ${riderId} and i.agent_id = ${agentId} and i.state = 'registered'`,
  )
  // While an activity is paused rides do not count; a later one may.
  if (invite === undefined || invite.activityState === 'paused') return
  const ride = await rideOf(tx, { agentId, orderId })
  if (ride === undefined || !rideCounts(ride, invite, invite.stepTerms)) return
  await countRide(deps, tx, invite, ride)
}

async function countRide(deps: InviteDeps, tx: Tx, invite: StoredInvite, ride: InviteRide): Promise<void> {
  const checks = await checksOf(deps, tx, invite)
  const facts = factsOf(checks.likeness, ride)
  const counted = (refusal: InviteReason | null) =>
    step(invite, { kind: 'ride', ride, checks, refusal }, invite.stepTerms)
  const after = counted(null)
  if (after.state !== 'pending' || after.dueAt === null) {
    await storeStep(tx, invite, after, { facts })
    return
  }
  const granted = await grantBoth(deps, tx, invite, { at: ride.endedAt, dueAt: after.dueAt })
  if ('reason' in granted) await storeStep(tx, invite, counted(granted.reason), { facts, note: granted.note })
  else await storeStep(tx, invite, { ...after, grantId: granted.grantId }, { facts })
}

async function afterRefund(deps: InviteDeps, tx: Tx, fact: Fact): Promise<void> {
  const { agent_id: agentId, subject_id: orderId } = fact
  for (const invite of await lockInvites(tx, sql`i.order_id = ${orderId} and i.agent_id = ${agentId}`)) {
    const at = fact.at.getTime()
    const after = step(invite, { kind: 'refund', orderId, at }, invite.stepTerms)
    if (after === invite) continue
    await revokeBoth(deps, tx, invite, { at, by: null, reason: inviteReasonLabels.refund })
    await storeStep(tx, invite, after)
  }
}

/** What the accounts of an invite have in common now, and whether one of them is closed. */
async function checksOf({ riders }: Pick<InviteDeps, 'riders'>, tx: Tx, invite: StoredInvite) {
  const likeness = await likenessOf(tx, invite)
  const isClosed = (await riders.isBarred(tx, invite.invitedId)) || (await riders.isBarred(tx, invite.inviterId))
  return { likeness, isClosed }
}

const idRow = rowOf('invite', 'i', ['id'])
/** Invites of one turn; what is left comes with the next. */
const perTurn = 2_000

/**
 * Refuses invites whose ride did not come, compares accounts again before rewards are due, and follows what became of the
 * rewards. Resolves to the number of invites that changed.
 */
export async function sweepInvites(deps: InviteDeps): Promise<number> {
  const { db, clock } = deps.kit
  const now = clock.now()
  const { rows } = await db.system((tx) =>
    idRow.select`
      from invite i
      where (i.state = 'registered' and i.ride_by < ${new Date(now - lateGraceMs)})
        or (i.state = 'pending' and i.due_at <= ${new Date(now + checkBeforeMs)})
      order by i.id limit ${perTurn}`.execute(tx),
  )
  let changed = 0
  for (const { id } of rows) {
    if (await db.system((tx) => afterTime(deps, tx, { id, now }))) changed += 1
  }
  return changed
}

/** What has become of one invite by now. Resolves to whether it changed. */
export async function afterTime(
  deps: InviteDeps,
  tx: Tx,
  { id, now }: { readonly id: number; readonly now: number },
): Promise<boolean> {
  const [invite] = await lockInvites(tx, sql`i.id = ${id}`)
  if (invite === undefined) return false
  const { agentId, orderId, stepTerms } = invite
  const checks = await checksOf(deps, tx, invite)
  const ride = orderId === null ? undefined : await rideOf(tx, { agentId, orderId })
  const timed = step(invite, { kind: 'time', at: now, checks, isRefunded: ride?.isRefunded === true }, stepTerms)
  if (timed !== invite) {
    const reason = inviteReasonLabels[timed.reason ?? 'refund']
    await revokeBoth(deps, tx, invite, { at: now, by: null, reason })
    await storeStep(tx, invite, timed, { facts: factsOf(checks.likeness, ride ?? null) })
    return true
  }
  if (invite.state !== 'pending' || invite.dueAt === null || invite.dueAt > now) return false
  const { isPending, isGiven } = await rewardStatesOf(tx, invite)
  if (isPending) return false
  await storeStep(tx, invite, step(invite, { kind: 'given', at: now, isGiven }, stepTerms))
  return true
}
