import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { takeBackCoupons } from '../coupons/given.ts'
import { giveBackOf } from './giveBack.ts'
import type { Grant, RewardPorts } from './ports.ts'
import { keptCents } from './rules.ts'
import { idsOfCause, lockRewards, markEnded, type RewardRow } from './store.ts'

export type Revocation = {
  readonly at: Date
  /** Null: by a rule, such as the refund of a ride. */
  readonly by: { readonly id: number; readonly name: string } | null
  readonly reason: string
} & (
  | { readonly ids: readonly number[]; readonly agentIds: readonly number[] }
  | {
      /** What they were given for: one thing or several. */
      readonly cause: { readonly kind: Grant['cause']['kind']; readonly id: number | readonly number[] }
      readonly agentId: number
      readonly riderId: number
      /** What was given stays. */
      readonly isPendingOnly?: boolean
    }
)

export type Revoked = {
  readonly revoked: readonly number[]
  /** Of those, the ones of which the rider had used a part. */
  readonly partly: readonly number[]
  /** Those that stay: all of it was used, or it had ended before. */
  readonly kept: readonly number[]
}

const cardRow = rowOf('rider_card', 'c', ['state', 'days'])

const byRule = '平台'

/**
 * Takes rewards back in the caller's transaction: pending ones are not given, of given ones what is not used yet ends.
 * Gift balance comes last, with the budgets locked before: a ride takes coupons and budgets before lots.
 */
export async function revokeRewards(ports: RewardPorts, tx: Tx, asked: Revocation): Promise<Revoked> {
  const { at, by, reason } = asked
  const ids = 'ids' in asked ? asked.ids : await idsOfCause(tx, asked)
  const agentIds = 'ids' in asked ? asked.agentIds : [asked.agentId]
  const answer: { revoked: number[]; partly: number[]; kept: number[] } = { revoked: [], partly: [], kept: [] }
  const rows = await lockRewards(tx, { agentIds, ids })
  const gifts = rows.filter(isGift)
  for (const row of [...rows.filter((one) => !isGift(one)), ...gifts]) {
    if (row === gifts[0]) await lockBudgetsOf(ports, tx, gifts)
    if ('cause' in asked && asked.isPendingOnly === true && row.state !== 'pending') {
      answer.kept.push(row.id)
      continue
    }
    const left = await takeBack(ports, tx, row, { at, by: by?.name ?? byRule, reason })
    if (left === null) {
      answer.kept.push(row.id)
      continue
    }
    await markEnded(tx, row.id, { state: 'revoked', at, by, reason, keptCents: left })
    answer.revoked.push(row.id)
    if (left > 0) answer.partly.push(row.id)
    await giveBackOf(ports, tx, row, { keptCents: left, at })
  }
  return answer
}

const isGift = (row: RewardRow): boolean => row.gift_lot_id !== null

async function lockBudgetsOf(ports: RewardPorts, tx: Tx, rows: readonly RewardRow[]): Promise<void> {
  const budgets = new Map<string, { activityId: number; riderId: number }>()
  for (const { activity_id: activityId, rider_id: riderId } of rows) {
    if (activityId !== null) budgets.set(`${activityId} ${riderId}`, { activityId, riderId })
  }
  await ports.lockBudgets(tx, [...budgets.values()])
}

/** Ends what a reward gave. Answers with the worth of what the rider had used; null where nothing was left to take. */
async function takeBack(
  ports: RewardPorts,
  tx: Tx,
  row: RewardRow,
  ending: { readonly at: Date; readonly by: string; readonly reason: string },
): Promise<number | null> {
  const { agent_id: agentId, cents } = row
  if (row.state === 'pending') return 0
  if (row.state !== 'given') return null
  if (row.gift_lot_id !== null) {
    const takenCents = await ports.endGift(tx, { agentId, rewardId: row.id, lotId: row.gift_lot_id, ...ending })
    return takenCents === 0 ? null : cents - takenCents
  }
  if (row.card_id !== null) {
    const { rows } = await cardRow.select`
      from rider_card c where c.id = ${row.card_id} and c.agent_id = ${agentId}`.execute(tx)
    const [card] = rows
    if (card === undefined || card.state !== 'active') return null
    const used = await ports.endCard(tx, { agentId, cardId: row.card_id, ...ending })
    return keptCents(cents, { used, parts: card.days })
  }
  const { revoked, used } = await takeBackCoupons(tx, { agentId, ids: row.coupon_ids, ...ending })
  return revoked === 0 ? null : keptCents(cents, { used, parts: row.coupon_ids.length })
}
