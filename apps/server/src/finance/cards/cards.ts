import type { RiderCard } from '@saddle/contract/finance/cards.ts'
import type { AskedPayment, PaymentChannelName } from '@saddle/contract/finance/payments.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { addDays, businessDayEnd, businessDayOf } from '@saddle/contract/time.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { codeOf } from '#kit/codes.ts'
import type { BenefitSource } from '../benefits/benefits.ts'
import { cardEarning, cardSale } from '../ledger/recipes.ts'
import type { Entry } from '../ledger/rules.ts'
import type { PaidHandler } from '../payments/payments.ts'
import type { MoneyDeps } from '../deps.ts'
import type { Who } from '../wallet/who.ts'
import { begunDays, benefitsOfCards, earnedOnDay, owedAfter, passedDays } from './rules.ts'
import {
  activateCard,
  insertCard,
  insertUses,
  lockProduct,
  lockValidCards,
  lockWaitingCard,
  markEarned,
  selectCards,
  selectUnearned,
  type CardRow,
  type EarningCard,
} from './store.ts'

export type Cards = {
  /** What cards take off the charge of a ride. */
  readonly benefits: BenefitSource
  /** Books what the days of sold cards have earned until today; for the worker, safe on several at once. */
  earn(): Promise<number>
}

export function createCards(parts: Pick<MoneyDeps, 'kit' | 'ledger'>): Cards {
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
    },
    earn: () => earnCards(parts),
  }
}

/** A payment for a card makes it valid; one that is valid already leaves the money to the balance. */
export const onCardPaid: PaidHandler = async (tx, paid): Promise<Entry | null> => {
  const { agentId, riderId, subjectId: cardId, channel, cents, at } = paid
  if (cardId === null) throw new Error(`payment ${paid.paymentId} names no card`)
  const who = { agentId, riderId }
  const card = await lockWaitingCard(tx, who, cardId)
  if (card === undefined || card.price_cents !== cents) return null
  await activateCard(tx, { id: cardId, who, paidBy: channel, at: new Date(at), today: businessDayOf(at) })
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

/** Sells a card: from the balance at once, or by a channel when its call-back comes. Safe to repeat. */
export async function buyCard(
  parts: MoneyDeps,
  purchase: Purchase,
): Promise<{ card: RiderCard; payment: AskedPayment | null }> {
  const { kit, ledger, payments } = parts
  const { who, productId, requestId, payBy, channel, payer } = purchase
  const at = new Date(kit.clock.now())
  const cardId = await kit.db.system(async (tx) => {
    const product = await lockProduct(tx, { agentIds: [who.agentId], id: productId })
    if (product === undefined || product.state !== 'on') throw new AppError('not_found')
    const { id, isNew } = await insertCard(tx, { who, product, requestId, at })
    if (!isNew || payBy === 'channel') return id
    await activateCard(tx, { id, who, paidBy: 'balance', at, today: businessDayOf(at.getTime()) })
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

/** What giving a card back now would pay. */
export function refundableCents(card: CardRow, today: string): number {
  const { state, begins_on, price_cents: priceCents, days, used_today: usedToday } = card
  if (state !== 'active' || begins_on === null) return 0
  return owedAfter({ priceCents, days, begun: begunDays({ begins_on, days, usedToday }, today) })
}

export const payers = ['balance', 'wechat', 'alipay', 'sandbox'] as const

function cardOf(row: CardRow, today: string): RiderCard {
  const earned = Array.from({ length: row.earned_days }, (_, index) =>
    earnedOnDay({ priceCents: row.price_cents, days: row.days, index }),
  )
  return {
    id: row.id,
    productId: row.product_id,
    kind: row.kind,
    name: row.name,
    priceCents: row.price_cents,
    days: row.days,
    freeMinutes: row.free_minutes,
    ridesPerDay: row.rides_per_day,
    percentOff: row.percent_off,
    state: row.state,
    paidBy: row.paid_by === null ? null : codeOf(payers, row.paid_by),
    boughtAt: row.bought_at?.getTime() ?? null,
    firstDay: row.begins_on,
    lastDay: row.ends_on === null ? null : addDays(row.ends_on, -1),
    earnedCents: earned.reduce((sum, cents) => sum + cents, 0),
    uses: row.uses,
    savedCents: row.saved_cents,
    refundableCents: refundableCents(row, today),
    refundedCents: row.refunded_cents,
    refundedAt: row.refunded_at?.getTime() ?? null,
    refundedBy: row.refunded_by,
    refundReason: row.refund_reason,
  }
}

const earnedAtOnce = 500

/**
 * Each day of a card is one entry under its own key: what a server had posted when it died is answered with the first
 * entry, and no day is earned twice.
 */
async function earnCards({ kit, ledger }: Pick<MoneyDeps, 'kit' | 'ledger'>): Promise<number> {
  const today = businessDayOf(kit.clock.now())
  let earned = 0
  for (;;) {
    const cards = await kit.db.systemRead((k) => selectUnearned(today, earnedAtOnce).compile(k))
    const entries = cards.flatMap((card) => earningsOf(card, passedDays(card, today)))
    const answers = await ledger.postMany(entries)
    const refused = answers.find((answer) => answer.status === 'rejected')
    if (refused !== undefined) throw new Error('the ledger refused what cards have earned', { cause: refused.reason })
    earned += entries.length
    await kit.db.system((tx) =>
      markEarned(
        tx,
        cards.map((card) => ({ id: card.id, earnedDays: passedDays(card, today) })),
      ),
    )
    if (cards.length < earnedAtOnce) return earned
  }
}

/** The entries of what a card has earned until so many of its days, but for those that are booked. */
export function earningsOf(card: EarningCard, until: number): Entry[] {
  const { id: cardId, agent_id: agentId, rider_id: riderId, price_cents: priceCents, days } = card
  const entries: Entry[] = []
  for (let index = card.earned_days; index < until; index += 1) {
    const cents = earnedOnDay({ priceCents, days, index })
    const day = addDays(card.begins_on, index)
    // A card of fewer cents than days has days that earn nothing.
    if (cents > 0) entries.push(cardEarning({ agentId, riderId, cardId, cents, day, at: businessDayEnd(day) }))
  }
  return entries
}
