import { distance, type Point } from '#sim/city/geometry.ts'
import type { Route } from '#sim/city/routing.ts'
import type { Random } from '#sim/random.ts'

/** Where a vehicle was at which second of its ride. Plain lists, so that a ride under way can be written down. */
export type Way = { atS: number[]; x: number[]; y: number[]; movedM: number[] }

/** A stop on the way, so many metres from its start. */
export type Pause = { readonly atM: number; readonly seconds: number }

export type Ride = {
  number: number
  /** Who rides, counted within the franchisee of the vehicle; absent where it is carried off. */
  rider?: number
  vehicle: number
  from: number
  to: number
  startMs: number
  endMs: number
  startBattery: number
  endBattery: number
  lengthM: number
  way: Way
  /** From where the ride ended to its anchor along the street, when the rider stopped short of it. */
  rest: Point[]
  /** The order of the app; absent for rides without an app. */
  order?: { readonly id: number; readonly phone: string }
  /** Since when the ride is paused; absent while riding. */
  heldAtMs?: number
  /** The rider has arrived and returns the vehicle. */
  hasArrived?: boolean
}

/** A point at least every so many seconds, and at every corner. */
const pointEveryS = 20
/** A bend of less is no corner, as the cosine of its angle. */
const cornerCosine = Math.cos((12 * Math.PI) / 180)
/** Corners that follow each other closer are one. */
const cornerApartM = 12
const readyS = 5
const lockingS = 7
/** Riders keep to the right of the street's middle. */
const rightM = 3
const redLightEveryS = 70

/** Follows a route point by point without searching it again for each. */
function createWalker(route: Route): (metres: number) => Point {
  let leg = 0
  return (metres) => {
    const last = route.points.length - 2
    while (leg < last && (route.atM[leg + 1] ?? 0) <= metres) leg++
    const a = route.points[leg] ?? [0, 0]
    const b = route.points[leg + 1] ?? a
    const length = distance(a, b) || 1
    const share = Math.max(0, Math.min(1, (metres - (route.atM[leg] ?? 0)) / length))
    const [dx, dy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length]
    return [a[0] + (b[0] - a[0]) * share + dy * rightM, a[1] + (b[1] - a[1]) * share - dx * rightM]
  }
}

const cornersOfRoute = new WeakMap<Route, readonly number[]>()

/** How many metres from the start of a route its corners are. */
function cornersOf(route: Route): readonly number[] {
  const ready = cornersOfRoute.get(route)
  if (ready) return ready
  const { points, atM } = route
  const corners: number[] = []
  for (let index = 1; index + 1 < points.length; index++) {
    const [before, here, after] = [points[index - 1], points[index], points[index + 1]]
    if (!before || !here || !after) continue
    const [ax, ay, bx, by] = [here[0] - before[0], here[1] - before[1], after[0] - here[0], after[1] - here[1]]
    const cosine = (ax * bx + ay * by) / (Math.hypot(ax, ay) * Math.hypot(bx, by) || 1)
    const at = atM[index] ?? 0
    if (cosine < cornerCosine && at - (corners.at(-1) ?? -cornerApartM) >= cornerApartM) corners.push(at)
  }
  cornersOfRoute.set(route, corners)
  return corners
}

/**
 * The way of one ride in time: off the kerb, along the route at this rider's speed with red lights, and onto the kerb
 * at the end. `stopAtM` lets it end short of the route's end.
 */
export function rideAlong({
  route,
  start,
  end,
  cruiseKmh,
  stopAtM = route.lengthM,
  pauses = [],
  random,
}: {
  route: Route
  start: Point
  end: Point
  cruiseKmh: number
  stopAtM?: number
  /** In order of their distance from the start. */
  pauses?: readonly Pause[]
  random: Random
}): Way {
  const walk = createWalker(route)
  const corners = cornersOf(route)
  let corner = 0
  const way: Way = { atS: [0], x: [start[0]], y: [start[1]], movedM: [0] }
  const add = (atS: number, [x, y]: Point, movedM: number) => {
    way.atS.push(atS)
    way.x.push(x)
    way.y.push(y)
    way.movedM.push(movedM)
  }
  let seconds = readyS
  let metres = 0
  add(seconds, start, 0)
  let next = 0
  const pause = (place: Point) => {
    for (let due = pauses[next]; due && due.atM <= metres; due = pauses[++next]) {
      seconds += due.seconds
      if (due.seconds > 0) add(seconds, place, metres)
    }
  }
  pause(start)
  while (metres < stopAtM - 12) {
    const speedMs = (cruiseKmh / 3.6) * random.between(0.82, 1.08)
    const left = stopAtM - 8 - metres
    while ((corners[corner] ?? Infinity) <= metres + cornerApartM / 2) corner++
    const toCornerM = (corners[corner] ?? Infinity) - metres
    const aheadM = Math.min(toCornerM, left, speedMs * pointEveryS)
    const step = Math.max(1, Math.round(aheadM / speedMs))
    metres = Math.min(stopAtM - 4, metres + aheadM)
    seconds += step
    const place = walk(metres)
    add(seconds, place, metres)
    if (left > 120 && random.chance(step / redLightEveryS)) {
      seconds += Math.round(random.between(8, 30))
      add(seconds, place, metres)
    }
    pause(place)
  }
  seconds += 4
  const last = stopAtM < route.lengthM ? walk(stopAtM) : end
  add(seconds, last, stopAtM)
  add(seconds + lockingS, last, stopAtM)
  return way
}

/** How long the rider has been on the way; a ride that is held stands still. */
export const secondsInto = ({ startMs, heldAtMs }: Ride, nowMs: number): number =>
  ((heldAtMs ?? nowMs) - startMs) / 1000

/** The leg of a way that a moment falls into; times before and after are its ends. */
export function placeOnWay(
  way: Way,
  seconds: number,
): { point: Point; speedKmh: number; headingDeg: number | null; movedM: number } {
  const { atS, x, y, movedM } = way
  let low = 0
  let high = Math.max(0, atS.length - 2)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((atS[middle] ?? 0) <= seconds) low = middle
    else high = middle - 1
  }
  const took = (atS[low + 1] ?? 0) - (atS[low] ?? 0)
  const share = took > 0 ? Math.max(0, Math.min(1, (seconds - (atS[low] ?? 0)) / took)) : 0
  const at = (list: readonly number[]) => {
    const a = list[low] ?? 0
    return a + ((list[low + 1] ?? a) - a) * share
  }
  const [dx, dy] = [(x[low + 1] ?? 0) - (x[low] ?? 0), (y[low + 1] ?? 0) - (y[low] ?? 0)]
  const moving = took > 0 && seconds < (atS.at(-1) ?? 0) && Math.hypot(dx, dy) > 1
  return {
    point: [at(x), at(y)],
    speedKmh: moving ? (((movedM[low + 1] ?? 0) - (movedM[low] ?? 0)) / took) * 3.6 : 0,
    headingDeg: moving ? ((Math.atan2(dx, dy) * 180) / Math.PI + 360) % 360 : null,
    movedM: at(movedM),
  }
}

/** The end of a route from so many metres on, as the way back to its anchor. */
export function restOf(route: Route, fromM: number): Point[] {
  return route.points.filter((_, index) => (route.atM[index] ?? 0) > fromM)
}
