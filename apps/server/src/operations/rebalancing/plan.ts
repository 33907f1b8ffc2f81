import { planMoves, usualLimits, type Move, type MoveLimits, type Place } from './moves.ts'
import { planRoute, type Route, type Van } from './route.ts'

/** What a van and its crew need, on average. */
export const vanKmh = 18
export const minutesOfStop = 1.5
export const minutesOfVehicle = 0.75

export type Plan = {
  readonly moves: readonly Move[]
  readonly route: Route
  readonly minutes: number
  /** Rides that are expected to be lost until the end, as vehicles stand and as they would stand. */
  readonly lostBefore: number
  readonly lostAfter: number
}

/** Minutes that a route takes: driving, stopping, lifting. */
export function minutesOf({ stops, distanceM }: Route): number {
  const lifted = stops.reduce((sum, { load }) => sum + Math.abs(load), 0)
  return (distanceM / 1_000 / vanKmh) * 60 + stops.length * minutesOfStop + lifted * minutesOfVehicle
}

/** Fewer vehicles are tried until the crew is back in time. */
const triesMax = 7

/** The moves that are worth most and one van's way through them, within so many minutes. */
export function makePlan(options: {
  places: readonly Place[]
  van: Van
  minutesMax: number
  limits?: Partial<MoveLimits>
}): Plan {
  const { places, van, minutesMax } = options
  const limits = { ...usualLimits, ...options.limits }
  let { vehiclesMax } = limits
  for (let tried = 1; ; tried += 1) {
    const moves = planMoves(places, { ...limits, vehiclesMax })
    const route = planRoute({ places, moves, van })
    const minutes = minutesOf(route)
    if (minutes <= minutesMax || moves.length === 0) return judged({ places, moves, route, minutes })
    const vehicles = moves.reduce((sum, move) => sum + move.vehicles, 0)
    const fitting = Math.floor(vehicles * Math.min(0.95, (minutesMax / minutes) * 1.05))
    vehiclesMax = tried < triesMax ? fitting : Math.floor(fitting / 2)
  }
}

function judged(plan: { places: readonly Place[]; moves: readonly Move[]; route: Route; minutes: number }): Plan {
  const { places, moves, route, minutes } = plan
  const lostBefore = places.reduce(
    (sum, { stock, losses }) => sum + (losses[Math.min(stock, losses.length - 1)] ?? 0),
    0,
  )
  return { moves, route, minutes, lostBefore, lostAfter: lostBefore - moves.reduce((sum, { gain }) => sum + gain, 0) }
}
