import { beginsWithin, type BenefitConditions, type BenefitEffect } from '@saddle/contract/riding/benefits.ts'
import type { PriceRules } from '@saddle/contract/riding/price.ts'
import { businessOffsetMs, minuteMs } from '@saddle/contract/time.ts'

/** What a rider expects a ride to cost, and how that decides on riding. */

export type PlannedRide = {
  readonly startMs: number
  readonly minutes: number
  readonly metres: number
  readonly areaId: number
}

/** Something that lowers the price, as the app has shown it to its rider. */
export type KnownBenefit = {
  readonly kind: 'coupon' | 'card'
  readonly effect: BenefitEffect
  readonly fromCents: number
  readonly conditions: Pick<BenefitConditions, 'areaIds' | 'weekdays' | 'hours'>
  readonly endsAtMs: number
}

/**
 * Rides change by this power of the price. Fares of city transport: −0.2 to −0.5 in the short run (T. Litman, Understanding
 * Transport Demands and Elasticities, Victoria Transport Policy Institute); walking is near for short rides: the upper half.
 */
const priceElasticity = -0.4
/** People do not ride without end because it costs nothing, and some have to ride whatever it costs. */
const factorMin = 0.4
const factorMax = 1.5
/** A ride that costs nothing counts as this share of its price: time and effort remain. */
const priceShareMin = 0.25

const dayMinutes = 1_440

/** Start fee, time and distance of a ride, with the surcharge of the hour in which it begins. */
export function listCents(rules: PriceRules, { startMs, minutes, metres }: PlannedRide): number {
  let cents = rules.startCents
  for (const [at, step] of rules.timeSteps.entries()) {
    const until = Math.min(minutes, rules.timeSteps[at + 1]?.fromMinute ?? minutes)
    if (until > step.fromMinute) cents += Math.ceil((until - step.fromMinute) / step.everyMinutes) * step.cents
  }
  const { distance } = rules
  if (distance !== null && metres > distance.fromM)
    cents += Math.ceil((metres - distance.fromM) / distance.everyM) * distance.cents
  const local = new Date(startMs + businessOffsetMs)
  const minute = Math.floor((startMs + businessOffsetMs) / minuteMs) % dayMinutes
  const weekday = local.getUTCDay() === 0 ? 7 : local.getUTCDay()
  const band = rules.bands.find(
    ({ weekdays, fromMinute, toMinute }) =>
      weekdays.includes(weekday) &&
      (fromMinute <= toMinute ? minute >= fromMinute && minute < toMinute : minute >= fromMinute || minute < toMinute),
  )
  return Math.round((cents * (100 + (band?.surchargePercent ?? 0))) / 100)
}

/** What the best of the known benefits would take off. */
export function offCents(known: readonly KnownBenefit[], rules: PriceRules, ride: PlannedRide): number {
  const full = listCents(rules, ride)
  const offs = known
    .filter(
      ({ conditions, endsAtMs, fromCents }) =>
        endsAtMs > ride.startMs &&
        full >= fromCents &&
        (conditions.areaIds.length === 0 || conditions.areaIds.includes(ride.areaId)) &&
        beginsWithin(conditions, ride.startMs),
    )
    .map(({ effect }) => offOf(effect, rules, { full, ride }))
  return Math.min(full, Math.max(0, ...offs))
}

function offOf(effect: BenefitEffect, rules: PriceRules, { full, ride }: { full: number; ride: PlannedRide }): number {
  if (effect.off === 'start') return rules.startCents
  if (effect.off === 'cents') return effect.cents
  if (effect.off === 'percent') return Math.min(effect.maxCents ?? full, Math.round((full * effect.percent) / 100))
  if (effect.off === 'minutes') return listCents(rules, { ...ride, minutes: Math.min(ride.minutes, effect.minutes) })
  // The fee of the return is nothing that a rider expects.
  return 0
}

/** How many rides there are for one at the usual price: below 1 some are not made, above 1 some are made again. */
export function rideFactor({ cents, usualCents }: { readonly cents: number; readonly usualCents: number }): number {
  if (usualCents <= 0) return 1
  const share = Math.max(priceShareMin, cents / usualCents)
  return Math.min(factorMax, Math.max(factorMin, share ** priceElasticity))
}
