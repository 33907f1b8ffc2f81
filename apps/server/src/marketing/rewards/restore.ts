import type { Tx } from '#kit/db/pool.ts'
import type { RewardPorts } from './ports.ts'
import { lockRewards, reopen, type RewardRow } from './store.ts'

/**
 * Makes rewards pending again that were taken back whole or could not be given. Each takes its share of the budget of their activity again; where that has not so much left it stays as it is.
 * Answers with those that are pending now.
 */
export async function restoreRewards(
  ports: RewardPorts,
  tx: Tx,
  { ids, agentIds, at }: { readonly ids: readonly number[]; readonly agentIds: readonly number[]; readonly at: Date },
): Promise<number[]> {
  const opened: number[] = []
  for (const row of await lockRewards(tx, { agentIds, ids })) {
    if (!isRestorable(row)) continue
    const { agent_id: agentId, rider_id: riderId, activity_id: activityId } = row
    if (activityId !== null) {
      const cause = { kind: row.cause_kind, id: row.cause_id }
      const share = { agentId, riderId, activityId, cents: row.cents, cause, at }
      if ((await ports.takeShare(tx, share)) !== null) continue
    }
    // What was not due yet keeps its time.
    await reopen(tx, [row.id], row.due_at !== null && row.due_at > at ? row.due_at : at)
    opened.push(row.id)
  }
  return opened
}

const isRestorable = ({ state, kept_cents: keptCents }: RewardRow): boolean =>
  state === 'refused' || (state === 'revoked' && (keptCents ?? 0) === 0)
