import type { CardTerms } from '@saddle/contract/finance/cardTerms.ts'
import type { CardPreview } from '@saddle/contract/riding/cardPreview.ts'
import { benefitSchema, type Benefit } from '@saddle/contract/riding/benefits.ts'
import { businessDayOf, businessDayStart, dayMs } from '@saddle/contract/time.ts'

/** A card as the engine takes it. */
export function benefitOfTerms(terms: CardTerms): Benefit {
  const { kind, name, freeMinutes, percentOff, maxOffCents, areaIds } = terms
  const effect =
    kind === 'riding'
      ? { off: 'minutes', minutes: freeMinutes }
      : { off: 'percent', percent: percentOff, maxCents: maxOffCents }
  return benefitSchema.parse({ kind: `${kind}_card`, id: 0, name, effect, conditions: { areaIds } })
}

/** A ride of the past: when it began, what it cost, and what the card would have taken off it. */
export type PastRide = { readonly startedAt: number; readonly paidCents: number; readonly savedCents: number }

export type Outcome = {
  readonly rides: number
  readonly paidCents: number
  readonly savedCents: number
  readonly cardsCents: number
}

/**
 * What a rider would have saved who has a card whenever one of their rides would use it, and what the cards would have
 * cost. The last card counts by the part of it that was used until now: its days go on.
 */
export function outcomeOf(
  rides: readonly PastRide[],
  terms: Pick<CardTerms, 'priceCents' | 'days' | 'rides' | 'ridesPerDay'>,
  nowMs: number,
): Outcome {
  let [savedCents, cardsCents, paidCents] = [0, 0, 0]
  let card: { readonly endsAt: number; readonly beganAt: number; used: number } | null = null
  let [day, usedToday] = ['', 0]
  for (const { startedAt, paidCents: paid, savedCents: saved } of rides) {
    paidCents += paid
    if (saved <= 0) continue
    const today = businessDayOf(startedAt)
    if (today !== day) [day, usedToday] = [today, 0]
    if (terms.ridesPerDay !== null && usedToday >= terms.ridesPerDay) continue
    if (card === null || startedAt >= card.endsAt || (terms.rides !== null && card.used >= terms.rides)) {
      const beganAt = businessDayStart(today)
      card = { beganAt, endsAt: beganAt + terms.days * dayMs, used: 0 }
      cardsCents += terms.priceCents
    }
    card.used += 1
    usedToday += 1
    savedCents += saved
  }
  if (card !== null) cardsCents -= Math.floor(terms.priceCents * (1 - partUsed(card, terms, nowMs)))
  return { rides: rides.length, paidCents, savedCents, cardsCents }
}

function partUsed(
  card: { readonly beganAt: number; readonly used: number },
  { days, rides }: Pick<CardTerms, 'days' | 'rides'>,
  nowMs: number,
): number {
  const byDays = Math.min(1, Math.max(0, (nowMs - card.beganAt) / (days * dayMs)))
  return rides === null ? byDays : Math.max(byDays, card.used / rides)
}

/** Riders by their number of rides, each group from here to the next. */
const groupsFrom = [1, 3, 6, 11, 21, 41] as const

/** All riders together, and by how often they rode. */
export function summaryOf(outcomes: readonly Outcome[]): Omit<CardPreview, 'weeks' | 'isCut'> {
  const gained = outcomes.filter(gains)
  const sum = (of: readonly Outcome[], key: keyof Outcome): number => of.reduce((total, one) => total + one[key], 0)
  const groups = groupsFrom.map((from, index) => {
    const next = groupsFrom[index + 1]
    const own = outcomes.filter(({ rides }) => rides >= from && (next === undefined || rides < next))
    const mean = (key: keyof Outcome): number => (own.length === 0 ? 0 : Math.round(sum(own, key) / own.length))
    return {
      from,
      to: next === undefined ? null : next - 1,
      riders: own.length,
      gainers: own.filter(gains).length,
      savedCents: mean('savedCents'),
      cardsCents: mean('cardsCents'),
    }
  })
  return {
    rides: sum(outcomes, 'rides'),
    riders: outcomes.length,
    paidCents: sum(outcomes, 'paidCents'),
    gainers: gained.length,
    savedCents: sum(gained, 'savedCents'),
    cardsCents: sum(gained, 'cardsCents'),
    ridesToGain: gained.length === 0 ? null : Math.min(...gained.map(({ rides }) => rides)),
    groups,
  }
}

const gains = ({ savedCents, cardsCents }: Outcome): boolean => savedCents > cardsCents
