import type { Point } from '#sim/city/geometry.ts'
import { makeRoute, type Route } from '#sim/city/routing.ts'
import { childSeed, createRandom, type Random } from '#sim/random.ts'
import { purposes } from './rhythm.ts'
import { restOf, rideAlong, type Pause, type Ride } from './ride.ts'
import { weatherAt } from './weather.ts'
import { batteryAt, percentFor, slotAt, type LifeVehicle, type World } from './world.ts'

/** Shares of all rides that are given up at once, return to the start, make a detour, pause, or last long. */
const shares = { givenUp: 0.024, loop: 0.09, detour: 0.06, stopOver: 0.05, kept: 0.006 } as const
/** A detour makes the way at most this many times as long. */
const longestDetour = 2.5
const straysShare = 0.004
const carelessShare = 0.06
const carelessFromM = 700
/** The longest rental, in minutes. */
const keptAtMostMin = 300

type Plan = {
  readonly to: number
  readonly route: Route
  readonly stopAtM: number
  readonly pauses: readonly Pause[]
  readonly rest: readonly Point[]
}

/** What one rider does with one vehicle: where to, by which way, with what stops. Null where no street leads there. */
export function planRide(
  world: World,
  vehicle: LifeVehicle,
  rideRequest: { goal: number; purpose: number; rider: number },
): Ride | null {
  const number = ++world.rides
  const random = createRandom(childSeed(world.seed, 10_000_000 + number))
  const plan = makePlan({ world, vehicle, goal: rideRequest.goal, purpose: rideRequest.purpose, random })
  if (plan === null) return null
  const { to, route, stopAtM, pauses } = plan
  const { speed } = weatherAt(world.seed, world.nowMs)
  const pace = world.population.pace(vehicle.areaIndex, rideRequest.rider)
  const cruiseKmh = vehicle.topKmh * Math.min(1, random.between(0.77, 1) * pace) * speed
  const end = to === vehicle.anchor ? vehicle.point : slotAt(world, to, random)
  const way = rideAlong({ route, start: vehicle.point, end, cruiseKmh, stopAtM, pauses, random })
  const startBattery = batteryAt(vehicle, world.nowMs)
  return {
    number,
    rider: rideRequest.rider,
    vehicle: vehicle.index,
    from: vehicle.anchor,
    to,
    startMs: world.nowMs,
    endMs: world.nowMs + (way.atS.at(-1) ?? 0) * 1000,
    startBattery,
    endBattery: Math.max(0, startBattery - percentFor(stopAtM)),
    lengthM: stopAtM,
    way,
    rest: plan.rest.length > 0 ? [[way.x.at(-1) ?? 0, way.y.at(-1) ?? 0], ...plan.rest] : [],
  }
}

type Wish = { world: World; vehicle: LifeVehicle; goal: number; purpose: number; random: Random }

function makePlan(rideRequest: Wish): Plan | null {
  const { world, vehicle, random } = rideRequest
  const to = strayFrom(world, rideRequest.goal, random)
  const straight = world.town.book.between(vehicle.anchor, to)
  if (straight === null) return null
  const draw = random.next()
  if (draw < shares.givenUp && vehicle.rest.length === 0) return giveUp(vehicle, straight, random)
  if (purposes[rideRequest.purpose]?.to === 'leisure' && random.chance(shares.loop))
    return goRound(rideRequest, straight)
  const around = random.chance(shares.detour) ? detour(rideRequest, to, straight) : null
  const route = joined(vehicle, around?.route ?? straight)
  const pauses = around?.pauses ?? stopOver(route, random)
  const careless = random.chance(carelessShare) && route.lengthM > carelessFromM
  const stopAtM = careless ? route.lengthM - random.between(50, 220) : route.lengthM
  return { to, route, stopAtM, pauses, rest: careless ? restOf(route, stopAtM) : [] }
}

/** A few rides end in the area of another franchisee, although the app forbids it. */
function strayFrom(world: World, goal: number, random: Random): number {
  if (!random.chance(straysShare)) return goal
  return random.below(world.town.anchors.length)
}

/** From where it stands back to its anchor, then on along the way. */
function joined(vehicle: LifeVehicle, route: Route): Route {
  return vehicle.rest.length === 0 ? route : makeRoute([...vehicle.rest, ...route.points])
}

/** The rider gives up at once: the vehicle is returned within two minutes. */
function giveUp(vehicle: LifeVehicle, route: Route, random: Random): Plan {
  const stopAtM = Math.min(route.lengthM, random.between(4, 28))
  const pauses = [{ atM: 0, seconds: Math.round(random.between(5, 75)) }]
  return { to: vehicle.anchor, route, stopAtM, pauses, rest: [vehicle.point] }
}

/** A round trip: the ride ends where it began. */
function goRound({ vehicle, random }: Wish, out: Route): Plan {
  const points = [...out.points, ...out.points.toReversed()]
  const route = joined(vehicle, makeRoute(points))
  const middle = route.lengthM - out.lengthM
  const pauses = [{ atM: middle, seconds: lasting(random, { medianMin: 9, spread: 0.8 }) }]
  return { to: vehicle.anchor, route, stopAtM: route.lengthM, pauses, rest: [] }
}

/** A ride with a detour to another place. */
function detour({ world, vehicle, random }: Wish, to: number, straight: Route): Pick<Plan, 'route' | 'pauses'> | null {
  const own = world.town.byArea[vehicle.areaIndex] ?? []
  const via = own[random.below(own.length)]
  if (via === undefined || via === to || via === vehicle.anchor) return null
  const [there, on] = [world.town.book.between(vehicle.anchor, via), world.town.book.between(via, to)]
  if (there === null || on === null || there.lengthM + on.lengthM > straight.lengthM * longestDetour) return null
  const route = makeRoute([...there.points, ...on.points])
  return { route, pauses: [{ atM: there.lengthM, seconds: lasting(random, { medianMin: 3, spread: 0.9 }) }] }
}

function stopOver(route: Route, random: Random): Pause[] {
  const draw = random.next()
  const atM = route.lengthM * random.between(0.2, 0.9)
  if (draw < shares.kept) return [{ atM, seconds: lasting(random, { medianMin: 42, spread: 0.75 }) }]
  if (draw < shares.kept + shares.stopOver) return [{ atM, seconds: lasting(random, { medianMin: 4, spread: 0.9 }) }]
  return []
}

/** Whole seconds; most stops are short, some very long. */
const lasting = (random: Random, { medianMin, spread }: { medianMin: number; spread: number }): number =>
  Math.round(60 * Math.min(keptAtMostMin, medianMin * Math.exp(random.gauss(spread))))
