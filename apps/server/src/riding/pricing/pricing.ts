import { yuanText } from '@saddle/contract/money.ts'
import type { Benefit, ChargeLine, PriceRules, ReturnKind } from '@saddle/contract/riding/price.ts'
import { reasonOf } from '@saddle/contract/riding/reasons.ts'
import { businessDayOf, businessOffsetMs, dayMs, minuteMs } from '@saddle/contract/time.ts'

/** A ride as its price sees it. */
export type PricedRide = {
  readonly startedAt: number
  readonly endedAt: number
  readonly distanceM: number
  readonly returnKind: ReturnKind
  readonly benefits: readonly Benefit[]
  /** What the rider was already charged for riding on a calendar day (`YYYY-MM-DD`): the day's cap counts it. */
  readonly spentByDay: Readonly<Record<string, number>>
}

export type Price = { readonly lines: readonly ChargeLine[]; readonly totalCents: number }

/** Nobody is charged for more: a longer ride is a lost vehicle. Bounds the loop over its units too. */
export const pricedRideMaxMs = 7 * dayMs

/** Something of the ride that costs: where in time it begins decides its day and its band. */
type Unit = { readonly atMs: number; readonly cents: number; readonly step: number | null }

/**
 * What a ride costs under the rules, as lines that sum to the charge. Pure: the same ride under the same version has the
 * same price for ever. The charge is never negative; benefits lower riding alone, not fees and insurance.
 */
export function priceRide(rules: PriceRules, ride: PricedRide): Price {
  const endedAt = Math.min(ride.endedAt, ride.startedAt + pricedRideMaxMs)
  const elapsedMs = Math.max(0, endedAt - ride.startedAt)
  const fees = returnFees(rules, ride.returnKind)
  if (elapsedMs < rules.freeSeconds * 1_000) return priceOf(fees)
  const units = timeUnits(rules, ride.startedAt, elapsedMs)
  const riding = [
    ...startLines(rules, ride.startedAt),
    ...timeLines(rules, units),
    ...distanceLines(rules, ride),
    ...bandLines(rules, ride, units),
  ]
  const left = [...riding, ...cardLines(rules, ride, units)]
  const capped = [...left, ...capLines(rules, left, ride.spentByDay)]
  const paid = [...capped, ...benefitLines(capped, ride.benefits)]
  return priceOf([...paid, ...insuranceLines(rules), ...fees])
}

const sumOf = (lines: readonly ChargeLine[]): number => lines.reduce((sum, line) => sum + line.amountCents, 0)

const priceOf = (lines: readonly ChargeLine[]): Price => ({ lines, totalCents: sumOf(lines) })

/** Lines of riding itself: what a day's cap limits and benefits lower. */
export const cappedCodes: ReadonlySet<ChargeLine['code']> = new Set([
  'start',
  'time',
  'distance',
  'band',
  'riding_card',
  'day_cap',
])

/** What of a charge counts towards the caps of its days. */
export function ridingByDay(lines: readonly ChargeLine[]): Readonly<Record<string, number>> {
  const days: Record<string, number> = {}
  for (const { code, day, amountCents } of lines) {
    if (day !== null && cappedCodes.has(code)) days[day] = (days[day] ?? 0) + amountCents
  }
  return days
}

function timeUnits(rules: PriceRules, startedAt: number, elapsedMs: number): Unit[] {
  const units: Unit[] = []
  for (const [step, { fromMinute, everyMinutes, cents }] of rules.timeSteps.entries()) {
    const untilMinute = rules.timeSteps[step + 1]?.fromMinute ?? Number.POSITIVE_INFINITY
    for (let minute = fromMinute; minute < untilMinute && minute * minuteMs < elapsedMs; minute += everyMinutes) {
      units.push({ atMs: startedAt + minute * minuteMs, cents, step })
    }
  }
  return units
}

function startLines({ startCents, timeSteps }: PriceRules, startedAt: number): ChargeLine[] {
  if (startCents === 0) return []
  const covered = timeSteps[0]?.fromMinute ?? 0
  return [
    {
      code: 'start',
      reason: covered === 0 ? reasonOf('start') : reasonOf('startCovers', { minutes: covered }),
      day: businessDayOf(startedAt),
      quantity: 1,
      unitCents: startCents,
      amountCents: startCents,
    },
  ]
}

