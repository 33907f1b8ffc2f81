import { planeM, type LatLng } from '@saddle/geo/earth.ts'
import { detour } from './detour.ts'

/** A parking place and what it is expected to lose by how many vehicles stand there. */
export type Place = LatLng & {
  readonly id: number
  /** Vehicles that can be ridden now. */
  readonly stock: number
  /** Of those, the ones that may be taken away. */
  readonly movable: number
  /** Vehicles that still fit; null: nobody counts. */
  readonly room: number | null
  readonly losses: Float64Array
}

export type Move = {
  /** Indices of places. */
  readonly from: number
  readonly to: number
  readonly vehicles: number
  /** Rides that it is expected to save, what the origin loses by it taken off. */
  readonly gain: number
  readonly distanceM: number
}

export type MoveLimits = {
  readonly vehiclesMax: number
  /** Farther than this nobody carries one. */
  readonly distanceMaxM: number
  /** Rides that a kilometre of carrying one vehicle has to bring at least. */
  readonly ridesOfKm: number
  /** Moves of one vehicle that bring less are left. */
  readonly gainMin: number
}

export const usualLimits: MoveLimits = { vehiclesMax: 60, distanceMaxM: 6_000, ridesOfKm: 0.02, gainMin: 0.15 }

/** Origins that are looked at for one place: the nearest of those that can spare something. */
const originsOfPlace = 48

type Pair = { from: number; to: number; distanceM: number; value: number }

/**
 * What to carry where, the best first. Each step takes the one vehicle that is worth most now; a place that gains one
 * wants the next one less and one that gives values the rest more, so a value that was looked up earlier can only have
 * fallen, and the top of the heap is right as soon as it is still right when looked up anew.
 */
export function planMoves(places: readonly Place[], limits: MoveLimits = usualLimits): Move[] {
  const state = places.map(({ stock, movable, room }) => ({ stock, movable, room: room ?? Infinity }))
  const lossAt = (place: number, stock: number): number => {
    const losses = places[place]?.losses
    return losses === undefined ? 0 : (losses[Math.min(stock, losses.length - 1)] ?? 0)
  }
  /** Rides saved by one more vehicle, without the way. */
  const gainOf = ({ from, to }: Pair): number => {
    const [origin, goal] = [state[from], state[to]]
    if (origin === undefined || goal === undefined || origin.movable < 1 || goal.room < 1) return -Infinity
    const given = lossAt(from, origin.stock - 1) - lossAt(from, origin.stock)
    return lossAt(to, goal.stock) - lossAt(to, goal.stock + 1) - given
  }
  const valueOf = (pair: Pair): number => gainOf(pair) - (limits.ridesOfKm * pair.distanceM) / 1_000

  const heap = new PairHeap()
  for (const pair of pairsOf(places, limits)) {
    pair.value = valueOf(pair)
    if (pair.value > 0) heap.push(pair)
  }
  const moved = new Map<string, { from: number; to: number; vehicles: number; gain: number; distanceM: number }>()
  for (let left = limits.vehiclesMax; left > 0;) {
    const pair = heap.pop()
    if (pair === undefined) break
    const value = valueOf(pair)
    if (value <= 0 || gainOf(pair) < limits.gainMin) continue
    if (value < heap.topValue) {
      pair.value = value
      heap.push(pair)
      continue
    }
    const { from, to, distanceM } = pair
    const move = moved.get(`${from} ${to}`) ?? { from, to, vehicles: 0, gain: 0, distanceM }
    move.vehicles += 1
    move.gain += gainOf(pair)
    moved.set(`${from} ${to}`, move)
    take(state[from], state[to])
    left -= 1
    pair.value = valueOf(pair)
    if (pair.value > 0) heap.push(pair)
  }
  return [...moved.values()].toSorted((a, b) => b.gain - a.gain)
}

type Stand = { stock: number; movable: number; room: number }

function take(origin: Stand | undefined, goal: Stand | undefined): void {
  if (origin === undefined || goal === undefined) return
  origin.stock -= 1
  origin.movable -= 1
  goal.stock += 1
  goal.room -= 1
}

/** Every place that would gain, with the nearest that can give. */
function pairsOf(places: readonly Place[], { distanceMaxM, gainMin }: MoveLimits): Pair[] {
  const givers = places.flatMap(({ movable }, index) => (movable > 0 ? [index] : []))
  const pairs: Pair[] = []
  for (const [to, goal] of places.entries()) {
    const saved = (goal.losses[Math.min(goal.stock, goal.losses.length - 1)] ?? 0) - (goal.losses.at(-1) ?? 0)
    if (saved < gainMin || goal.room === 0) continue
    const near: Pair[] = []
    for (const from of givers) {
      const origin = places[from]
      if (origin === undefined || from === to) continue
      const distanceM = planeM(origin, goal) * detour
      if (distanceM <= distanceMaxM) near.push({ from, to, distanceM, value: 0 })
    }
    if (near.length > originsOfPlace) {
      // Those with nothing to lose come first among equals: the nearest alone may all be poor themselves.
      near.sort((a, b) => a.distanceM - b.distanceM)
      const rich = near.toSorted((a, b) => (places[b.from]?.movable ?? 0) - (places[a.from]?.movable ?? 0))
      pairs.push(...new Set([...near.slice(0, originsOfPlace / 2), ...rich.slice(0, originsOfPlace / 2)]))
    } else pairs.push(...near)
  }
  return pairs
}

/** The pair of the highest value on top. */
class PairHeap {
  readonly #pairs: Pair[] = []

  get topValue(): number {
    return this.#pairs[0]?.value ?? -Infinity
  }

  push(pair: Pair): void {
    const pairs = this.#pairs
    let at = pairs.push(pair) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = pairs[parent]
      if (above === undefined || above.value >= pair.value) break
      pairs[at] = above
      at = parent
    }
    pairs[at] = pair
  }

  pop(): Pair | undefined {
    const pairs = this.#pairs
    const top = pairs[0]
    const last = pairs.pop()
    if (top === undefined || last === undefined || pairs.length === 0) return top
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if ((pairs[child + 1]?.value ?? -Infinity) > (pairs[child]?.value ?? -Infinity)) child += 1
      const below = pairs[child]
      if (below === undefined || below.value <= last.value) break
      pairs[at] = below
      at = child
    }
    pairs[at] = last
    return top
  }
}
