import type { RiderCard } from '@saddle/contract/finance/cards.ts'
import type { AskedPayment, PaymentChannelName } from '@saddle/contract/finance/payments.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { addDays, businessDayOf, minuteMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import type { BenefitSource } from '../benefits/benefits.ts'
import { takeAgain, takeFromStock, type ProductRow } from '../cardProducts/store.ts'
import { cardSale } from '../ledger/recipes.ts'
import type { Entry } from '../ledger/rules.ts'
import type { PaidHandler } from '../payments/payments.ts'
import type { MoneyDeps } from '../deps.ts'
import type { Who } from '../wallet/who.ts'
import { earnCards } from './earning.ts'
import { benefitsOfCards, earnedUntil, refundOf } from './rules.ts'
import {
  activateCard,
  beginOf,
  cardOfRequest,
  insertCard,
  insertUses,
  lapseUnpaid,
  lockRider,
  lockUnpaidCard,
  lockValidCards,
  returnUses,
  selectBought,
  selectCards,
  type CardRow,
} from './store.ts'

export type Cards = {
  /** What cards take off the charge of a ride. */
  readonly benefits: BenefitSource
  /** Books what sold cards have earned until now; for the worker, safe on several at once. */
  earn(): Promise<number>
  /** Puts back on the shelf what was not paid for in time. */
  lapse(): Promise<number>
}

/** For so long the stock is kept for a card whose payment was started. */
export const paymentHoldMs = 15 * minuteMs
const lapsedAtOnce = 500

export function createCards(parts: Pick<MoneyDeps, 'kit' | 'ledger'>): Cards {
  const { kit } = parts
  return {
    benefits: {
      kinds: ['riding_card', 'discount_card'],
      held: async (tx, { agentId, riderId, startedAt }) =>
        benefitsOfCards(await lockValidCards(tx, { agentId, riderId }, businessDayOf(startedAt))),
      // Its cards are locked since `held`.
      recordUses: async (tx, { agentId, orderId, startedAt, uses }) => {
        const day = businessDayOf(startedAt)
        await insertUses(
          tx,
          uses.map(({ id, savedCents }) => ({ orderId, agentId, cardId: id, day, savedCents })),
        )
        return []
      },
      giveBack: (tx, { agentId, orderId, at }) => returnUses(tx, { agentId, orderId, at: new Date(at) }),
    },
    earn: () => earnCards(parts),
    lapse: () => kit.db.system((tx) => lapseUnpaid(tx, new Date(kit.clock.now()), lapsedAtOnce)),
  }
}

/**
 * A payment for a card makes it valid. One that is valid already, or that came too late and found no stock, leaves the money
 * to the balance.
 */
export const onCardPaid: PaidHandler = async (tx, paid): Promise<Entry | null> => {
  const { agentId, riderId, subjectId: cardId, channel, cents, at } = paid
  if (cardId === null) throw new Error(`payment ${paid.paymentId} names no card`)
  const who = { agentId, riderId }
  const card = await lockUnpaidCard(tx, who, cardId)
  if (card === undefined || card.price_cents !== cents) return null
  if (card.state === 'lapsed' && !(await takeAgain(tx, { agentId, productId: card.product_id }))) return null
  const beginsOn = await beginOf(tx, { who, card, today: businessDayOf(at) })
  await activateCard(tx, { id: cardId, paidBy: channel, at: new Date(at), beginsOn })
  return cardSale({ agentId, riderId, cardId, cents, at, paidBy: channel })
}

type Purchase = {
  readonly who: Who
  readonly productId: number
  readonly requestId: string
  readonly payBy: 'balance' | 'channel'
  readonly channel?: PaymentChannelName | undefined
  readonly payer?: string | undefined
}

/**
 * Sells a card: from the balance at once, or by a channel when its call-back comes. Safe to repeat. Who loses the race for
 * the last one hears why, and nothing is charged: stock, card and entry are one transaction.
 */
