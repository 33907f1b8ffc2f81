import { fixedTermsSchema, type FixedEvent, type FixedTerms } from '@saddle/contract/marketing/fixedActivities.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Fact } from '../facts/facts.ts'
import { lockAllRiders } from '../coupons/issue.ts'
import { isRecharge } from '../rechargeActivities/store.ts'
import type { Rewards } from '../rewards/rewards.ts'
import { isWithinTime, paidRides, runningActivities, type Running } from '../taskActivities/running.ts'
import { causeOf, eventOf, hasPlace } from './rules.ts'

/** Gives what fixed activities give for the occasions among the facts. */

const refundReason = '骑行订单已全额退款'

type Activity = Running<FixedTerms>
/** An occasion with what is known of it. */
type Occasion = {
  readonly event: FixedEvent
  readonly fact: Fact
  readonly areaId: number | null
  readonly minutes: number
  readonly cents: number
}

export async function giveForOccasions(tx: Tx, rewards: Rewards, facts: readonly Fact[]): Promise<void> {
  const agentIds = [...new Set(facts.map((fact) => fact.agent_id))].toSorted((a, b) => a - b)
  const activities = await runningActivities(tx, { agentIds, kind: 'fixed', terms: fixedTermsSchema })
  if (activities.length === 0) {
    await takeBackOfRefunded(tx, rewards, facts)
    return
  }
  const found = (await occasionsOf(tx, facts)).flatMap((occasion) => {
    const activity = activities.find((one) => isFor(one, occasion))
    return activity === undefined ? [] : [{ occasion, activity }]
  })
  await lockAllRiders(
    tx,
    found.map(({ occasion }) => occasion.fact.rider_id),
  )
  await takeBackOfRefunded(tx, rewards, facts)
  for (const { occasion, activity } of found) {
    if (await isFirst(tx, occasion)) await give(tx, rewards, activity, occasion)
  }
}

function isFor({ agentId, common, terms, leavesOut }: Activity, occasion: Occasion): boolean {
  const { event, fact, areaId, minutes, cents } = occasion
  if (terms.event !== event || agentId !== fact.agent_id || !isWithinTime(common, fact.at.getTime())) return false
  if (hasPlace(event) && common.areaIds.length > 0 && (areaId === null || !common.areaIds.includes(areaId)))
    return false
  return minutes >= terms.minMinutes && cents >= terms.minCents && !leavesOut(fact.rider_id)
}

async function give(tx: Tx, rewards: Rewards, activity: Activity, { event, fact }: Occasion): Promise<void> {
  const { id: activityId, agentId, version, terms } = activity
  await rewards.grant(tx, {
    agentId,
    riderId: fact.rider_id,
    activityId,
    version,
    rewards: terms.rewards,
    cause: { kind: causeOf[event], id: fact.subject_id },
    at: fact.at,
    dueAt: new Date(fact.at.getTime() + terms.delayHours * hourMs),
    isLater: true,
  })
}

const paymentRow = rowOf('payment', 'p', ['id', 'cents'])

async function occasionsOf(tx: Tx, facts: readonly Fact[]): Promise<Occasion[]> {
  const ids = (kind: Fact['kind']): number[] =>
    facts.filter((fact) => fact.kind === kind).map((fact) => fact.subject_id)
  const rides = new Map((await paidRides(tx, ids('ride_paid'))).map((ride) => [ride.orderId, ride]))
  const { rows: payments } = await paymentRow.select`
    from payment p where p.id = any (${ids('recharged')}::bigint[]) and p.cents > coalesce((
      select sum(r.cents) from payment_refund r where r.payment_id = p.id and r.state <> 'returned'), 0)`.execute(tx)
  const cents = new Map(payments.map((payment) => [payment.id, payment.cents]))
  return facts.flatMap((fact): Occasion[] => {
    const event = eventOf[fact.kind]
    if (event === undefined) return []
    const plain = { event, fact, areaId: null, minutes: 0, cents: 0 }
    if (fact.kind === 'recharged') {
      // What went back whole, as above the limit for prepaid money, is no occasion.
      const paid = cents.get(fact.subject_id)
      return paid === undefined ? [] : [{ ...plain, cents: paid }]
    }
    if (fact.kind !== 'ride_paid') return [{ ...plain, minutes: Infinity, cents: Infinity }]
    const ride = rides.get(fact.subject_id)
    if (ride === undefined) return []
    const minutes = Math.floor((ride.endedAt - ride.startedAt) / minuteMs)
    return [{ ...plain, areaId: ride.areaId, minutes, cents: ride.cents }]
  })
}

const earlierRow = rowOf('ride_order', 'o', ['id'])
const earlierPaymentRow = rowOf('payment', 'p', ['id'])
const earlierRewardRow = rowOf('reward', 'r', ['id'])

/** Whether the rider has not ridden, recharged or got a reward for it before. */
async function isFirst(tx: Tx, { event, fact }: Occasion): Promise<boolean> {
  const { rider_id: riderId, agent_id: agentId, subject_id: id, at } = fact
  if (event === 'first_ride') {
    const { rows } = await earlierRow.select`
      from ride_order o
      where o.rider_id = ${riderId} and o.agent_id = ${agentId} and o.id <> ${id}
        and o.state in ('paid', 'part_refunded') and (o.ended_at < ${at} or (o.ended_at = ${at} and o.id < ${id}))
      limit 1`.execute(tx)
    return rows.length === 0
  }
  if (event === 'first_recharge') {
    const { rows } = await earlierPaymentRow.select`
      from payment p
      where p.rider_id = ${riderId} and p.agent_id = ${agentId} and p.state = 'paid' and p.became = 'recharge'
        and p.id < ${id} and ${isRecharge('p')} limit 1`.execute(tx)
    return rows.length === 0
  }
  if (event !== 'certified') return true
  const { rows } = await earlierRewardRow.select`
    from reward r
    where r.rider_id = ${riderId} and r.agent_id = ${agentId} and r.cause_kind = 'certificate' limit 1`.execute(tx)
  return rows.length === 0
}

/** A refunded ride takes the pending rewards that it gave with it. */
async function takeBackOfRefunded(tx: Tx, rewards: Rewards, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts.filter(({ kind }) => kind === 'ride_refunded')) {
    await rewards.revoke(tx, {
      agentId: fact.agent_id,
      riderId: fact.rider_id,
      cause: { kind: 'ride', id: fact.subject_id },
      isPendingOnly: true,
      at: fact.at,
      by: null,
      reason: refundReason,
    })
  }
}
