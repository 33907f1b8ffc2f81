import type { ActivityCommon } from '@saddle/contract/marketing/activities.ts'
import type { TaskLevel, TaskMeasure, TaskTerms } from '@saddle/contract/marketing/taskActivities.ts'
import { beginsWithin } from '@saddle/contract/riding/benefits.ts'
import { addDays, businessDayOf, dayMs, minuteMs } from '@saddle/contract/time.ts'

/** A ride that is paid, as far as activities look at it. */
export type CountableRide = {
  readonly areaId: number
  readonly startedAt: number
  readonly endedAt: number
  readonly metres: number
  readonly cents: number
}

/** Business days of a round; `endsOn` is the first that does not count any more. */
export type Round = { readonly beginsOn: string; readonly endsOn: string }

/** The round that a moment belongs to: the first begins on the day on which the activity does. */
export function roundAt({ startsAt, days }: { readonly startsAt: number; readonly days: number }, at: number): Round {
  const first = businessDayOf(startsAt)
  const passed = Math.round((Date.parse(businessDayOf(at)) - Date.parse(first)) / dayMs)
  const beginsOn = addDays(first, Math.floor(passed / days) * days)
  return { beginsOn, endsOn: addDays(beginsOn, days) }
}

type Asking = { readonly common: Pick<ActivityCommon, 'areaIds' | 'startsAt' | 'endsAt'>; readonly terms: TaskTerms }

/** Whether a ride counts; it counts in the round in which it ends. */
export function counts({ common, terms: { rides: asked } }: Asking, ride: CountableRide): boolean {
  const { areaId, startedAt, endedAt, metres, cents } = ride
  if (endedAt < common.startsAt || (common.endsAt !== null && endedAt >= common.endsAt)) return false
  if (common.areaIds.length > 0 && !common.areaIds.includes(areaId)) return false
  if (!beginsWithin(asked, startedAt) || cents < asked.minCents) return false
  return endedAt - startedAt >= asked.minMinutes * minuteMs && metres >= asked.minMetres
}

/** What a ride adds; of days each is counted once, whatever is ridden on it. */
export function amountOf(measure: TaskMeasure, { startedAt, endedAt, metres }: CountableRide): number {
  if (measure === 'minutes') return Math.floor((endedAt - startedAt) / minuteMs)
  return measure === 'metres' ? Math.floor(metres) : 1
}

export type Counted = { readonly day: string; readonly amount: number }

/** How far the rides of a round come. */
export function valueOf(measure: TaskMeasure, rides: readonly Counted[]): number {
  if (measure === 'days') return new Set(rides.map(({ day }) => day)).size
  return rides.reduce((sum, { amount }) => sum + amount, 0)
}

/** Levels that are reached. */
export const levelAt = (levels: readonly Pick<TaskLevel, 'target'>[], value: number): number =>
  levels.filter(({ target }) => target <= value).length

/** What a reward is given for: a level of a round of a rider. */
export const causeOfLevel = (progressId: number, level: number): number => progressId * 10 + level