function timeLines(rules: PriceRules, units: readonly Unit[]): ChargeLine[] {
  const runs = Map.groupBy(units, ({ atMs, step }) => `${businessDayOf(atMs)} ${step}`)
  return [...runs.values()].flatMap((run): ChargeLine[] => {
    const [first] = run
    const step = rules.timeSteps[first?.step ?? 0]
    if (first === undefined || step === undefined || step.cents === 0) return []
    return [
      {
        code: 'time',
        reason: reasonOf('time', { from: step.fromMinute, every: step.everyMinutes, yuan: yuanText(step.cents) }),
        day: businessDayOf(first.atMs),
        quantity: run.length,
        unitCents: step.cents,
        amountCents: run.length * step.cents,
      },
    ]
  })
}

/** Metres are not known by the minute: they belong to the day on which the ride began. */
function distanceLines({ distance }: PriceRules, ride: PricedRide): ChargeLine[] {
  if (distance === null || distance.cents === 0 || ride.distanceM <= distance.fromM) return []
  const quantity = Math.ceil((ride.distanceM - distance.fromM) / distance.everyM)
  return [
    {
      code: 'distance',
      reason: reasonOf('distance', { from: distance.fromM, every: distance.everyM, yuan: yuanText(distance.cents) }),
      day: businessDayOf(ride.startedAt),
      quantity,
      unitCents: distance.cents,
      amountCents: quantity * distance.cents,
    },
  ]
}

type Band = PriceRules['bands'][number]

function isWithin(band: Band, atMs: number): boolean {
  const local = new Date(atMs + businessOffsetMs)
  const weekday = local.getUTCDay() === 0 ? 7 : local.getUTCDay()
  if (!band.weekdays.includes(weekday)) return false
  const minute = local.getUTCHours() * 60 + local.getUTCMinutes()
  return band.fromMinute <= band.toMinute
    ? minute >= band.fromMinute && minute < band.toMinute
    : minute >= band.fromMinute || minute < band.toMinute
}

const clockText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** The start fee and every unit of time that begins within a band cost so much more; the first band that fits counts. */
function bandLines(rules: PriceRules, ride: PricedRide, units: readonly Unit[]): ChargeLine[] {
  const priced = [{ atMs: ride.startedAt, cents: rules.startCents, step: null }, ...units].filter(
    ({ cents }) => cents > 0,
  )
  const found = new Map<string, { band: Band; day: string; count: number; cents: number }>()
  for (const { atMs, cents } of priced) {
    const at = rules.bands.findIndex((band) => isWithin(band, atMs))
    const band = rules.bands[at]
    if (band === undefined) continue
    const day = businessDayOf(atMs)
    const sum = found.get(`${at} ${day}`) ?? { band, day, count: 0, cents: 0 }
    sum.count += 1
    sum.cents += Math.floor((cents * band.surchargePercent) / 100)
    found.set(`${at} ${day}`, sum)
  }
  return [...found.values()]
    .filter(({ cents }) => cents > 0)
    .map(({ band, day, count, cents }) => ({
      code: 'band',
      reason: reasonOf('band', {
        name: band.name,
        from: clockText(band.fromMinute),
        to: clockText(band.toMinute),
        percent: band.surchargePercent,
        units: count,
      }),
      day,
      quantity: 1,
      unitCents: cents,
      amountCents: cents,
    }))
}

function capLines(
  rules: PriceRules,
  riding: readonly ChargeLine[],
  spentByDay: PricedRide['spentByDay'],
): ChargeLine[] {
  const { dayCapCents } = rules
  if (dayCapCents === null) return []
  return Object.entries(ridingByDay(riding)).flatMap(([day, cents]): ChargeLine[] => {
    const spent = spentByDay[day] ?? 0
    const over = cents - Math.max(0, dayCapCents - spent)
    if (over <= 0) return []
    const cap = { day, yuan: yuanText(dayCapCents) }
    const reason = spent > 0 ? reasonOf('dayCapReached', { ...cap, spent: yuanText(spent) }) : reasonOf('dayCap', cap)
    return [{ code: 'day_cap', reason, day, quantity: 1, unitCents: -over, amountCents: -over }]
  })
}

