import { demoPriceRules } from '@saddle/contract/demo/prices.ts'
import type { PriceRules } from '@saddle/contract/riding/price.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { FleetVehicle } from '#sim/fleet/fleet.ts'
import type { Life } from '#sim/life/life.ts'
import type { Ride } from '#sim/life/ride.ts'
import { childSeed, createRandom } from '#sim/random.ts'
import type { RiderApi } from '#sim/riders/api.ts'
import type { StepTimer } from '#sim/riders/stepTimer.ts'
import { goalPull } from './choices.ts'
import { arrive } from './invites.ts'
import { interestOf, openPage, type Page } from './pages.ts'
import { createBudget } from './patience.ts'
import { personOf } from './person.ts'
import { lookAt } from './placements.ts'
import { listCents, offCents, rideFactor, type PlannedRide } from './prices.ts'
import { cheat } from './ring.ts'
import { createVisitor, newMemory, type City, type MarketingCounts, type Memory, type Visitor } from './visitor.ts'

/** One ride of a rider with the app, and what they do with the app before and after it. */
export type Customer = {
  readonly payer: string
  /** Resolves to the account that rides; null: the price keeps them from riding. */
  before(): Promise<string | null>
  after(): Promise<void>
}

export type Marketing = {
  readonly counts: MarketingCounts
  customer(asked: {
    readonly vehicle: FleetVehicle
    readonly ride: Ride
    readonly agentId: number
    readonly rider: number
  }): Customer
}

/** The app shows a price for so long before it asks again. */
const quoteMs = 10 * minuteMs
/** Codes of friends that a company's riders talk about. */
const codesMax = 200
/** Who rides more does so at the same hour on one of the next days. */
const againDays = 3
const aroundHours = 1.5

export function createMarketing(options: {
  readonly api: RiderApi
  readonly life: Life
  readonly timer: StepTimer
  readonly seed: number
  readonly codesOf?: ((agentId: number) => readonly string[]) | undefined
}): Marketing {
  const { api, life, timer, seed, codesOf = () => [] } = options
  const memories = new Map<string, Memory>()
  const codes = new Map<number, string[]>()
  const quotes = new Map<number, { readonly rules: PriceRules; readonly atMs: number }>()
  const counts = noMarketingCounts()
  const city: City = {
    api,
    timer,
    counts,
    seed,
    codesOf,
    budget: createBudget(),
    memoryOf(phone) {
      const known = memories.get(phone) ?? newMemory()
      memories.set(phone, known)
      return known
    },
    keepCode(agentId, code) {
      const own = codes.get(agentId) ?? []
      if (!own.includes(code)) codes.set(agentId, [...own.slice(1 - codesMax), code])
    },
    someCode(agentId, random) {
      const own = codes.get(agentId) ?? []
      return own[random.below(own.length)] ?? null
    },
    rideAgain({ areaId, rider, delayMs }) {
      life.appRides.comeAgain({ area: areaId - 1, rider, atMs: life.nowMs + delayMs })
    },
  }
  /** The price of a service area as the app shows it. */
  const quote = async (visitor: Visitor, vehicleNumber: string): Promise<PriceRules | null> => {
    const known = quotes.get(visitor.areaId)
    if (known !== undefined && timer.nowMs - known.atMs < quoteMs) return known.rules
    const shown = await visitor.ask('quoteRide', { vehicleNumber })
    if (shown === null) return known?.rules ?? null
    quotes.set(visitor.areaId, { rules: shown.rules, atMs: timer.nowMs })
    return shown.rules
  }
  return {
    counts,
    customer({ vehicle, ride, agentId, rider }) {
      const random = createRandom(childSeed(seed, 70_000_000 + ride.number))
      const person = personOf(seed, agentId, rider)
      const areaId = vehicle.areaIndex + 1
      const visitor = createVisitor(city, { person, areaId, random })
      let factor = 1
      return {
        payer: person.payer,
        async before() {
          if (!visitor.memory.hasOpened) await arrive(visitor)
          if (random.chance(person.curiosity)) await browse(visitor)
          const account = await cheat(visitor)
          const rules = await quote(visitor, vehicle.number)
          factor = rules === null ? 1 : factorOf(rules, plannedOf(ride, areaId), visitor)
          if (random.chance(1 - factor)) {
            counts.tooDear++
            return null
          }
          return account ?? person.phone
        },
        async after() {
          const looks = random.chance(person.curiosity)
          const led = looks ? await lookAt(visitor, 'ride_end') : null
          if (led !== null) await openPage(visitor, led)
          const pull = looks ? await pullOf(visitor) : 0
          if (!random.chance(Math.max(factor - 1, pull))) return
          counts.ridesMore++
          const delayMs = (1 + random.below(againDays)) * dayMs + random.between(-aroundHours, aroundHours) * hourMs
          city.rideAgain({ areaId, rider, delayMs })
        },
      }
    },
  }
}

export const noMarketingCounts = (): MarketingCounts => ({
  opened: 0,
  seen: 0,
  tapped: 0,
  recharged: 0,
  offersTaken: 0,
  cards: 0,
  codesClaimed: 0,
  invited: 0,
  cheated: 0,
  tooDear: 0,
  ridesMore: 0,
  refused: new Map(),
})

const plannedOf = ({ startMs, endMs, lengthM }: Ride, areaId: number): PlannedRide => ({
  startMs,
  minutes: (endMs - startMs) / minuteMs,
  metres: lengthM,
  areaId,
})

/** Against the price that riders of this city are used to, with what they know to lower it. */
function factorOf(rules: PriceRules, ride: PlannedRide, { memory }: Visitor): number {
  const cents = listCents(rules, ride) - offCents(memory.benefits, rules, ride)
  return rideFactor({ cents, usualCents: listCents(demoPriceRules, ride) })
}

/** Pop-up and banner at the start, the scan page, and the page that the rider came for or was led to. */
async function browse(visitor: Visitor): Promise<void> {
  const { random } = visitor
  const led = (await lookAt(visitor, 'popup')) ?? (await lookAt(visitor, 'banner')) ?? (await lookAt(visitor, 'scan'))
  const page = led ?? interestOf(visitor)
  if (page === null) return
  if (led === null && isOwnPage(page) && random.chance(0.5)) await lookAt(visitor, 'mine')
  await openPage(visitor, page)
}

/** Pages behind the page of the rider's own things. */
const isOwnPage = (page: Page): boolean => page === 'wallet' || page === 'messages' || page === 'coupon'

async function pullOf(visitor: Visitor): Promise<number> {
  const shown = await visitor.ask('riderActivities', visitor.who)
  return shown === null ? 0 : goalPull(shown.list)
}
