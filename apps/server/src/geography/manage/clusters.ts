import { metresPerDegree, metresPerDegreeLng, type LatLng } from '@saddle/geo/earth.ts'

export type Return = LatLng & { readonly day: string; readonly charged: boolean }
export type Cluster = {
  readonly centre: LatLng
  readonly radiusM: number
  readonly returns: number
  readonly charged: number
  readonly busiestDay: number
}

const radiusLimitsM = { min: 8, max: 60 } as const

/** Returns within so much of each other are one spot, so that a crowded corner costs no more than a quiet street. */
const spotM = 2

type Spot = { readonly x: number; readonly y: number; readonly members: Return[] }

/**
 * Where returns lie close together: spots in dense company and all that such a spot reaches (DBSCAN), found in a grid of
 * cells as wide as the reach, so that a spot looks at its neighbours only. The largest first.
 */
export function clustersOf(
  returns: readonly Return[],
  { apartM, returnsMin }: { readonly apartM: number; readonly returnsMin: number },
): Cluster[] {
  const spots = spotsOf(returns)
  const near = neighboursIn(spots, apartM)
  const taken = new Set<Spot>()
  const groups: Spot[][] = []
  const isDense = (around: readonly Spot[]): boolean =>
    around.reduce((sum, { members }) => sum + members.length, 0) >= returnsMin
  for (const start of spots) {
    if (taken.has(start) || !isDense(near(start))) continue
    const group: Spot[] = []
    const waiting = [start]
    taken.add(start)
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      group.push(at)
      const around = near(at)
      if (!isDense(around)) continue
      for (const other of around) {
        if (taken.has(other)) continue
        taken.add(other)
        waiting.push(other)
      }
    }
    groups.push(group)
  }
  return groups
    .map(clusterOf)
    .toSorted((a, b) => b.returns - a.returns || a.centre.lat - b.centre.lat || a.centre.lng - b.centre.lng)
}

function spotsOf(returns: readonly Return[]): Spot[] {
  const [first] = returns
  if (first === undefined) return []
  const perLng = metresPerDegreeLng(first.lat)
  const spots = new Map<string, Spot>()
  for (const one of returns) {
    const x = Math.round(((one.lng - first.lng) * perLng) / spotM) * spotM
    const y = Math.round(((one.lat - first.lat) * metresPerDegree) / spotM) * spotM
    const known = spots.get(`${x} ${y}`)
    if (known === undefined) spots.set(`${x} ${y}`, { x, y, members: [one] })
    else known.members.push(one)
  }
  return [...spots.values()]
}

function neighboursIn(spots: readonly Spot[], apartM: number): (spot: Spot) => Spot[] {
  const cellOf = (value: number): number => Math.floor(value / apartM)
  const cells = Map.groupBy(spots, ({ x, y }) => `${cellOf(x)} ${cellOf(y)}`)
  return ({ x, y }) => {
    const found: Spot[] = []
    for (let column = cellOf(x) - 1; column <= cellOf(x) + 1; column += 1) {
      for (let row = cellOf(y) - 1; row <= cellOf(y) + 1; row += 1) {
        for (const other of cells.get(`${column} ${row}`) ?? []) {
          if (Math.hypot(other.x - x, other.y - y) <= apartM) found.push(other)
        }
      }
    }
    return found
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

function clusterOf(group: readonly Spot[]): Cluster {
  const own = group.flatMap(({ members }) => members)
  const each = group.flatMap((spot) => spot.members.map(() => spot))
  const [x, y] = [mean(each.map((spot) => spot.x)), mean(each.map((spot) => spot.y))]
  const away = each.map((spot) => Math.hypot(spot.x - x, spot.y - y)).toSorted((a, b) => a - b)
  const reach = away[Math.min(away.length - 1, Math.floor(away.length * 0.9))] ?? 0
  const days = Map.groupBy(own, ({ day }) => day)
  return {
    centre: { lat: mean(own.map(({ lat }) => lat)), lng: mean(own.map(({ lng }) => lng)) },
    radiusM: Math.round(Math.min(radiusLimitsM.max, Math.max(radiusLimitsM.min, reach))),
    returns: own.length,
    charged: own.filter(({ charged }) => charged).length,
    busiestDay: Math.max(0, ...[...days.values()].map((list) => list.length)),
  }
}
