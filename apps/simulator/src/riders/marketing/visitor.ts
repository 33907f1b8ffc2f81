import type { RiderApi, RiderCall, RiderData, RiderInput } from '#sim/riders/api.ts'
import { withRetry } from '#sim/riders/deps.ts'
import type { StepTimer } from '#sim/riders/stepTimer.ts'
import type { Random } from '#sim/random.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { isPaused, pauseAfterRefusal, type Budget, type Pauses } from './patience.ts'
import type { Person } from './person.ts'
import type { KnownBenefit } from './prices.ts'

/** What riders did with the app beside their rides. */
export type MarketingCounts = {
  opened: number
  seen: number
  tapped: number
  recharged: number
  offersTaken: number
  cards: number
  codesClaimed: number
  invited: number
  cheated: number
  /** Rides that were not made because of the price, and rides more because of a benefit. */
  tooDear: number
  ridesMore: number
  /** Refusals of the platform by code; `away` when it did not answer. */
  refused: Map<string, number>
}

/** What a rider remembers of the app, from one visit to the next. */
export type Memory = {
  hasOpened: boolean
  benefits: readonly KnownBenefit[]
  readonly pauses: Pauses
  /** How far a cheater has come. */
  ringStep: number
  /** Requests that carry a number of their own. */
  requests: number
}
export const newMemory = (): Memory => ({ hasOpened: false, benefits: [], pauses: new Map(), ringStep: 0, requests: 0 })

export type City = {
  readonly api: RiderApi
  readonly timer: StepTimer
  readonly counts: MarketingCounts
  readonly budget: Budget
  /** Codes that are handed out in the streets for coupons of a company. */
  readonly codesOf: (agentId: number) => readonly string[]
  readonly memoryOf: (phone: string) => Memory
  readonly seed: number
  /** Codes of inviters that riders of a company hear of. */
  readonly keepCode: (agentId: number, code: string) => void
  readonly someCode: (agentId: number, random: Random) => string | null
  /** The rider rides later, once more than otherwise. */
  readonly rideAgain: (ride: { readonly areaId: number; readonly rider: number; readonly delayMs: number }) => void
}

/** Somebody with the app in the hand. */
export type Visitor = {
  readonly city: City
  readonly person: Person
  readonly areaId: number
  readonly random: Random
  readonly memory: Memory
  /** Who asks: the phone of the account, with its company. */
  readonly who: { readonly phone: string; readonly agentId: number }
  /** Null where it is refused, or not asked: what was refused is left alone for a while. */
  ask<N extends RiderCall>(name: N, input: RiderInput<N>): Promise<RiderData<N> | null>
  /** Pays what a channel has to bring. */
  pay(number: string): Promise<boolean>
}

const payTimeoutMs = 2 * minuteMs

export function createVisitor(
  city: City,
  {
    person,
    areaId,
    random,
    phone = person.phone,
  }: Pick<Visitor, 'person' | 'areaId' | 'random'> & { readonly phone?: string },
): Visitor {
  const { api, timer, counts, budget } = city
  const memory = city.memoryOf(phone)
  return {
    city,
    person,
    areaId,
    random,
    memory,
    who: { phone, agentId: person.agentId },
    async ask(name, input) {
      const { nowMs } = timer
      if (isPaused(memory.pauses, name, nowMs) || !budget.take(nowMs)) return null
      const answer = await api.ask(name, input)
      if (answer.ok) {
        budget.note(false, nowMs)
        return answer.data
      }
      counts.refused.set(answer.code, (counts.refused.get(answer.code) ?? 0) + 1)
      budget.note(answer.code === 'away', nowMs)
      if (answer.code !== 'away') pauseAfterRefusal(memory.pauses, name, nowMs)
      return null
    },
    pay: async (number) => (await withRetry(city, payTimeoutMs, () => api.pay(number))).ok,
  }
}

/** A number of its own for each request: sent again with it, it does nothing twice. */
export function requestIdOf({ city, who, memory }: Visitor, what: string): string {
  memory.requests++
  return `${what}-${who.phone}-${city.timer.nowMs.toString(36)}-${memory.requests}`
}