/**
 * Minutes that a riding card covers cost nothing, so that they do not use up the day's cap either: taken off after the
 * cap, a longer ride would cost less. Of several cards the one that covers most counts.
 */
function cardLines(rules: PriceRules, ride: PricedRide, units: readonly Unit[]): ChargeLine[] {
  const cards = ride.benefits.filter((benefit) => benefit.kind === 'riding_card')
  const [card] = cards.toSorted((a, b) => b.freeMinutes - a.freeMinutes)
  if (card === undefined) return []
  const until = ride.startedAt + card.freeMinutes * minuteMs
  const start: Unit = { atMs: ride.startedAt, cents: rules.startCents, step: null }
  const covered = [start, ...units].filter(({ atMs }) => atMs < until)
  const days = Map.groupBy(covered, ({ atMs }) => businessDayOf(atMs))
  return [...days].flatMap(([day, run]): ChargeLine[] => {
    const cents = run.reduce((sum, unit) => sum + unit.cents, 0)
    if (cents === 0) return []
    const reason = reasonOf('ridingCard', { name: card.name, minutes: card.freeMinutes })
    return [{ code: 'riding_card', reason, day, quantity: 1, unitCents: -cents, amountCents: -cents }]
  })
}

/** Percentages first, then coupons; each takes from what is left and never more than that. */
function benefitLines(lines: readonly ChargeLine[], benefits: readonly Benefit[]): ChargeLine[] {
  const found: ChargeLine[] = []
  let left = sumOf(lines)
  const take = (code: ChargeLine['code'], wanted: number, reason: string): void => {
    const off = Math.min(left, wanted)
    if (off <= 0) return
    left -= off
    found.push({ code, reason, day: null, quantity: 1, unitCents: -off, amountCents: -off })
  }
  for (const benefit of inOrder(benefits)) {
    if (benefit.kind === 'coupon') {
      const { name, fromCents, cents } = benefit
      const reason = reasonOf('coupon', { name, from: yuanText(fromCents), yuan: yuanText(cents) })
      if (left >= benefit.fromCents) take(benefit.kind, benefit.cents, reason)
    } else if (benefit.kind !== 'riding_card') {
      const off = Math.floor((left * benefit.percentOff) / 100)
      take(benefit.kind, off, reasonOf('percentOff', { name: benefit.name, percent: benefit.percentOff }))
    }
  }
  return found
}

const benefitOrder: readonly Benefit['kind'][] = ['riding_card', 'discount_card', 'activity', 'coupon']
const inOrder = (benefits: readonly Benefit[]): Benefit[] =>
  benefits.toSorted((a, b) => benefitOrder.indexOf(a.kind) - benefitOrder.indexOf(b.kind))

function insuranceLines({ insuranceCents }: PriceRules): ChargeLine[] {
  return insuranceCents === 0 ? [] : [feeLine('insurance', reasonOf('insurance'), insuranceCents)]
}

function returnFees(rules: PriceRules, kind: ReturnKind): ChargeLine[] {
  if (kind === 'out_of_place' && rules.outOfPlaceCents > 0) {
    return [feeLine('out_of_place', reasonOf('outOfPlace'), rules.outOfPlaceCents)]
  }
  if (kind === 'outside_area' && rules.outsideAreaCents > 0) {
    return [feeLine('outside_area', reasonOf('outsideArea'), rules.outsideAreaCents)]
  }
  if (kind === 'no_stop' && rules.noStopCents > 0) {
    return [feeLine('no_stop', reasonOf('noStop'), rules.noStopCents)]
  }
  return []
}

const feeLine = (code: ChargeLine['code'], reason: string, cents: number): ChargeLine => ({
  code,
  reason,
  day: null,
  quantity: 1,
  unitCents: cents,
  amountCents: cents,
})
