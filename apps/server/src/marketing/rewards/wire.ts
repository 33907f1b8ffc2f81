import { bearers } from '@saddle/contract/riding/benefits.ts'
import { endGivenCard, giveCard, type Finance } from '#finance/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { giveBackBudget, takeBudget } from '../activities/budget.ts'
import { giveBackShare, lockBudgets, takeShare } from '../activities/shares.ts'
import { isWithheld } from '../holdout/holdout.ts'
import type { Cause, RewardPorts } from './ports.ts'

const activityRow = rowOf('activity', 'a', ['holdout_percent', 'name', 'bearer']).codes({ bearer: bearers })

async function readActivity(tx: Tx, { agentId, activityId }: { agentId: number; activityId: number }) {
  const { rows } = await activityRow.select`
    from activity a where a.id = ${activityId} and a.agent_id = ${agentId}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error(`there is no activity ${activityId}`)
  return activityRow.present(row)
}

/** The cause of a reward as budgets keep it: apart from what a ride itself has used. */
const budgetCause = ({ kind, id }: Cause) => ({ kind: `reward_${kind}`, id })

const giftName = '赠送余额'

/** What rewards need, from activities, the holdout and finance. */
export function rewardPorts({ gifts }: Pick<Finance, 'gifts'>): RewardPorts {
  return {
    isWithheld: async (tx, { agentId, activityId, riderId }) => {
      const { holdoutPercent: percent } = await readActivity(tx, { agentId, activityId })
      return isWithheld(tx, { agentId, id: activityId, percent, riderId })
    },
    takeBudget: (tx, { cause, ...use }) => takeBudget(tx, { ...use, cause: budgetCause(cause) }),
    takeShare: (tx, { cause, ...use }) => takeShare(tx, { ...use, cause: budgetCause(cause) }),
    lockBudgets,
    giveBackBudget: (tx, { cause, ...use }) => giveBackBudget(tx, { ...use, cause: budgetCause(cause) }),
    giveBackShare: (tx, { cause, ...use }) => giveBackShare(tx, { ...use, cause: budgetCause(cause) }),

    giveGift: async (tx, { rewardId, activityId, at, ...gift }) => {
      const { agentId } = gift
      const activity = activityId === null ? null : await readActivity(tx, { agentId, activityId })
      const grant = {
        ...gift,
        at: at.getTime(),
        name: activity?.name ?? giftName,
        bearer: activity?.bearer ?? 'company',
        ...(activityId === null ? {} : { activityId }),
      } as const
      const first = await gifts.grant(tx, { ...grant, source: { kind: 'reward', id: rewardId } })
      // Balance that was taken back is given again in a lot of its own.
      const lotId = first ?? (await gifts.grant(tx, { ...grant, source: { kind: 'undo', id: rewardId } }))
      if (lotId === null) throw new Error(`reward ${rewardId} gave no lot`)
      return lotId
    },
    endGift: (tx, { rewardId, lotId, agentId, at, reason }) =>
      gifts.revoke(tx, {
        agentId,
        lotIds: [lotId],
        reference: `reward:${rewardId}`,
        key: `gift_revoke:${lotId}`,
        reason,
        at: at.getTime(),
      }),

    giveCard,
    endCard: endGivenCard,
  }
}
