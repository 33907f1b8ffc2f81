import { sql } from 'kysely'
import { isControl, isHeldOut } from '@saddle/contract/marketing/holdout.ts'
import type { Tx } from '#kit/db/pool.ts'

/** The percent of a company's riders that nothing reaches; none where the company has set nothing. */
export async function controlPercent(tx: Tx, agentId: number): Promise<number> {
  const row = await tx
    .selectFrom('marketing_setting')
    .select('control_percent')
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  return row?.control_percent ?? 0
}

/** The same within a statement. */
export const controlPercentOf = (agentId: number) => sql`
  coalesce((select m.control_percent from marketing_setting m where m.agent_id = ${agentId}), 0)`

/** Whether an activity gives a rider nothing: it holds the rider out, or the control group of the company does. */
export async function isWithheld(
  tx: Tx,
  activity: {
    readonly agentId: number
    readonly id: number
    readonly percent: number
    readonly riderId: number
  },
): Promise<boolean> {
  if (isHeldOut(activity)) return true
  const { agentId, riderId } = activity
  return isControl({ agentId, riderId, percent: await controlPercent(tx, agentId) })
}
