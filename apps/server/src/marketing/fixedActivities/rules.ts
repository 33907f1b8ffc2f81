import type { FixedEvent } from '@saddle/contract/marketing/fixedActivities.ts'
import type { RewardCause } from '@saddle/contract/marketing/rewards.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { FactKind } from '../facts/facts.ts'

/** The occasion that a fact may be. Win-back has none: a job looks for riders who are away. */
export const eventOf: Readonly<Partial<Record<FactKind, FixedEvent>>> = {
  rider_new: 'rider_new',
  rider_identified: 'identified',
  rider_certified: 'certified',
  ride_paid: 'first_ride',
  recharged: 'first_recharge',
}

/** What rewards of an occasion are given for. */
export const causeOf: Readonly<Record<FixedEvent, RewardCause>> = {
  rider_new: 'rider',
  identified: 'identity',
  certified: 'certificate',
  first_ride: 'ride',
  first_recharge: 'recharge',
  wake: 'wake',
}

/** Occasions that happen at a place: the areas of an activity hold for them alone. */
export const hasPlace = (event: FixedEvent): boolean => event === 'first_ride'

/** Days of a business calendar since 1970, as the number of a phase in which a rider is away. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMs
