import { yuanText } from '@saddle/contract/money.ts'
import { reasonOf } from '@saddle/contract/riding/reasons.ts'
import {
  beginsWithin,
  benefitKinds,
  type Benefit,
  type BenefitKind,
  type SkippedBenefit,
  type SkipReason,
  type Weather,
} from '@saddle/contract/riding/benefits.ts'
import type { ChargeLine, ReturnKind } from '@saddle/contract/riding/price.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { createTrial, type Choice, type RidingCharge, type Taken, type Trial } from './trial.ts'

/**
 * Version of the rules for combining benefits. A charge keeps its version, so that it can be recomputed; a change of
 * the code below needs a new version next to the old one.
 */
export const benefitRulesVersion = 1

/** What conditions of benefits ask of a ride. Null: not known, so a benefit that asks for it does not hold. */
export type RideFacts = {
  readonly startedAt: number
  readonly endedAt: number
  readonly distanceM: number
  readonly returnKind: ReturnKind
  readonly areaId: number
  readonly model: string | null
  readonly weather: Weather | null
}

export type Applied = {
  /** What each benefit takes off, in the order in which they apply; all above zero. */
  readonly taken: readonly Taken[]
  /** What the caps of the days take off after free minutes. */
  readonly capByDay: ReadonlyMap<string, number>
  readonly skipped: readonly SkippedBenefit[]
}

/**
 * The benefits of a rider that lower a charge, and those that do not with the reason. Of all combinations with at most one
 * benefit of each kind the one that leaves the rider the least to pay is taken; of equal ones that with fewer benefits, then
 * that which wastes less of a coupon, then that whose benefits lapse first. The order in which they are given plays no
 * part. Equal coupons are tried once.
 */
export function applyBenefits(charge: RidingCharge, ride: RideFacts, benefits: readonly Benefit[]): Applied {
  const skipped: SkippedBenefit[] = []
  const holding: Benefit[] = []
  for (const benefit of benefits) {
    const why = whyNot(benefit, ride)
    if (why === null) holding.push(benefit)
    else skipped.push(skip(benefit, why))
  }
  const trial = createTrial(charge)
  const best = bestOf(trial, holding)
  const capByDay = new Map<string, number>()
  const taken = trial.details(best, capByDay)
  for (const benefit of holding) {
    if (!best.includes(benefit)) skipped.push(skip(benefit, whySkipped(trial, benefit, best)))
  }
  return { taken, capByDay, skipped }
}

const skip = ({ kind, id, name }: Benefit, why: SkipReason): SkippedBenefit => ({ kind, id, name, why })

function whyNot({ conditions: asked }: Benefit, ride: RideFacts): SkipReason | null {
  if (asked.areaIds.length > 0 && !asked.areaIds.includes(ride.areaId)) return 'area'
  if (asked.models.length > 0 && (ride.model === null || !asked.models.includes(ride.model))) return 'model'
  if (!beginsWithin(asked, ride.startedAt)) return 'time'
  if (asked.weathers.length > 0 && (ride.weather === null || !asked.weathers.includes(ride.weather))) return 'weather'
  if (asked.parked && ride.returnKind !== 'in_place') return 'place'
  const isLongEnough = ride.endedAt - ride.startedAt >= asked.minMinutes * minuteMs && ride.distanceM >= asked.minMetres
  return isLongEnough ? null : 'too_short'
}

function bestOf(trial: Trial, holding: readonly Benefit[]): readonly Benefit[] {
  const joint = benefitKinds.map((kind) => [
    null,
    ...distinct(holding.filter((one) => one.kind === kind && !one.alone)),
  ])
  let best: Choice = []
  let leastCents = trial.run(best)
  let bestTie = trial.tieOf(best)
  const tryOut = (choice: Choice): void => {
    const cents = trial.run(choice)
    if (cents > leastCents) return
    const tie = trial.tieOf(choice)
    if (cents === leastCents && !isLess(tie, bestTie)) return
    best = choice
    leastCents = cents
    bestTie = tie
  }
  const [cards = [], discounts = [], activities = [], coupons = []] = joint
  for (const card of cards) {
    for (const discount of discounts) {
      for (const activity of activities) for (const coupon of coupons) tryOut([card, discount, activity, coupon])
    }
  }
  for (const benefit of distinct(holding.filter(({ alone }) => alone))) tryOut([benefit])
  return best.filter((benefit) => benefit !== null)
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? 0
    if (value !== other) return value < other
  }
  return false
}

