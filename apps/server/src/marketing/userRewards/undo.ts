import { AppError } from '@saddle/contract/errors.ts'
import type { SessionCall } from '#kit/call.ts'
import { lockRewards } from '../rewards/store.ts'
import type { UserRewardDeps } from './deps.ts'

/**
 * Takes rewards back, with a reason that the rider reads. Each in a transaction of its own: gift balance posts to the ledger,
 * which others wait for. Throws not_found where none is of the scope, and reward_used where nothing is left of any.
 */
export async function revokeRewardsOf(
  deps: UserRewardDeps,
  call: SessionCall,
  { ids, reason }: { readonly ids: readonly number[]; readonly reason: string },
) {
  const at = new Date(deps.kit.clock.now())
  const { agentIds } = call.scope
  const by = { id: call.caller.operatorId, name: call.caller.name }
  const answer: { revoked: number[]; partly: number[]; kept: number[] } = { revoked: [], partly: [], kept: [] }
  for (const id of new Set(ids)) {
    await deps.kit.db.system(async (tx) => {
      const [row] = await lockRewards(tx, { agentIds, ids: [id] })
      if (row === undefined) return
      const { revoked, partly, kept } = await deps.rewards.revoke(tx, { ids: [id], agentIds, at, by, reason })
      answer.revoked.push(...revoked)
      answer.partly.push(...partly)
      answer.kept.push(...kept)
      if (revoked.length === 0) return
      const subject = { agentId: row.agent_id, subjectKind: 'reward', subjectId: id }
      const after = { reason, kept: partly.length > 0 }
      await deps.audit.act(tx, call, { ...subject, action: 'reward.revoke', after })
    })
  }
  if (answer.revoked.length + answer.kept.length === 0) throw new AppError('not_found')
  if (answer.revoked.length === 0) throw new AppError('reward_used')
  return answer
}

/**
 * Gives again what was taken back whole, or could not be given. Throws not_found where none is of the scope, and
 * reward_not_restorable where none can be.
 */
export async function restoreRewardsOf(
  { kit, audit, rewards }: UserRewardDeps,
  call: SessionCall,
  { ids }: { readonly ids: readonly number[] },
) {
  const at = new Date(kit.clock.now())
  const { agentIds } = call.scope
  const restored = await kit.db.system(async (tx) => {
    const rows = await lockRewards(tx, { agentIds, ids })
    if (rows.length === 0) throw new AppError('not_found')
    const opened = await rewards.restore(tx, { ids, agentIds, at })
    if (opened.length === 0) throw new AppError('reward_not_restorable')
    for (const row of rows.filter(({ id }) => opened.includes(id))) {
      const subject = { agentId: row.agent_id, subjectKind: 'reward', subjectId: row.id }
      await audit.act(tx, call, { ...subject, action: 'reward.restore', after: { name: row.kind } })
    }
    return opened
  })
  await rewards.giveNow(restored)
  return { restored, kept: ids.filter((id) => !restored.includes(id)) }
}
