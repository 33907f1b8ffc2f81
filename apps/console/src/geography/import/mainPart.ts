import { greatCircleM, type Position } from '@saddle/geo/earth.ts'

/** Fences of a city lie within some times the usual distance from their middle; a point beyond that is a mistake. */
const strayTimes = 6
const strayMinM = 5_000

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** The points without those that lie far from all others: what a map shows of an import. */
export function mainPart(points: readonly Position[]): Position[] {
  const middle = { lat: median(points.map(([, lat]) => lat)), lng: median(points.map(([lng]) => lng)) }
  const far = points.map(([lng, lat]) => greatCircleM(middle, { lat, lng }))
  const limit = Math.max(strayMinM, strayTimes * median(far))
  return points.filter((_, index) => (far[index] ?? 0) <= limit)
}