export async function buyCard(
  parts: MoneyDeps,
  purchase: Purchase,
): Promise<{ card: RiderCard; payment: AskedPayment | null }> {
  const { kit, ledger, payments } = parts
  const { who, productId, requestId, payBy, channel, payer } = purchase
  const at = new Date(kit.clock.now())
  const cardId = await kit.db.system(async (tx) => {
    await lockRider(tx, who)
    const known = await cardOfRequest(tx, who, requestId)
    if (known !== undefined) return known
    const product = await takeFromStock(tx, { agentId: who.agentId, productId, at })
    await checkRiderMax(tx, who, product)
    const heldUntil = new Date(at.getTime() + paymentHoldMs)
    const id = await insertCard(tx, { who, product, requestId, at, heldUntil })
    if (payBy === 'channel') return id
    const beginsOn = await beginOf(tx, { who, card: product, today: businessDayOf(at.getTime()) })
    await activateCard(tx, { id, paidBy: 'balance', at, beginsOn })
    const sale = { ...who, cardId: id, cents: product.price_cents, at: at.getTime(), paidBy: 'balance' } as const
    await ledger.post(cardSale(sale), tx)
    return id
  })
  const card = await readCard(parts, who, cardId)
  if (card.state !== 'waiting') return { card, payment: null }
  const cents = card.priceCents
  const wanted = { ...who, purpose: 'card', subjectId: cardId, channel, payer, cents, description: card.name } as const
  const { number, parameters, channel: chosen } = await payments.start(wanted)
  return { card, payment: { number, channel: chosen, cents, parameters } }
}

/** Throws card_rider_max; the rider is locked, so two purchases at once count each other. */
async function checkRiderMax(tx: Tx, who: Who, { id, rider_max: max }: ProductRow): Promise<void> {
  if (max === null) return
  const [bought] = (await selectBought(who, [id]).execute(tx)).rows
  if ((bought?.count ?? 0) >= max) throw new AppError('card_rider_max', { values: { max } })
}

export async function readCard(parts: Pick<MoneyDeps, 'kit'>, who: Who, id: number): Promise<RiderCard> {
  const [card] = await readCards(parts, who, id)
  if (card === undefined) throw new Error(`card ${id} is not there`)
  return card
}

export async function readCards({ kit }: Pick<MoneyDeps, 'kit'>, who: Who, id?: number): Promise<RiderCard[]> {
  const today = businessDayOf(kit.clock.now())
  const rows = await kit.db.read(scopeOfAgent(who.agentId), (k) => selectCards(who, { id, today }).compile(k))
  return rows.map((row) => cardOf(row, today))
}

type Refundable = Pick<CardRow, 'state' | 'begins_on' | 'price_cents' | 'days' | 'rides' | 'ridden' | 'used_today'>

/** What giving a card back now would pay. */
export function refundableCents(card: Refundable, today: string): number {
  const { state, begins_on, used_today: usedToday } = card
  if (state !== 'active' || begins_on === null) return 0
  return refundOf({ ...card, begins_on, usedToday }, today).refundCents
}

type Earned = Pick<CardRow, 'price_cents' | 'days' | 'rides' | 'earned_days' | 'earned_rides'>

export const earnedCents = ({ price_cents, days, rides, earned_days, earned_rides }: Earned): number =>
  rides === null
    ? earnedUntil({ cents: price_cents, parts: days, count: earned_days })
    : earnedUntil({ cents: price_cents, parts: rides, count: earned_rides })

export const ridesLeft = ({ rides, ridden }: Pick<CardRow, 'rides' | 'ridden'>): number | null =>
  rides === null ? null : Math.max(0, rides - ridden)

function cardOf(row: CardRow, today: string): RiderCard {
  return {
    id: row.id,
    productId: row.product_id,
    kind: row.kind,
    name: row.name,
    priceCents: row.price_cents,
    days: row.days,
    rides: row.rides,
    freeMinutes: row.free_minutes,
    ridesPerDay: row.rides_per_day,
    percentOff: row.percent_off,
    maxOffCents: row.max_off_cents,
    areaIds: row.area_ids,
    state: row.state,
    paidBy: row.paid_by,
    boughtAt: row.bought_at?.getTime() ?? null,
    firstDay: row.begins_on,
    lastDay: row.ends_on === null ? null : addDays(row.ends_on, -1),
    earnedCents: earnedCents(row),
    uses: row.uses,
    ridesLeft: ridesLeft(row),
    savedCents: row.saved_cents,
    refundableCents: refundableCents(row, today),
    refundedCents: row.refunded_cents,
    refundedAt: row.refunded_at?.getTime() ?? null,
    refundedBy: row.refunded_by,
    refundReason: row.refund_reason,
    revokedAt: row.revoked_at?.getTime() ?? null,
    revokeReason: row.revoke_reason,
  }
}
