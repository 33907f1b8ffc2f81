import type { OutputOf } from '@saddle/contract/endpoint.ts'
import type { riderMoneyEndpoints } from '@saddle/contract/finance/riderMoney.ts'
import type { AdSlot } from '@saddle/contract/marketing/ads.ts'
import type { RechargeOffer } from '@saddle/contract/marketing/rechargeActivities.ts'
import type { riderCouponEndpoints } from '@saddle/contract/marketing/riderCoupons.ts'
import type { RiderActivity } from '@saddle/contract/marketing/taskActivities.ts'
import type { Ride } from '@saddle/contract/riding/rides.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { KnownBenefit } from './prices.ts'

/** What riders choose of what is offered. Pure: the same offer and the same rider give the same choice. */

type Shelf = OutputOf<typeof riderMoneyEndpoints.offeredCards>['data']
type OfferedCard = Shelf['offered'][number]
type OwnCoupon = OutputOf<typeof riderCouponEndpoints.riderClaimCoupon>['data']
type OwnCard = Shelf['mine'][number]

/** A coupon is worth this to a rider who does not know yet whether it will be used. */
const couponWorthCents = 80
const cardWorthCents = 200
/**
 * What a gift must add for paying in more or less than usual, for each doubling or halving of the sum: prepaid money is tied
 * up, so a tier at the usual sum is taken for any gift, and one of twice the sum only for a gift of 14 % and more.
 */
const stretchPenalty = 0.2

/** The offer that suits a rider best; null where the gifts are not worth the sum. */
export function chooseOffer(
  offers: readonly RechargeOffer[],
  { usualCents, roomCents }: { readonly usualCents: number; readonly roomCents: number | null },
): RechargeOffer | null {
  let best: RechargeOffer | null = null
  let bestScore = 0
  for (const offer of offers) {
    if (roomCents !== null && offer.payCents > roomCents) continue
    const rewards = offer.rewards.reduce(
      (sum, { kind, count }) => sum + count * (kind === 'coupon' ? couponWorthCents : cardWorthCents),
      0,
    )
    const share = (offer.giftCents + rewards) / offer.payCents
    const score = share - stretchPenalty * Math.abs(Math.log(offer.payCents / usualCents))
    if (score > bestScore) [best, bestScore] = [offer, score]
  }
  return best
}

/** How a rider has ridden lately, from the latest rides that the app shows. */
export type Habit = { readonly ridesPerWeek: number; readonly meanCents: number; readonly meanMinutes: number }

const habitDays = 14
const ridesShown = 20

export function habitOf(rides: readonly Pick<Ride, 'startedAt' | 'endedAt' | 'lines'>[], nowMs: number): Habit {
  const ridden = rides.flatMap(({ startedAt, endedAt, lines }) =>
    startedAt === null || endedAt === null || startedAt < nowMs - habitDays * dayMs
      ? []
      : [{ startedAt, minutes: (endedAt - startedAt) / 60_000, cents: ridingCents(lines) }],
  )
  const oldest = Math.min(...ridden.map(({ startedAt }) => startedAt))
  // The app shows the latest only: for frequent riders they are of a few days.
  const days = ridden.length < ridesShown ? habitDays : Math.max(1, (nowMs - oldest) / dayMs)
  const mean = (of: (one: (typeof ridden)[number]) => number): number =>
    ridden.length === 0 ? 0 : ridden.reduce((sum, one) => sum + of(one), 0) / ridden.length
  return {
    ridesPerWeek: (ridden.length / days) * 7,
    meanCents: mean(({ cents }) => cents),
    meanMinutes: mean(({ minutes }) => minutes),
  }
}

/** What riding costs before anything is taken off, without fees of the return. */
function ridingCents(lines: Ride['lines']): number {
  const codes = new Set(['start', 'time', 'distance', 'band'])
  return lines.reduce((sum, { code, amountCents }) => sum + (codes.has(code) ? amountCents : 0), 0)
}

