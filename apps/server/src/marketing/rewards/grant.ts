import type { Tx } from '#kit/db/pool.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { giveCoupons } from '../coupons/given.ts'
import { lockRiders } from '../coupons/issue.ts'
import { readTemplate } from '../coupons/templates.ts'
import { giveBackOf } from './giveBack.ts'
import type { Grant, RewardPorts } from './ports.ts'
import { priceRewards } from './price.ts'
import {
  grantedBefore,
  insertRewards,
  lockRewards,
  markEnded,
  markGiven,
  reopen,
  rewardOf,
  type RewardRow,
} from './store.ts'

export type Granted = {
  readonly outcome: 'given' | 'pending' | 'already' | 'held_out' | 'refused'
  readonly ids: readonly number[]
  /** Why it was refused: a reason of `rewardRefusals` or of the activity's budget. */
  readonly why: string | null
}

/**
 * Gives a rider all rewards of an occasion or none, in the caller's transaction, once. What cannot be given is kept as
 * refused, with the reason; a budget that has nothing left leaves no row.
 */
export async function grantRewards(ports: RewardPorts, tx: Tx, grant: Grant): Promise<Granted> {
  const { agentId, riderId, activityId, cause, at, dueAt = at } = grant
  if (activityId !== null && (await ports.isWithheld(tx, { agentId, activityId, riderId }))) {
    return { outcome: 'held_out', ids: [], why: null }
  }
  // From here on nobody else gives this rider anything.
  const rider = (await lockRiders(tx, agentId, [riderId])).get(riderId)
  if (rider === undefined) throw new Error(`rider ${riderId} is not of company ${agentId}`)
  const before = await grantedBefore(tx, grant)
  if (before.ids.length > 0 && !before.isTakenBack) return { outcome: 'already', ids: before.ids, why: null }
  const priced = await priceRewards(tx, grant)
  const refusal = rider.isClosed ? 'closed' : (priced.find((item) => item.refusal !== null)?.refusal ?? null)
  if (refusal !== null) {
    if (before.isTakenBack) return { outcome: 'refused', ids: before.ids, why: refusal }
    return { outcome: 'refused', ids: await insertRewards(tx, grant, priced, refusal), why: refusal }
  }
  if (activityId !== null) {
    const cents = priced.reduce((sum, item) => sum + item.cents, 0)
    // What the rider had used of an occasion that gives again is still counted.
    const take = before.isTakenBack ? ports.takeShare : ports.takeBudget
    const why = await take(tx, { agentId, riderId, activityId, cents, cause, at })
    if (why !== null) return { outcome: 'refused', ids: [], why }
  }
  const ids = before.isTakenBack ? before.ids : await insertRewards(tx, grant, priced, null)
  if (before.isTakenBack) await reopen(tx, ids, dueAt)
  if (dueAt > at || grant.isLater === true) return { outcome: 'pending', ids, why: null }
  const rows = await lockRewards(tx, { agentIds: [agentId], ids })
  for (const row of rows.toSorted((a, b) => givenLast(a) - givenLast(b))) await giveReward(ports, tx, row, at)
  return { outcome: 'given', ids, why: null }
}

/** Gift balance posts to the ledger, which others wait for: it comes after everything else. */
const givenLast = ({ kind }: Pick<RewardRow, 'kind'>): number => (kind === 'gift' ? 1 : 0)

/** Gives a locked reward that is due. One that cannot be given any more is refused with the reason; resolves to that. */
export async function giveReward(ports: RewardPorts, tx: Tx, row: RewardRow, at: Date): Promise<string | null> {
  const { id, agent_id: agentId, rider_id: riderId, activity_id: activityId } = row
  const reward = rewardOf(row.what)
  const rider = (await lockRiders(tx, agentId, [riderId])).get(riderId)
  const [priced] = await priceRewards(tx, { agentId, riderId, rewards: [reward], at })
  const refusal = rider === undefined || rider.isClosed ? 'closed' : (priced?.refusal ?? null)
  if (refusal !== null) {
    await markEnded(tx, id, { state: 'refused', at, by: null, reason: refusal, keptCents: null })
    await giveBackOf(ports, tx, row, { keptCents: 0, at })
    return refusal
  }
  if (reward.kind === 'coupon') {
    const template = await readTemplate(tx, { id: reward.templateId, scope: scopeOfAgent(agentId) })
    const { note } = row
    const couponIds = await giveCoupons(tx, { template, riderId, count: reward.count, note, activityId, at })
    await markGiven(tx, id, at, { couponIds })
  } else if (reward.kind === 'gift') {
    const gift = { agentId, riderId, activityId, at, rewardId: id, cents: reward.cents, validDays: reward.validDays }
    await markGiven(tx, id, at, { giftLotId: await ports.giveGift(tx, gift) })
  } else {
    const card = { agentId, riderId, at, productId: reward.productId, requestId: `reward-${id}-${at.getTime()}` }
    await markGiven(tx, id, at, { cardId: await ports.giveCard(tx, card) })
  }
  return null
}
