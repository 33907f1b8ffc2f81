import { benefitKinds, type Benefit } from '@saddle/contract/riding/benefits.ts'
import { minuteMs } from '@saddle/contract/time.ts'

/** Something of the ride that costs: where in time it begins decides its day. `cents` may be 0. */
export type RidingUnit = { readonly atMs: number; readonly day: string; readonly cents: number }

/** The price of a ride before benefits, according to its price rules. */
export type RidingCharge = {
  /** The start fee, then the units of time by time. */
  readonly units: readonly RidingUnit[]
  /** All that riding costs on each day, before the cap. */
  readonly byDay: ReadonlyMap<string, number>
  /** What a day may still cost; a day that is not in it has no cap. */
  readonly roomByDay: ReadonlyMap<string, number>
  /** The fee for where the vehicle was returned. */
  readonly feeCents: number
}

export type Taken = {
  readonly benefit: Benefit
  readonly cents: number
  readonly byDay: ReadonlyMap<string, number> | null
}

/** Benefits by kind, in the order of kinds; null where none of the kind is taken. */
export type Choice = readonly (Benefit | null)[]

export type Trial = {
  /** What riding costs without benefits. */
  readonly capped: number
  /** What is left to pay for riding and the return fee. */
  run(choice: Choice): number
  /** What is left to pay for riding alone. */
  ridingLeft(choice: Choice): number
  /** How a choice that was run last compares with another of the same sum: the lower number first. */
  tieOf(choice: Choice): readonly number[]
  /** What each benefit takes off, and what the caps of the days do, which are added to `capByDay`. */
  details(benefits: readonly Benefit[], capByDay: Map<string, number>): Taken[]
}

/** Tries choices of benefits on one charge, in arrays that are made once. */
export function createTrial(charge: RidingCharge): Trial {
  const time = createTimeStage(charge)
  const taken = benefitKinds.map(() => 0)
  let ridingLeft = 0

  function run(choice: Choice): number {
    let riding = time.run(choice)
    let fee = charge.feeCents
    for (let at = 0; at < choice.length; at += 1) {
      const benefit = choice[at]
      taken[at] = time.taken[at] ?? 0
      if (benefit === null || benefit === undefined) continue
      const { effect, fromCents } = benefit
      if (takesTime(benefit) || fromCents > riding) continue
      const cents = effect.off === 'fee' ? fee : Math.min(riding, offOf(effect, riding))
      taken[at] = cents
      if (effect.off === 'fee') fee = 0
      else riding -= cents
    }
    ridingLeft = riding
    return riding + fee
  }

  return {
    capped: time.capped,
    run,

    ridingLeft(choice) {
      run(choice)
      return ridingLeft
    },

    tieOf(choice) {
      let [count, wasted, lapses, ids] = [0, 0, 0, 0]
      // No two choices have the same numbers of the same kinds.
      const byKind = benefitKinds.map(() => 0)
      for (const [at, benefit] of choice.entries()) {
        if (benefit === null) continue
        count += 1
        byKind[benefitKinds.indexOf(benefit.kind)] = benefit.id
        if (benefit.effect.off === 'cents') wasted += benefit.effect.cents - (taken[at] ?? 0)
        lapses += Math.min(benefit.endsAt ?? lapseFar, lapseFar)
        ids += benefit.id
      }
      return [count, wasted, lapses, ids, ...byKind]
    },

    details(benefits, capByDay) {
      time.forget()
      run(benefits)
      time.addCaps(capByDay)
      return benefits.map((benefit, at) => ({ benefit, cents: taken[at] ?? 0, byDay: time.byDayOf(at) }))
    },
  }
}

/** 1 January 2100: numbers that are added up stay exact. */
const lapseFar = 4_102_444_800_000

const takesTime = (benefit: Benefit | null | undefined): boolean =>
  benefit?.effect.off === 'minutes' || benefit?.effect.off === 'start'

const offOf = (effect: Benefit['effect'], riding: number): number =>
  effect.off === 'cents'
    ? effect.cents
    : effect.off === 'percent'
      ? Math.min(Math.floor((riding * effect.percent) / 100), effect.maxCents ?? Number.POSITIVE_INFINITY)
      : 0

/** The benefits that take the start fee and units of time off their days: what a day no longer costs does not use up its cap. */
function createTimeStage(charge: RidingCharge) {
  const days = [...charge.byDay.keys()]
  const gross = days.map((day) => charge.byDay.get(day) ?? 0)
  const room = days.map((day) => charge.roomByDay.get(day) ?? Number.POSITIVE_INFINITY)
  const units = charge.units.map(({ atMs, day, cents }) => ({ atMs, cents, at: days.indexOf(day) }))
  const startMs = units[0]?.atMs ?? 0
  const left = [...gross]
  const taken = benefitKinds.map(() => 0)
  const byDay: (readonly number[])[] = []
  let isStartFree = false
  let freeUntil = 0
  /** The choice before: the next one often has the same benefits of this kind. */
  let last: Choice | null = null
  const capOf = (cents: readonly number[]): number =>
    cents.reduce((sum, one, at) => sum + Math.min(one, room[at] ?? 0), 0)
  const capped = capOf(gross)
  let cappedLeft = capped

  function take({ effect }: Benefit, at: number): void {
    const until = effect.off === 'minutes' ? startMs + effect.minutes * minuteMs : freeUntil
    const off = days.map(() => 0)
    for (const [index, unit] of units.entries()) {
      if (index > 0 && unit.atMs >= until) break
      const isFree = index === 0 ? isStartFree : unit.atMs < freeUntil
      if (!isFree) off[unit.at] = (off[unit.at] ?? 0) + unit.cents
    }
    for (const [day, cents] of off.entries()) {
      left[day] = (left[day] ?? 0) - cents
      taken[at] = (taken[at] ?? 0) + cents
    }
    isStartFree = true
    freeUntil = Math.max(freeUntil, until)
    byDay[at] = off
  }

  function isSame(choice: Choice): boolean {
    if (last === null) return false
    for (let at = 0; at < benefitKinds.length; at += 1) {
      const [own, other] = [choice[at], last[at]]
      if (own !== other && (takesTime(own) || takesTime(other))) return false
    }
    return true
  }

  return {
    capped,
    /** What each benefit of the choice that ran last takes. */
    taken: taken as readonly number[],

    /** What riding costs under the caps after these benefits. */
    run(choice: Choice): number {
      if (isSame(choice)) return cappedLeft
      for (const [at, cents] of gross.entries()) left[at] = cents
      taken.fill(0)
      byDay.length = 0
      isStartFree = false
      freeUntil = startMs
      for (const [at, benefit] of choice.entries()) {
        if (benefit !== null && takesTime(benefit) && benefit.fromCents <= capped) take(benefit, at)
      }
      last = choice
      cappedLeft = capOf(left)
      return cappedLeft
    },

    /** The next run is made anew: its benefits stand elsewhere in the choice. */
    forget(): void {
      last = null
    },

    addCaps(capByDay: Map<string, number>): void {
      for (const [at, day] of days.entries()) {
        const over = (left[at] ?? 0) - (room[at] ?? 0)
        if (over > 0) capByDay.set(day, over)
      }
    },

    /** What a benefit takes off each day; null for one that takes no time. */
    byDayOf(at: number): ReadonlyMap<string, number> | null {
      const off = byDay[at] ?? []
      const found = days.flatMap((day, index): [string, number][] =>
        (off[index] ?? 0) > 0 ? [[day, off[index] ?? 0]] : [],
      )
      return found.length === 0 ? null : new Map(found)
    },
  }
}
