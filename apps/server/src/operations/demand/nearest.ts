import { planeM, type LatLng } from '@saddle/geo/earth.ts'

/** A few hundred metres: most squares hold a few places. */
const square = 0.004
const keyOf = (x: number, y: number): number => x * 1_000_000 + y

/** Finds the nearest of the spots within reach, looking only at those nearby; -1 when there is none. */
export function nearestOf(spots: readonly LatLng[], reachM: number): (at: LatLng) => number {
  const squares = new Map<number, number[]>()
  for (const [index, { lat, lng }] of spots.entries()) {
    const key = keyOf(Math.floor(lng / square), Math.floor(lat / square))
    squares.set(key, [...(squares.get(key) ?? []), index])
  }
  const around = Math.ceil(reachM / (square * 90_000))
  return (at) => {
    const [x, y] = [Math.floor(at.lng / square), Math.floor(at.lat / square)]
    let [best, bestM] = [-1, reachM]
    for (let east = -around; east <= around; east += 1) {
      for (let north = -around; north <= around; north += 1) {
        for (const index of squares.get(keyOf(x + east, y + north)) ?? []) {
          const spot = spots[index]
          const metres = spot === undefined ? Infinity : planeM(at, spot)
          if (metres <= bestM) [best, bestM] = [index, metres]
        }
      }
    }
    return best
  }
}
