import { dayMs } from '@saddle/contract/time.ts'
import type { AdPage } from '@saddle/contract/marketing/ads.ts'
import { benefitOfCard, benefitOfCoupon, chooseCard, chooseOffer, habitOf } from './choices.ts'
import { inviteFriend } from './invites.ts'
import { requestIdOf, type Visitor } from './visitor.ts'

/** What riders do on the pages of the app. */

export type Page = AdPage | 'messages' | 'redeem'

/** What riders come for who were not led by a placement, in percent; the rest looks at the map only. */
const interests: readonly (readonly [Page, number])[] = [
  ['coupon', 18],
  ['wallet', 16],
  ['activity', 12],
  ['messages', 10],
  ['mall', 9],
  ['invite', 5],
  ['help', 4],
  ['redeem', 2],
]

export function interestOf({ random }: Visitor): Page | null {
  let draw = random.next() * 100
  for (const [page, percent] of interests) if ((draw -= percent) < 0) return page
  return null
}

export async function openPage(visitor: Visitor, page: Page): Promise<void> {
  await pages[page](visitor)
}

const pages: Readonly<Record<Page, (visitor: Visitor) => Promise<void>>> = {
  activity: lookAtOffers,
  wallet: lookAtOffers,
  mall: lookAtMall,
  coupon: lookAtCoupons,
  help: readHelp,
  invite: inviteFriend,
  messages: readMessages,
  redeem: redeemCode,
}

/** Below this share of the usual sum a wallet is filled again. */
const lowShare = 0.4
/** Without an offer, one rider in so many prefers a filled wallet to paying each ride. */
const plainShare = 0.25
const rechargeMinCents = 100

/** Recharges when the balance is low: by an offer that suits, or the usual sum. */
async function lookAtOffers(visitor: Visitor): Promise<void> {
  const { city, person, who, areaId, random } = visitor
  const money = await visitor.ask('readWallet', who)
  const shown = await visitor.ask('riderRechargeOffers', { ...who, areaId })
  await visitor.ask('riderActivities', who)
  if (money === null || shown === null) return
  if (money.wallet.balanceCents > person.usualRechargeCents * lowShare) return
  const { payer } = person
  const offer = chooseOffer(shown.offers, { usualCents: person.usualRechargeCents, roomCents: shown.roomCents })
  if (offer !== null) {
    const requestId = requestIdOf(visitor, 'offer')
    const { activityId, payCents: cents } = offer
    const payment = await visitor.ask('riderRechargeWithOffer', { ...who, activityId, cents, areaId, requestId, payer })
    if (payment === null || !(await visitor.pay(payment.number))) return
    city.counts.recharged++
    city.counts.offersTaken++
    return
  }
  const cents = Math.min(person.usualRechargeCents, shown.roomCents ?? Infinity)
  if (cents < rechargeMinCents || !random.chance(plainShare)) return
  const requestId = requestIdOf(visitor, 'recharge')
  const payment = await visitor.ask('recharge', { ...who, cents, requestId, payer })
  if (payment !== null && (await visitor.pay(payment.number))) city.counts.recharged++
}

/** Buys the card that saves money at the pace at which they ride. */
async function lookAtMall(visitor: Visitor): Promise<void> {
  const { city, person, who, areaId, memory } = visitor
  const shelf = await visitor.ask('offeredCards', { ...who, areaId })
  if (shelf === null) return
  const cards = shelf.mine.filter(({ state }) => state === 'active').map(benefitOfCard)
  memory.benefits = [...memory.benefits.filter(({ kind }) => kind !== 'card'), ...cards]
  const rides = await visitor.ask('ownRides', { phone: who.phone })
  if (rides === null) return
  const card = chooseCard(shelf, habitOf(rides, city.timer.nowMs))
  if (card === null) return
  const money = await visitor.ask('readWallet', who)
  const payBy = (money?.wallet.balanceCents ?? 0) >= card.priceCents ? 'balance' : 'channel'
  const requestId = requestIdOf(visitor, 'card')
  const bought = await visitor.ask('buyCard', { ...who, productId: card.id, payBy, requestId, payer: person.payer })
  if (bought === null) return
  if (bought.payment !== null && !(await visitor.pay(bought.payment.number))) return
  city.counts.cards++
  const lastDay = new Date(city.timer.nowMs + card.days * dayMs).toISOString().slice(0, 10)
  memory.benefits = [...memory.benefits, benefitOfCard({ ...bought.card, lastDay: bought.card.lastDay ?? lastDay })]
}

async function lookAtCoupons(visitor: Visitor): Promise<void> {
  const { who, memory } = visitor
  const held = await visitor.ask('riderCoupons', who)
  if (held === null) return
  const coupons = held.list.filter(({ state }) => state === 'open').map(benefitOfCoupon)
  memory.benefits = [...memory.benefits.filter(({ kind }) => kind !== 'coupon'), ...coupons]
}

/** People mistype a printed code now and then. */
const mistypedShare = 0.1

/** Types the code of a card that was handed out in the street. */
async function redeemCode(visitor: Visitor): Promise<void> {
  const { city, who, random, memory } = visitor
  const codes = city.codesOf(who.agentId)
  const [first] = codes
  if (first === undefined) return
  const right = codes[random.below(codes.length)] ?? first
  const code = random.chance(mistypedShare) ? `${right.slice(0, -1)}${right.endsWith('7') ? '8' : '7'}` : right
  const coupon = await visitor.ask('riderClaimCoupon', { ...who, code })
  if (coupon === null) return
  city.counts.codesClaimed++
  memory.benefits = [...memory.benefits, benefitOfCoupon(coupon)]
}

const judgeShare = 0.3
const usefulShare = 0.8

async function readHelp(visitor: Visitor): Promise<void> {
  const { who, areaId, random } = visitor
  const shown = await visitor.ask('riderHelp', { agentId: who.agentId, areaId })
  const article = shown?.list[random.below(shown.list.length)]
  if (article === undefined) return
  const read = await visitor.ask('riderReadHelp', { ...who, id: article.id })
  if (read === null || !random.chance(judgeShare)) return
  await visitor.ask('riderJudgeHelp', { ...who, id: article.id, isUseful: random.chance(usefulShare) })
}

async function readMessages(visitor: Visitor): Promise<void> {
  const shown = await visitor.ask('riderMessages', visitor.who)
  if (shown !== null && shown.unread > 0) await visitor.ask('riderReadMessages', visitor.who)
}
