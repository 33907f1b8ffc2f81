import { planeM, type LatLng } from '@saddle/geo/earth.ts'
import { detour } from './detour.ts'

/** What the van does at a place: takes vehicles (above zero) or leaves them. */
export type Stop = { readonly place: number; readonly load: number }

export type Van = {
  readonly capacity: number
  /** Where it begins and ends. */
  readonly depot: LatLng
}

export type Route = { readonly stops: readonly Stop[]; readonly distanceM: number }

/** Beyond so many stops each is moved within a window only; a whole town in one route is for the benchmark. */
const windowOfStops = 80
const roundsMax = 40

type Flow = { readonly from: number; readonly to: number; readonly vehicles: number }

/**
 * A short way through all places that give and take, never with more vehicles aboard than fit and never with fewer than
 * none. Vehicles are alike: whichever is aboard is left where one is wanted. Several beginnings, each improved by turning
 * pieces around and moving pieces elsewhere until nothing helps.
 */
export function planRoute(options: { places: readonly LatLng[]; moves: readonly Flow[]; van: Van }): Route {
  const { places, moves, van } = options
  const wanted = balances(moves)
  if (wanted.size === 0 || van.capacity < 1) return { stops: [], distanceM: 0 }
  const metres = metresOf(wanted, places, van.depot)
  const work = { metres, capacity: van.capacity }
  let best: Route | null = null
  for (const eager of [0, 0.4, 0.8, 1.5]) {
    const stops = improved(nearestFirst(wanted, work, eager), work)
    const distanceM = lengthOf(stops, metres)
    if (best === null || distanceM < best.distanceM) best = { stops, distanceM }
  }
  return best ?? { stops: [], distanceM: 0 }
}

/** Metres to drive between two places of the route; null: the depot. Looked up in a table, because it is asked so often. */
function metresOf(wanted: ReadonlyMap<number, number>, places: readonly LatLng[], depot: LatLng): Metres {
  const spots = [depot, ...Array.from(wanted.keys(), (place) => places[place] ?? depot)]
  const rows = new Map(Array.from(wanted.keys(), (place, index) => [place, index + 1]))
  const table = Float64Array.from({ length: spots.length ** 2 }, (_, cell) => {
    const [one, other] = [spots[Math.floor(cell / spots.length)], spots[cell % spots.length]]
    return planeM(one ?? depot, other ?? depot) * detour
  })
  const rowOf = (place: number | null): number => (place === null ? 0 : (rows.get(place) ?? 0))
  return (a, b) => table[rowOf(a) * spots.length + rowOf(b)] ?? 0
}

type Metres = (a: number | null, b: number | null) => number
type Work = { readonly metres: Metres; readonly capacity: number }

function balances(moves: readonly Flow[]): Map<number, number> {
  const wanted = new Map<number, number>()
  for (const { from, to, vehicles } of moves) {
    wanted.set(from, (wanted.get(from) ?? 0) + vehicles)
    wanted.set(to, (wanted.get(to) ?? 0) - vehicles)
  }
  for (const [place, load] of wanted) if (load === 0) wanted.delete(place)
  return wanted
}

/** Always to the nearest place where something can be done; `eager` prefers those where much can. */
function nearestFirst(wanted: ReadonlyMap<number, number>, { metres, capacity }: Work, eager: number): Stop[] {
  const left = new Map(wanted)
  const stops: Stop[] = []
  let at: number | null = null
  let aboard = 0
  while (left.size > 0) {
    let best: { place: number; load: number; cost: number } | null = null
    for (const [place, load] of left) {
      const now: number = load > 0 ? Math.min(load, capacity - aboard) : Math.max(load, -aboard)
      if (now === 0) continue
      // A visit that leaves something behind means another one.
      const cost: number = metres(at, place) * (now === load ? 1 : 2) * (1 - eager * 0.5 * (Math.abs(now) / capacity))
      if (best === null || cost < best.cost) best = { place, load: now, cost }
    }
    if (best === null) break
    const { place, load }: Stop = best
    stops.push({ place, load })
    aboard += load
    at = place
    const rest = (left.get(place) ?? 0) - load
    if (rest === 0) left.delete(place)
    else left.set(place, rest)
  }
  return stops
}

function lengthOf(stops: readonly Stop[], metres: Metres): number {
  let sum = 0
  let at: number | null = null
  for (const { place } of stops) {
    sum += metres(at, place)
    at = place
  }
  return sum + metres(at, null)
}

/** Turns pieces around (2-opt) and moves pieces of up to three stops elsewhere (Or-opt) as long as the way gets shorter. */
function improved(from: readonly Stop[], work: Work): Stop[] {
  let stops = [...from]
  for (let round = 0; round < roundsMax; round += 1) {
    const better = turned(stops, work) ?? shifted(stops, work)
    if (better === null) break
    stops = better
  }
  return stops
}

const leastM = 0.5

function turned(from: readonly Stop[], { metres, capacity }: Work): Stop[] | null {
  let stops = from
  const at = (index: number): number | null => stops[index]?.place ?? null
  for (let first = 0; first < from.length - 1; first += 1) {
    const end = Math.min(from.length - 1, first + windowOfStops)
    for (let last = first + 1; last <= end; last += 1) {
      const now = metres(at(first - 1), at(first)) + metres(at(last), at(last + 1))
      if (now - metres(at(first - 1), at(last)) - metres(at(first), at(last + 1)) < leastM) continue
      const piece = stops.slice(first, last + 1).toReversed()
      const tried = [...stops.slice(0, first), ...piece, ...stops.slice(last + 1)]
      if (isFeasible(tried, capacity)) stops = tried
    }
  }
  return stops === from ? null : [...stops]
}

function shifted(from: readonly Stop[], work: Work): Stop[] | null {
  let stops = from
  for (let length = 1; length <= 3; length += 1) {
    for (let first = 0; first + length <= from.length; first += 1) stops = elsewhere({ stops, first, length, work })
  }
  return stops === from ? null : [...stops]
}

/** The piece put where it shortens the way, either way around; the same list when there is no such place. */
function elsewhere(options: { stops: readonly Stop[]; first: number; length: number; work: Work }): readonly Stop[] {
  const { stops, first, length, work } = options
  const { metres, capacity } = work
  const placeOf = (list: readonly Stop[], index: number): number | null => list[index]?.place ?? null
  const [head, tail] = [placeOf(stops, first), placeOf(stops, first + length - 1)]
  const [previous, next] = [placeOf(stops, first - 1), placeOf(stops, first + length)]
  const freed = metres(previous, head) + metres(tail, next) - metres(previous, next)
  if (freed < leastM) return stops
  const piece = stops.slice(first, first + length)
  const rest = [...stops.slice(0, first), ...stops.slice(first + length)]
  const end = Math.min(rest.length, first + windowOfStops)
  for (let to = Math.max(0, first - windowOfStops); to <= end; to += 1) {
    if (to === first) continue
    const [left, right] = [placeOf(rest, to - 1), placeOf(rest, to)]
    const straight = metres(left, head) + metres(tail, right)
    const around = metres(left, tail) + metres(head, right)
    if (freed - Math.min(straight, around) + metres(left, right) < leastM) continue
    const put = around < straight ? piece.toReversed() : piece
    const tried = [...rest.slice(0, to), ...put, ...rest.slice(to)]
    if (isFeasible(tried, capacity)) return tried
  }
  return stops
}

function isFeasible(stops: readonly Stop[], capacity: number): boolean {
  let aboard = 0
  for (const { load } of stops) {
    aboard += load
    if (aboard < 0 || aboard > capacity) return false
  }
  return true
}
