import { yuanText } from '@saddle/contract/money.ts'
import type { Benefit, SkippedBenefit } from '@saddle/contract/riding/benefits.ts'
import type { ChargeLine, PriceRules } from '@saddle/contract/riding/price.ts'
import { reasonOf } from '@saddle/contract/riding/reasons.ts'
import { businessDayOf, businessOffsetMs, dayMs, minuteMs } from '@saddle/contract/time.ts'
import { applyBenefits, linesOf, type RideFacts } from './benefits.ts'

/** A ride as its price sees it. */
export type PricedRide = RideFacts & {
  readonly benefits: readonly Benefit[]
  /** What the rider was already charged for riding on a calendar day (`YYYY-MM-DD`): the day's cap counts it. */
  readonly spentByDay: Readonly<Record<string, number>>
}

export type Price = {
  readonly lines: readonly ChargeLine[]
  readonly totalCents: number
  /** The benefits that lowered it. */
  readonly applied: readonly Benefit[]
  /** Those that did not, with the reason. */
  readonly skipped: readonly SkippedBenefit[]
}

/** Nobody is charged for more: a longer ride is a lost vehicle. Bounds the loop over its units too. */
export const pricedRideMaxMs = 7 * dayMs

/** Something of the ride that costs: where in time it begins decides its day and its band. */
type Unit = { readonly atMs: number; readonly cents: number; readonly step: number | null }

/**
 * What a ride costs under the rules, as lines that sum to the charge. Pure: the same ride with the same benefits under the
 * same version has the same price for ever. The charge is never negative. Benefits lower riding, and the fee of the
 * return where they say so, but not the insurance.
 */
export function priceRide(rules: PriceRules, ride: PricedRide): Price {
  const endedAt = Math.min(ride.endedAt, ride.startedAt + pricedRideMaxMs)
  const elapsedMs = Math.max(0, endedAt - ride.startedAt)
  const isFree = elapsedMs < rules.freeSeconds * 1_000
  const units = isFree ? [] : timeUnits(rules, ride.startedAt, elapsedMs)
  const riding = isFree ? [] : ridingLines(rules, ride, units)
  const fees = returnFees(rules, ride.returnKind)
  const byDay = ridingByDay(riding)
  const start = { atMs: ride.startedAt, cents: rules.startCents, step: null }
  const charge = {
    units: isFree ? [] : [start, ...units].map((unit) => Object.assign(unit, { day: businessDayOf(unit.atMs) })),
    byDay: new Map(Object.entries(byDay)),
    roomByDay: roomOf(rules, byDay, ride.spentByDay),
    feeCents: sumOf(fees),
  }
  const { taken, capByDay, skipped } = applyBenefits(charge, { ...ride, endedAt }, ride.benefits)
  const off = taken.flatMap(linesOf)
  const lines = [
    ...riding,
    ...off.filter(({ day }) => day !== null),
    ...capLines(rules, capByDay, ride.spentByDay),
    ...off.filter(({ day, code }) => day === null && code !== 'fee_benefit'),
    ...(isFree ? [] : insuranceLines(rules)),
    ...fees,
    ...off.filter(({ code }) => code === 'fee_benefit'),
  ]
  return { lines, totalCents: sumOf(lines), applied: taken.map(({ benefit }) => benefit), skipped }
}

const ridingLines = (rules: PriceRules, ride: PricedRide, units: readonly Unit[]): ChargeLine[] => [
  ...startLines(rules, ride.startedAt),
  ...timeLines(rules, units),
  ...distanceLines(rules, ride),
  ...bandLines(rules, ride, units),
]

const sumOf = (lines: readonly ChargeLine[]): number => lines.reduce((sum, line) => sum + line.amountCents, 0)

/** What of a charge counts towards the caps of its days: lines of a day are lines of riding itself. */
export function ridingByDay(lines: readonly ChargeLine[]): Readonly<Record<string, number>> {
  const days: Record<string, number> = {}
  for (const { day, amountCents } of lines) if (day !== null) days[day] = (days[day] ?? 0) + amountCents
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
    lineOf({
      code: 'start',
      reason: covered === 0 ? reasonOf('start') : reasonOf('startCovers', { minutes: covered }),
      day: businessDayOf(startedAt),
      quantity: 1,
      unitCents: startCents,
    }),
  ]
}

function timeLines(rules: PriceRules, units: readonly Unit[]): ChargeLine[] {
  const runs = Map.groupBy(units, ({ atMs, step }) => `${businessDayOf(atMs)} ${step}`)
  return [...runs.values()].flatMap((run): ChargeLine[] => {
    const [first] = run
    const step = rules.timeSteps[first?.step ?? 0]
    if (first === undefined || step === undefined || step.cents === 0) return []
    return [
      lineOf({
        code: 'time',
        reason: reasonOf('time', { from: step.fromMinute, every: step.everyMinutes, yuan: yuanText(step.cents) }),
        day: businessDayOf(first.atMs),
        quantity: run.length,
        unitCents: step.cents,
      }),
    ]
  })
}

/** Metres are not known by the minute: they belong to the day on which the ride began. */
function distanceLines({ distance }: PriceRules, ride: PricedRide): ChargeLine[] {
  if (distance === null || distance.cents === 0 || ride.distanceM <= distance.fromM) return []
  const quantity = Math.ceil((ride.distanceM - distance.fromM) / distance.everyM)
  return [
    lineOf({
      code: 'distance',
      reason: reasonOf('distance', { from: distance.fromM, every: distance.everyM, yuan: yuanText(distance.cents) }),
      day: businessDayOf(ride.startedAt),
      quantity,
      unitCents: distance.cents,
    }),
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
    .map(({ band, day, count, cents }) =>
      lineOf({
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
      }),
    )
}

/** What each day may still cost under the cap. */
function roomOf(
  { dayCapCents }: PriceRules,
  byDay: Readonly<Record<string, number>>,
  spentByDay: PricedRide['spentByDay'],
): Map<string, number> {
  if (dayCapCents === null) return new Map()
  return new Map(Object.keys(byDay).map((day) => [day, Math.max(0, dayCapCents - (spentByDay[day] ?? 0))]))
}

function capLines(
  { dayCapCents }: PriceRules,
  capByDay: ReadonlyMap<string, number>,
  spentByDay: PricedRide['spentByDay'],
): ChargeLine[] {
  return [...capByDay].map(([day, over]) => {
    const spent = spentByDay[day] ?? 0
    const cap = { day, yuan: yuanText(dayCapCents ?? 0) }
    const reason = spent > 0 ? reasonOf('dayCapReached', { ...cap, spent: yuanText(spent) }) : reasonOf('dayCap', cap)
    return lineOf({ code: 'day_cap', reason, day, quantity: 1, unitCents: -over })
  })
}

function insuranceLines({ insuranceCents }: PriceRules): ChargeLine[] {
  return insuranceCents === 0 ? [] : [feeLine('insurance', reasonOf('insurance'), insuranceCents)]
}

function returnFees(rules: PriceRules, kind: RideFacts['returnKind']): ChargeLine[] {
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

const feeLine = (code: ChargeLine['code'], reason: string, cents: number): ChargeLine =>
  lineOf({ code, reason, day: null, quantity: 1, unitCents: cents })

/** A line that no benefit produced. */
export const lineOf = (line: Pick<ChargeLine, 'code' | 'reason' | 'day' | 'quantity' | 'unitCents'>): ChargeLine => ({
  ...line,
  amountCents: line.quantity * line.unitCents,
  benefit: null,
  bearer: null,
})
