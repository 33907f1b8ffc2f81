import type { Tx } from '#kit/db/pool.ts'
import type { RewardPorts } from './ports.ts'
import { isAllTakenBack, type RewardRow } from './store.ts'

/**
 * Gives the budget of an activity what a reward that has just ended does not cost any more: its own worth without what the
 * rider keeps, and with the last reward of the occasion all that is left of the use.
 */
export async function giveBackOf(
  ports: Pick<RewardPorts, 'giveBackBudget' | 'giveBackShare'>,
  tx: Tx,
  row: RewardRow,
  { keptCents, at }: { readonly keptCents: number; readonly at: Date },
): Promise<void> {
  const { agent_id: agentId, rider_id: riderId, activity_id: activityId } = row
  if (activityId === null) return
  const use = { agentId, riderId, activityId, cause: { kind: row.cause_kind, id: row.cause_id }, at }
  if (await isAllTakenBack(tx, row)) await ports.giveBackBudget(tx, use)
  else await ports.giveBackShare(tx, { ...use, cents: row.cents - keptCents })
}
