import type { Task } from '@saddle/contract/operations/tasks.ts'
import { planeM, type LatLng } from '@saddle/geo/earth.ts'

/** Where somebody has to go for the task: to the vehicle, or where it stood last. */
export const placeOf = ({ vehicle, from }: Pick<Task, 'vehicle' | 'from'>): LatLng | null => vehicle.position ?? from

/** Dots on a phone's map that are nearer to each other cannot be told apart with a thumb. */
const togetherM = 20

/** Groups places that are close together, in the order of the first of each group. */
export function groupsOf<T extends { readonly place: LatLng }>(list: readonly T[]): (readonly [T, ...T[]])[] {
  const groups: [T, ...T[]][] = []
  for (const one of list) {
    const own = groups.find(([first]) => planeM(first.place, one.place) < togetherM)
    if (own === undefined) groups.push([one])
    else own.push(one)
  }
  return groups
}

/** Beyond so many stops the better order is not worth the wait. */
const improvedStopsMax = 60

/**
 * An order in which to visit all places: the nearest next, then turned around wherever that shortens the way. Indices
 * into `stops`.
 */
export function routeOf(start: LatLng | null, stops: readonly LatLng[]): number[] {
  const left = new Set(stops.keys())
  const order: number[] = []
  let at = start ?? stops[0] ?? null
  while (left.size > 0 && at !== null) {
    let best: number | null = null
    let bestM = Number.POSITIVE_INFINITY
    for (const index of left) {
      const stop = stops[index]
      if (stop === undefined) continue
      const metres = planeM(at, stop)
      if (metres < bestM) [best, bestM] = [index, metres]
    }
    if (best === null) break
    left.delete(best)
    order.push(best)
    at = stops[best] ?? at
  }
  return stops.length > improvedStopsMax ? order : improved(start, stops, order)
}

/** Turns stretches of the way around as long as that makes it shorter. */
function improved(start: LatLng | null, stops: readonly LatLng[], order: number[]): number[] {
  const placeAt = (way: readonly number[], index: number): LatLng | null =>
    index < 0 ? start : (stops[way[index] ?? -1] ?? null)
  const leg = (a: LatLng | null, b: LatLng | null): number => (a === null || b === null ? 0 : planeM(a, b))
  let way = order
  let isBetter = true
  while (isBetter) {
    isBetter = false
    for (let from = 0; from < way.length - 1; from += 1) {
      for (let to = from + 1; to < way.length; to += 1) {
        const [before, first, last, after] = [from - 1, from, to, to + 1].map((index) => placeAt(way, index))
        const now = leg(before ?? null, first ?? null) + leg(last ?? null, after ?? null)
        const then = leg(before ?? null, last ?? null) + leg(first ?? null, after ?? null)
        if (then < now - 0.5) {
          way = [...way.slice(0, from), ...way.slice(from, to + 1).toReversed(), ...way.slice(to + 1)]
          isBetter = true
        }
      }
    }
  }
  return way
}

/** The whole way in metres. */
export function lengthOf(start: LatLng | null, stops: readonly LatLng[]): number {
  const all = start === null ? stops : [start, ...stops]
  return all.reduce((sum, stop, index) => {
    const before = all[index - 1]
    return before === undefined ? sum : sum + planeM(before, stop)
  }, 0)
}
