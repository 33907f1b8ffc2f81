import type { CardKind } from '@saddle/contract/finance/cards.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { benefitSchema } from '@saddle/contract/riding/benefits.ts'
import type { HeldBenefits } from '../benefits/benefits.ts'

/**
 * What day `index` (from 0) of a card earns: all its days together earn the price exactly, and no two of them differ by
 * more than a cent.
 */
export function earnedOnDay({ priceCents, days, index }: { priceCents: number; days: number; index: number }): number {
  const until = (day: number): number => Number((BigInt(priceCents) * BigInt(day)) / BigInt(days))
  return until(index + 1) - until(index)
}

/** What a card of which so many days have begun still owes: all days together are its price exactly. */
export function owedAfter({ priceCents, days, begun }: { priceCents: number; days: number; begun: number }): number {
  const earned = Array.from({ length: Math.min(days, begun) }, (_, index) => earnedOnDay({ priceCents, days, index }))
  return priceCents - earned.reduce((sum, cents) => sum + cents, 0)
}

/** Days of a card that have passed before a day. */
export const passedDays = (
  { begins_on, days }: { readonly begins_on: string; readonly days: number },
  today: string,
): number => Math.max(0, Math.min(days, Math.round((Date.parse(today) - Date.parse(begins_on)) / dayMs)))

/** Days begun: today counts if the card was used today; an unused day is refunded. */
export const begunDays = (
  card: { readonly begins_on: string; readonly days: number; readonly usedToday: boolean },
  today: string,
): number => Math.min(card.days, passedDays(card, today) + (card.usedToday ? 1 : 0))

/** A card as far as it lowers a charge. */
export type ValidCard = {
  readonly id: number
  readonly kind: CardKind
  readonly name: string
  readonly free_minutes: number | null
  readonly rides_per_day: number | null
  readonly percent_off: number | null
  /** Rides of the day on which it was used already. */
  readonly uses: number
}

/** What cards take off a ride; those whose rides of the day are used up take off nothing. */
export function benefitsOfCards(cards: readonly ValidCard[]): HeldBenefits {
  const isUsedUp = ({ rides_per_day, uses }: ValidCard): boolean => rides_per_day !== null && uses >= rides_per_day
  return {
    benefits: cards.filter((card) => !isUsedUp(card)).map((card) => benefitSchema.parse(benefitOf(card))),
    skipped: cards.filter(isUsedUp).map((card) => Object.assign(nameOf(card), { why: 'used_up' as const })),
  }
}

const nameOf = ({ id, kind, name }: ValidCard) => ({ kind: `${kind}_card` as const, id, name })

const benefitOf = (card: ValidCard) => ({
  ...nameOf(card),
  effect:
    card.kind === 'riding'
      ? { off: 'minutes', minutes: card.free_minutes }
      : { off: 'percent', percent: card.percent_off, maxCents: null },
})