/** People buy ahead when it saves them clearly: a fifth more than the card costs. */
const clearSaving = 1.2

/** The card that saves a rider of this habit the most; null where none does clearly, or one is held already. */
export function chooseCard(
  { offered, mine }: { readonly offered: readonly OfferedCard[]; readonly mine: readonly OwnCard[] },
  habit: Habit,
): OfferedCard | null {
  const held = new Set(mine.filter(({ state }) => state === 'active').map(({ kind }) => kind))
  let best: OfferedCard | null = null
  let bestSaved = 0
  for (const card of offered) {
    if (held.has(card.kind) || card.left === 0 || card.leftForRider === 0) continue
    const saved = savedBy(card, habit) - card.priceCents
    if (saved >= card.priceCents * (clearSaving - 1) && saved > bestSaved) [best, bestSaved] = [card, saved]
  }
  return best
}

function savedBy(card: OfferedCard, { ridesPerWeek, meanCents, meanMinutes }: Habit): number {
  const inDays = (ridesPerWeek / 7) * card.days
  const rides = Math.min(inDays, card.rides ?? Infinity, (card.ridesPerDay ?? Infinity) * card.days)
  if (card.kind === 'discount')
    return rides * Math.min(card.maxOffCents ?? Infinity, (meanCents * (card.percentOff ?? 0)) / 100)
  const free = card.freeMinutes ?? 0
  return rides * meanCents * (meanMinutes <= free ? 1 : free / meanMinutes)
}

/** What an own card takes off a ride. */
export function benefitOfCard({ kind, freeMinutes, percentOff, maxOffCents, areaIds, lastDay }: OwnCard): KnownBenefit {
  return {
    kind: 'card',
    effect:
      kind === 'riding'
        ? { off: 'minutes', minutes: freeMinutes ?? 1 }
        : { off: 'percent', percent: percentOff ?? 1, maxCents: maxOffCents },
    fromCents: 0,
    conditions: { areaIds, weekdays: [], hours: null },
    endsAtMs: lastDay === null ? 0 : Date.parse(`${lastDay}T16:00:00Z`),
  }
}

export function benefitOfCoupon({ effect, fromCents = 0, conditions, endsAt }: OwnCoupon): KnownBenefit {
  const { areaIds = [], weekdays = [], hours = null } = conditions ?? {}
  return { kind: 'coupon', effect, fromCents, conditions: { areaIds, weekdays, hours }, endsAtMs: endsAt }
}

/**
 * Of a hundred who see a placement, how many tap it. Display ads get one or two, those in the way of what the rider wants
 * to do (a pop-up) get several times as many, half of them by mistake.
 */
const tapPercent: Readonly<Record<AdSlot, number>> = { popup: 6, banner: 1.6, scan: 0.8, ride_end: 2.4, mine: 1.2 }
export const tapShare = (slot: AdSlot): number => tapPercent[slot] / 100

/** Effort grows near a goal (Kivetz, Urminsky, Zheng, 2006: customers buy a fifth more often near the end of a card). */
const goalShare = 0.2

/** The share of riders with this progress who make a ride more for the next level. */
export function goalPull(activities: readonly Pick<RiderActivity, 'value' | 'levels'>[]): number {
  const pulls = activities.map(({ value, levels }) => {
    const next = levels.find(({ isReached }) => !isReached)
    return next === undefined ? 0 : goalShare * Math.max(0, 2 * (value / next.target) - 1)
  })
  return Math.max(0, ...pulls)
}

/** A reward of three yuan moves one rider in six to invite somebody, more of them for more money, up to twice as many. */
const inviteShareUsual = 1 / 6
const inviteUsualCents = 300

export const inviteShare = (rewards: readonly { readonly cents: number; readonly count: number }[]): number =>
  inviteShareUsual * Math.min(2, rewards.reduce((sum, { cents }) => sum + cents, 0) / inviteUsualCents)
