import { demoAgents } from '@saddle/contract/demo/city.ts'
import { demoFranchiseeId, demoRider, demoRiderPhone, demoRidersPerAgent } from '@saddle/contract/demo/riders.ts'
import type { FleetVehicle } from '#sim/fleet/fleet.ts'
import { toLngLat } from '#sim/city/geometry.ts'
import type { Life } from '#sim/life/life.ts'
import type { Missed } from '#sim/life/world.ts'
import { childSeed, createRandom } from '#sim/random.ts'
import type { RiderApi } from './api.ts'
import type { Counts } from './parts.ts'
import { createPatience } from './patience.ts'
import { tellStory } from './story.ts'

/** As far as somebody walks for a vehicle. */
const walkM = 380

/** The people with the app: each ride that somebody wishes for becomes a story of its own, told over the riders' calls. */
export type Riders = {
  readonly counts: Counts
  /** How many stories go on. */
  readonly active: number
  /** Somebody stands before this vehicle and wishes for the ride in `vehicle.life.wish`. */
  want(vehicle: FleetVehicle): void
  /** Goes on with a ride whose beginning another run of the simulator has told. */
  goOn(vehicle: FleetVehicle): void
  /** Somebody looks for a vehicle around here, and there is none. */
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
  const patience = createPatience(startMs)
  const counts = noCounts()
  /** Phones of those who stand before a vehicle, ride or pay. */
  const busy = new Set<string>()
  const tell = (vehicle: FleetVehicle, number: number, known?: string): void => {
    const random = createRandom(childSeed(seed, 30_000_000 + number))
    const phone = known ?? phoneOf(vehicle, busy)
    busy.add(phone)
    void tellStory({ api, life, patience, counts, vehicle, phone, random })
      // One rider's bad day must not end that of the others.
      .catch((error: unknown) => {
        counts.refused.set('fault', (counts.refused.get('fault') ?? 0) + 1)
        process.stderr.write(`simulator: a rider's story broke off: ${String(error)}\n`)
        life.hailed.giveUp(vehicle.life)
      })
      .finally(() => busy.delete(phone))
  }
  return {
    counts,
    get active() {
      return busy.size
    },
    want(vehicle) {
      const { wish } = vehicle.life
      if (wish) tell(vehicle, wish.number)
    },
    goOn(vehicle) {
      const { ride } = vehicle.life
      if (ride?.order !== undefined) tell(vehicle, ride.number, ride.order.phone)
    },
    miss({ point }) {
      const [lng, lat] = toLngLat(point)
      // The platform counts it; nothing follows from the answer.
      void api.ask('nearVehicles', { lat, lng, radiusM: walkM })
    },
    tick: (nowMs) => patience.tick(nowMs),
  }
}

export const noCounts = (): Counts => ({
  wished: 0,
  reserved: 0,
  begun: 0,
  paused: 0,
  walkedOn: 0,
  ended: 0,
  byHand: 0,
  paid: 0,
  disputed: 0,
  complained: 0,
  refused: new Map(),
})

/** The rider that the city has chosen; one who is still busy with an earlier ride leaves it to the next. */
function phoneOf(vehicle: FleetVehicle, busy: ReadonlySet<string>): string {
  const agentKey = demoAgents.find(({ key }) => key === vehicle.agentKey)?.key ?? vehicle.agentKey
  const agentId = demoFranchiseeId(agentKey)
  const first = vehicle.life.wish?.rider ?? 0
  for (let step = 0; step < demoRidersPerAgent; step++) {
    const phone = demoRiderPhone(demoRider(agentId, (first + step) % demoRidersPerAgent))
    if (!busy.has(phone)) return phone
  }
  throw new RangeError('everybody is riding')
}
