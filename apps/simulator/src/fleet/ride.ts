import { placeOn, type Route } from '#sim/city/routing.ts'
import type { Point } from '#sim/city/geometry.ts'
import type { Random } from '#sim/random.ts'

/** A ride under way. */
export type Ride = {
  route: Route
  doneM: number
  speedKmh: number
  /** What this rider likes to ride at. */
  cruiseKmh: number
  /** Simulated time until which the rider stands: getting ready, at a red light, about to lock. */
  standsUntilMs: number
  arrived: boolean
}

const readyMs = 4_000
const lockingMs = 6_000
/** Riders keep to the right of the street's middle. */
const rightM = 3

export function beginRide({
  route,
  nowMs,
  random,
  topKmh,
}: {
  route: Route
  nowMs: number
  random: Random
  topKmh: number
}): Ride {
  return {
    route,
    doneM: 0,
    speedKmh: 0,
    cruiseKmh: topKmh * random.between(0.72, 1),
    standsUntilMs: nowMs + readyMs,
    arrived: false,
  }
}

/** Moves a ride on by `dtMs`; all times are the city's own. `over` is true when the rider has stood at the end and locks. */
export function stepRide(
  ride: Ride,
  { nowMs, dtMs, random }: { nowMs: number; dtMs: number; random: Random },
): {
  point: Point
  headingDeg: number
  movedM: number
  over: boolean
} {
  const here = () => placeOn(ride.route, ride.doneM, ride.arrived ? 0 : rightM)
  if (nowMs < ride.standsUntilMs) {
    ride.speedKmh = 0
    return { ...here(), movedM: 0, over: false }
  }
  if (ride.arrived) return { ...here(), movedM: 0, over: true }
  const leftM = ride.route.lengthM - ride.doneM
  // Roll out over the last 25 m, never slower than a walk, so that every ride ends.
  const wanted = Math.min(ride.cruiseKmh, Math.max(5, (leftM / 25) * ride.cruiseKmh))
  ride.speedKmh += (wanted - ride.speedKmh) * Math.min(1, dtMs / 2500)
  const movedM = Math.min(leftM, ((ride.speedKmh / 3.6) * dtMs) / 1000)
  ride.doneM += movedM
  if (ride.doneM >= ride.route.lengthM - 0.5) {
    ride.arrived = true
    ride.speedKmh = 0
    ride.standsUntilMs = nowMs + lockingMs
  } else if (random.chance(dtMs / 70_000)) {
    // A red light, on average every 70 s of riding.
    ride.standsUntilMs = nowMs + random.between(8_000, 30_000)
    ride.speedKmh = 0
  }
  return { ...here(), movedM, over: false }
}
