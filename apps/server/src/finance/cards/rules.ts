import type { CardKind, CardTerms } from '@saddle/contract/finance/cardTerms.ts'
import { businessDayStart, dayMs } from '@saddle/contract/time.ts'
import { benefitSchema } from '@saddle/contract/riding/benefits.ts'
import type { HeldBenefits } from '../benefits/benefits.ts'

/** What the first `count` of so many equal parts of a price are: all parts together are the price exactly. */
export function earnedUntil({ cents, parts, count }: { cents: number; parts: number; count: number }): number {
  return Number((BigInt(cents) * BigInt(Math.min(parts, Math.max(0, count)))) / BigInt(parts))
}

/** What day `index` (from 0) of a card earns; no two days differ by more than a cent. */
export function earnedOnDay({ priceCents, days, index }: { priceCents: number; days: number; index: number }): number {
  const until = (count: number): number => earnedUntil({ cents: priceCents, parts: days, count })
  return until(index + 1) - until(index)
}

type Dated = { readonly begins_on: string; readonly days: number }

/** Days of a card that have passed before a day. */
export const passedDays = ({ begins_on, days }: Dated, today: string): number =>
  Math.max(0, Math.min(days, Math.round((Date.parse(today) - Date.parse(begins_on)) / dayMs)))

/** Days begun: today counts if the card was used today; an unused day is refunded. */
export const begunDays = (card: Dated & { readonly usedToday: boolean }, today: string): number =>
  Math.min(card.days, passedDays(card, today) + (card.usedToday ? 1 : 0))

/** What of a sold card is earned when it is given back now, and what is paid back. */
export function refundOf(
  card: Dated & {
    readonly price_cents: number
    readonly rides: number | null
    readonly ridden: number
    readonly usedToday: boolean
  },
  today: string,
): { readonly used: number; readonly refundCents: number } {
  const used = card.rides === null ? begunDays(card, today) : card.ridden
  const earned = earnedUntil({ cents: card.price_cents, parts: card.rides ?? card.days, count: used })
  return { used, refundCents: card.price_cents - earned }
}

/** A card as far as it lowers a charge. */
export type ValidCard = {
  readonly id: number
  readonly kind: CardKind
  readonly name: string
  readonly free_minutes: number | null
  readonly rides_per_day: number | null
  readonly rides: number | null
  readonly ridden: number
  readonly percent_off: number | null
  readonly max_off_cents: number | null
  readonly area_ids: readonly number[]
  /** The first day on which it is not valid any more. */
  readonly ends_on: string
  /** Rides of the day on which it was used already. */
  readonly uses: number
}

/** What cards take off a ride; those whose rides of the day or in all are used up take off nothing. */
export function benefitsOfCards(cards: readonly ValidCard[]): HeldBenefits {
  const isUsedUp = ({ rides_per_day, uses, rides, ridden }: ValidCard): boolean =>
    (rides_per_day !== null && uses >= rides_per_day) || (rides !== null && ridden >= rides)
  return {
    benefits: cards.filter((card) => !isUsedUp(card)).map((card) => benefitSchema.parse(benefitOf(card))),
    skipped: cards.filter(isUsedUp).map((card) => Object.assign(nameOf(card), { why: 'used_up' as const })),
  }
}

const nameOf = ({ id, kind, name }: Pick<ValidCard, 'id' | 'kind' | 'name'>) => ({
  kind: `${kind}_card` as const,
  id,
  name,
})

const benefitOf = (card: ValidCard) => ({
  ...nameOf(card),
  effect: effectOf(card),
  conditions: { areaIds: [...card.area_ids] },
  endsAt: businessDayStart(card.ends_on),
})

const effectOf = (card: Pick<ValidCard, 'kind' | 'free_minutes' | 'percent_off' | 'max_off_cents'>) =>
  card.kind === 'riding'
    ? { off: 'minutes', minutes: card.free_minutes }
    : { off: 'percent', percent: card.percent_off, maxCents: card.max_off_cents }

/** The columns of a product and of a card sold of it that its terms fill. */
export const promiseColumns = (terms: CardTerms) => ({
  kind: terms.kind,
  name: terms.name,
  price_cents: terms.priceCents,
  days: terms.days,
  rides: terms.rides,
  free_minutes: terms.freeMinutes,
  rides_per_day: terms.ridesPerDay,
  percent_off: terms.percentOff,
  max_off_cents: terms.maxOffCents,
  area_ids: [...new Set(terms.areaIds)].toSorted((a, b) => a - b),
})
