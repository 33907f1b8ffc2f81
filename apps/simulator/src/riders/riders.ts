import { demoAgents } from '@saddle/contract/demo/city.ts'
import { demoFranchiseeId, demoRider, demoRiderPhone, demoRidersPerAgent } from '@saddle/contract/demo/riders.ts'
import type { FleetVehicle } from '#sim/fleet/fleet.ts'
import { toLngLat } from '#sim/city/geometry.ts'
import type { Life } from '#sim/life/life.ts'
import type { Missed } from '#sim/life/world.ts'
import { childSeed, createRandom } from '#sim/random.ts'
import type { RiderApi } from './api.ts'
import type { Counts } from './deps.ts'
import { createStepTimer } from './stepTimer.ts'
import { simulateRide } from './simulateRide.ts'

/** How far a rider walks to a vehicle. */
const walkM = 380

/** Riders with an app: every requested ride runs as its own simulation over the rider API. */
export type Riders = {
  readonly counts: Counts
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
}: {
  api: RiderApi
  life: Life
  seed: number
  startMs: number
}): Riders {
  const timer = createStepTimer(startMs)
  const counts = noCounts()
  /** Phones of riders with a running ride. */
  const busy = new Set<string>()
  const start = (vehicle: FleetVehicle, number: number, known?: string): void => {
    const random = createRandom(childSeed(seed, 30_000_000 + number))
    const phone = known ?? phoneOf(vehicle, busy)
    busy.add(phone)
    void simulateRide({ api, life, timer, counts, vehicle, phone, random })
      // An error of one ride must not stop the others.
      .catch((error: unknown) => {
        counts.refused.set('fault', (counts.refused.get('fault') ?? 0) + 1)
        process.stderr.write(`simulator: the simulation of a ride failed: ${String(error)}\n`)
        life.appRides.giveUp(vehicle.life)
      })
      .finally(() => busy.delete(phone))
  }
  return {
    counts,
    get active() {
      return busy.size
    },
    want(vehicle) {
      const { rideRequest } = vehicle.life
      if (rideRequest) start(vehicle, rideRequest.number)
    },
    resume(vehicle) {
      const { ride } = vehicle.life
      if (ride?.order !== undefined) start(vehicle, ride.number, ride.order.phone)
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

/** The chosen rider, or the next one without a running ride. */
function phoneOf(vehicle: FleetVehicle, busy: ReadonlySet<string>): string {
  const agentKey = demoAgents.find(({ key }) => key === vehicle.agentKey)?.key ?? vehicle.agentKey
  const agentId = demoFranchiseeId(agentKey)
  const first = vehicle.life.rideRequest?.rider ?? 0
  for (let step = 0; step < demoRidersPerAgent; step++) {
    const phone = demoRiderPhone(demoRider(agentId, (first + step) % demoRidersPerAgent))
    if (!busy.has(phone)) return phone
  }
  throw new RangeError('all riders are busy')
}
