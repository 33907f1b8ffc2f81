import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import { inviteReasonLabels, type InviteState } from '@saddle/contract/marketing/invites.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { InviteDeps } from './deps.ts'
import { rideOf } from './facts.ts'
import { grantBoth, revokeBoth } from './grant.ts'
import { step, type InviteCore } from './rules.ts'
import { lockInvites, storeStep, type StoredInvite } from './store.ts'

type Decision = { readonly id: number; readonly note: string }
type Decided = { readonly id: number; readonly state: InviteState }

async function lockOwn(tx: Tx, call: SessionCall, id: number): Promise<StoredInvite> {
  const [invite] = await lockInvites(tx, sql`i.id = ${id} and i.agent_id = any (${call.scope.agentIds}::bigint[])`)
  if (invite === undefined) throw new AppError('not_found')
  return invite
}

/** Refuses an invite whose rewards are not given yet. */
export async function refuseInvite(deps: InviteDeps, call: SessionCall, { id, note }: Decision): Promise<Decided> {
  const at = deps.kit.clock.now()
  return deps.kit.db.withScope(call.scope, async (tx) => {
    const invite = await lockOwn(tx, call, id)
    const after = step(invite, { kind: 'refuse', at }, invite.stepTerms)
    if (after === invite) throw new AppError('invite_decided')
    const by = { id: call.caller.operatorId, name: call.caller.name }
    await revokeBoth(deps, tx, invite, { at, by, reason: inviteReasonLabels.staff })
    await storeStep(tx, invite, after, { note })
    await writeDecision(deps, tx, call, { invite, after, note, at, action: 'invite.refuse' })
    return { id, state: after.state }
  })
}

/** Lets a refused invite through: fraud rules are not asked again, limits and budget are. */
export async function clearInvite(deps: InviteDeps, call: SessionCall, { id, note }: Decision): Promise<Decided> {
  const at = deps.kit.clock.now()
  return deps.kit.db.withScope(call.scope, async (tx) => {
    const invite = await lockOwn(tx, call, id)
    const { agentId, orderId } = invite
    const ride = orderId === null ? undefined : await rideOf(tx, { agentId, orderId })
    const after = step(invite, { kind: 'clear', at, isRefunded: ride?.isRefunded === true }, invite.stepTerms)
    if (after === invite) throw new AppError('invite_decided')
    let { grantId } = invite
    if (after.state === 'pending' && after.dueAt !== null) {
      const granted = await grantBoth(deps, tx, invite, { at, dueAt: after.dueAt })
      if ('reason' in granted) {
        const why = [inviteReasonLabels[granted.reason], granted.note].filter((text) => text !== '').join('：')
        throw new AppError('invite_not_granted', { values: { why } })
      }
      grantId = granted.grantId
    }
    await storeStep(tx, invite, { ...after, grantId }, { note })
    await writeDecision(deps, tx, call, { invite, after, note, at, action: 'invite.clear' })
    return { id, state: after.state }
  })
}

async function writeDecision(
  { audit }: InviteDeps,
  tx: Tx,
  call: SessionCall,
  decided: {
    readonly invite: StoredInvite
    readonly after: InviteCore
    readonly note: string
    readonly at: number
    readonly action: 'invite.refuse' | 'invite.clear'
  },
): Promise<void> {
  const { invite, after, note, at, action } = decided
  const { operatorId, name } = call.caller
  await tx
    .updateTable('invite')
    .set({ decided_by_id: operatorId, decided_by: name, decided_at: new Date(at) })
    .where('id', '=', invite.id)
    .execute()
  await audit.act(tx, call, {
    agentId: invite.agentId,
    subjectKind: 'invite',
    subjectId: invite.id,
    action,
    before: { state: invite.state, reason: invite.reason },
    after: { state: after.state, reason: after.reason, note },
  })
}
