import { demoAgents } from '@saddle/contract/demo/city.ts'
import { demoFranchiseeId, demoRider, demoRiderPhone, demoRidersPerAgent } from '@saddle/contract/demo/riders.ts'
import type { FleetVehicle } from '#sim/fleet/fleet.ts'
import { toLngLat } from '#sim/city/geometry.ts'
import type { Life } from '#sim/life/life.ts'
import type { Ride } from '#sim/life/ride.ts'
import type { Missed } from '#sim/life/world.ts'
import { childSeed, createRandom, type Random } from '#sim/random.ts'
import type { RiderApi } from './api.ts'
import type { Counts } from './deps.ts'
import { createMarketing } from './marketing/marketing.ts'
import type { MarketingCounts } from './marketing/visitor.ts'
import { createStepTimer } from './stepTimer.ts'
import { simulateRide } from './simulateRide.ts'

/** How far a rider walks to a vehicle. */
const walkM = 380

/** Riders with an app: every requested ride runs as its own simulation over the rider API. */
export type Riders = {
  readonly counts: Counts
  /** What they did with the app beside riding. */
  readonly marketing: MarketingCounts
  /** Number of running rides. */
  readonly active: number
  /** Starts the ride requested in `vehicle.life.rideRequest`. */
  want(vehicle: FleetVehicle): void
  /** Resumes a ride that an earlier run of the simulator has started. */
  resume(vehicle: FleetVehicle): void
  /** A rider searches here and finds no vehicle. */
  miss(missed: Missed): void
  tick(nowMs: number): void
}

export function createRiders({
  api,
  life,
  seed,
  startMs,
  codesOf,
}: {
  api: RiderApi
  life: Life
  seed: number
  startMs: number
  /** Codes of coupons that are handed out in the streets, by company. */
  codesOf?: ((agentId: number) => readonly string[]) | undefined
}): Riders {
  const timer = createStepTimer(startMs)
  const counts = noCounts()
  const marketing = createMarketing({ api, life, timer, seed, codesOf })
  /** Phones of riders with a running ride. */
  const busy = new Set<string>()
  const randomOf = (number: number): Random => createRandom(childSeed(seed, 30_000_000 + number))
  const run = (vehicle: FleetVehicle, phone: string, ride: () => Promise<unknown>): void => {
    busy.add(phone)
    void ride()
      // An error of one ride must not stop the others.
      .catch((error: unknown) => {
        counts.refused.set('fault', (counts.refused.get('fault') ?? 0) + 1)
        process.stderr.write(`simulator: the simulation of a ride failed: ${String(error)}\n`)
        life.appRides.giveUp(vehicle.life)
      })
      .finally(() => busy.delete(phone))
  }
  const start = (vehicle: FleetVehicle, request: Ride): void => {
    const rider = riderOf(vehicle, request, busy)
    const customer = marketing.customer({ vehicle, ride: request, ...rider })
    run(vehicle, phoneOf(rider), async () => {
      const phone = await customer.before()
      if (phone === null) return life.appRides.giveUp(vehicle.life)
      const random = randomOf(request.number)
      const { payer } = customer
      if (await simulateRide({ api, life, timer, counts, vehicle, phone, payer, random })) await customer.after()
    })
  }
  return {
    counts,
    marketing: marketing.counts,
    get active() {
      return busy.size
    },
    want(vehicle) {
      const { rideRequest } = vehicle.life
      if (rideRequest) start(vehicle, rideRequest)
    },
    resume(vehicle) {
      const { ride } = vehicle.life
      if (ride?.order === undefined) return
      const { phone } = ride.order
      const random = randomOf(ride.number)
      run(vehicle, phone, () => simulateRide({ api, life, timer, counts, vehicle, phone, random }))
    },
    miss({ point }) {
      const [lng, lat] = toLngLat(point)
      // The platform counts the search; the answer is not used.
      void api.ask('nearVehicles', { lat, lng, radiusM: walkM })
    },
    tick: (nowMs) => timer.tick(nowMs),
  }
}

export const noCounts = (): Counts => ({
  requested: 0,
  reserved: 0,
  started: 0,
  paused: 0,
  continued: 0,
  ended: 0,
  lockedManually: 0,
  paid: 0,
  disputed: 0,
  complained: 0,
  refused: new Map(),
})

type CompanyRider = { readonly agentId: number; readonly rider: number }
const phoneOf = ({ agentId, rider }: CompanyRider): string => demoRiderPhone(demoRider(agentId, rider))

/** The chosen rider, or the next one without a running ride. */
function riderOf(vehicle: FleetVehicle, request: Ride, busy: ReadonlySet<string>): CompanyRider {
  const agentKey = demoAgents.find(({ key }) => key === vehicle.agentKey)?.key ?? vehicle.agentKey
  const agentId = demoFranchiseeId(agentKey)
  const first = request.rider ?? 0
  for (let step = 0; step < demoRidersPerAgent; step++) {
    const rider = (first + step) % demoRidersPerAgent
    if (!busy.has(phoneOf({ agentId, rider }))) return { agentId, rider }
  }
  throw new RangeError('all riders are busy')
}