/** Of several equivalent benefits, the one that expires first. */
function distinct(benefits: readonly Benefit[]): Benefit[] {
  const found = new Map<string, Benefit>()
  for (const benefit of benefits) {
    const name = nameOfEffect(benefit)
    const other = found.get(name)
    if (other === undefined || lapsesBefore(benefit, other)) found.set(name, benefit)
  }
  return [...found.values()]
}

function nameOfEffect({ kind, effect, fromCents }: Benefit): string {
  const { off } = effect
  const size = off === 'minutes' ? effect.minutes : off === 'cents' ? effect.cents : 0
  const percent = off === 'percent' ? `${effect.percent} ${effect.maxCents}` : ''
  return `${kind} ${off} ${size} ${percent} ${fromCents}`
}

const never = Number.MAX_SAFE_INTEGER
const lapsesBefore = (a: Benefit, b: Benefit): boolean => {
  const [first, second] = [a.endsAt ?? never, b.endsAt ?? never]
  return first === second ? a.id < b.id : first < second
}

/** Why an applicable benefit is not in the best combination. */
function whySkipped(trial: Trial, benefit: Benefit, best: readonly Benefit[]): SkipReason {
  const alone = trial.run([benefit])
  if (alone === trial.run([])) return benefit.fromCents > trial.capped ? 'below_minimum' : 'nothing_left'
  if (benefit.alone || best.some((other) => other.alone)) return 'stands_alone'
  if (best.some((other) => other.kind === benefit.kind)) return 'other_is_better'
  const kinds: readonly BenefitKind[] = benefitKinds
  const before = best.filter(({ kind }) => kinds.indexOf(kind) < kinds.indexOf(benefit.kind))
  return before.length > 0 && benefit.fromCents > trial.ridingLeft(before) ? 'below_minimum' : 'nothing_left'
}

/** The lines of a charge for what a benefit takes off: one a day for free minutes, one for everything else. */
export function linesOf({ benefit, cents, byDay }: Taken): ChargeLine[] {
  const code = benefit.effect.off === 'fee' ? 'fee_benefit' : benefit.kind
  const of = (day: string | null, off: number): ChargeLine => ({
    code,
    reason: reasonOfBenefit(benefit),
    day,
    quantity: 1,
    unitCents: -off,
    amountCents: -off,
    benefit: `${benefit.kind}:${benefit.id}`,
    bearer: benefit.bearer,
  })
  return byDay === null ? [of(null, cents)] : [...byDay].map(([day, off]) => of(day, off))
}

function reasonOfBenefit({ kind, name, effect, fromCents }: Benefit): string {
  switch (effect.off) {
    case 'minutes':
      return reasonOf(kind === 'riding_card' ? 'ridingCard' : 'freeMinutes', { name, minutes: effect.minutes })
    case 'start':
      return reasonOf('freeStart', { name })
    case 'percent': {
      const { percent, maxCents } = effect
      return maxCents === null
        ? reasonOf('percentOff', { name, percent })
        : reasonOf('percentOffUpTo', { name, percent, yuan: yuanText(maxCents) })
    }
    case 'cents': {
      const yuan = yuanText(effect.cents)
      return fromCents === 0
        ? reasonOf('centsOff', { name, yuan })
        : reasonOf('centsOffFrom', { name, from: yuanText(fromCents), yuan })
    }
    case 'fee':
      return reasonOf('feeOff', { name })
  }
}
