import { distance, distanceTo, lengthOf, type Point } from './geometry.ts'
import type { RoadClass } from './plan.ts'
import type { Street, StreetNet } from './streets.ts'

/** A way through the city: its corners and the metres from its start to each of them. */
export type Route = { points: Point[]; atM: number[]; lengthM: number }

export type Router = {
  /** The cheapest way between two junctions; null when there is none within the search's bound. */
  between(from: number, to: number): Route | null
  /** From kerb to kerb, along the streets all the way. */
  route(from: Point, to: Point): Route | null
}

/** Riders avoid the ring road and use small streets. */
const reluctance: Record<RoadClass, number> = {
  trunk: 2.4,
  primary: 1.05,
  secondary: 1,
  tertiary: 1,
  residential: 1.1,
  path: 1.4,
}

/** The cost of a street: its length in metres, times a factor for its kind. */
export const streetCostM = ({ points, roadClass }: Street): number => lengthOf(points) * reluctance[roadClass]

/** No search looks at more junctions than this; a city of one demo has about 2,000. */
const searchLimit = 20_000

type Arc = { to: number; costM: number; street: Street; forward: boolean }

export function makeRoute(points: readonly Point[]): Route {
  const kept: Point[] = []
  const atM: number[] = []
  let lengthM = 0
  for (const point of points) {
    const last = kept.at(-1)
    const step = last ? distance(last, point) : 0
    if (last && step < 0.01) continue
    lengthM += step
    kept.push(point)
    atM.push(lengthM)
  }
  return { points: kept, atM, lengthM }
}

/** A binary heap of junctions by cost. */
function createQueue() {
  const heap: { node: number; cost: number }[] = []
  const swap = (a: number, b: number) => {
    const [x, y] = [heap[a], heap[b]]
    if (x && y) [heap[a], heap[b]] = [y, x]
  }
  const cost = (index: number) => heap[index]?.cost ?? Infinity
  return {
    push(node: number, value: number) {
      let at = heap.push({ node, cost: value }) - 1
      while (at > 0 && cost(at) < cost((at - 1) >> 1)) {
        swap(at, (at - 1) >> 1)
        at = (at - 1) >> 1
      }
    },
    pop(): { node: number; cost: number } | undefined {
      swap(0, heap.length - 1)
      const top = heap.pop()
      for (let at = 0; ;) {
        const child = cost(2 * at + 1) <= cost(2 * at + 2) ? 2 * at + 1 : 2 * at + 2
        if (cost(child) >= cost(at)) return top
        swap(at, child)
        at = child
      }
    },
  }
}

export function createRouter(net: StreetNet): Router {
  const arcs: Arc[][] = net.nodes.map(() => [])
  for (const street of net.streets) {
    const costM = streetCostM(street)
    arcs[street.from]?.push({ to: street.to, costM, street, forward: true })
    arcs[street.to]?.push({ to: street.from, costM, street, forward: false })
  }

  /** The way from a place beside a street to that end of the street which lies nearer to the goal. */
  const wayIn = (point: Point, goal: Point): { node: number; points: Point[] } | null => {
    const street = nearestStreet(net, point)
    const [start, end] = [street && net.nodes[street.from], street && net.nodes[street.to]]
    if (!street || !start || !end) return null
    const piece = nearestPiece(street.points, point)
    return distance(start, goal) < distance(end, goal)
      ? { node: street.from, points: [point, ...street.points.slice(0, piece + 1).toReversed()] }
      : { node: street.to, points: [point, ...street.points.slice(piece + 1)] }
  }

  const search = (from: number, to: number): Map<number, Arc & { origin: number }> | null => {
    const goal = net.nodes[to]
    if (!goal) return null
    const costs = new Map([[from, 0]])
    const reached = new Map<number, Arc & { origin: number }>()
    const done = new Set<number>()
    const queue = createQueue()
    queue.push(from, 0)
    for (let looked = 0; looked < searchLimit; looked++) {
      const next = queue.pop()
      if (!next) return null
      if (next.node === to) return reached
      if (done.has(next.node)) continue
      done.add(next.node)
      const soFar = costs.get(next.node) ?? 0
      for (const arc of arcs[next.node] ?? []) {
        const total = soFar + arc.costM
        if (total >= (costs.get(arc.to) ?? Infinity)) continue
        costs.set(arc.to, total)
        reached.set(arc.to, { ...arc, origin: next.node })
        queue.push(arc.to, total + distance(net.nodes[arc.to] ?? goal, goal))
      }
    }
    return null
  }

  const between = (from: number, to: number): Route | null => {
    const reached = search(from, to)
    if (!reached) return null
    const pieces: Point[][] = []
    for (let at = to; at !== from;) {
      const arc = reached.get(at)
      if (!arc) return null
      pieces.unshift(arc.forward ? arc.street.points : arc.street.points.toReversed())
      at = arc.origin
    }
    return makeRoute(pieces.flat())
  }

  return {
    between,
    route(from, to) {
      const [start, end] = [wayIn(from, to), wayIn(to, from)]
      const way = start && end && between(start.node, end.node)
      return way ? makeRoute([...start.points, ...way.points, ...end.points.toReversed()]) : null
    },
  }
}

export function nearestStreet(net: StreetNet, point: Point): Street | undefined {
  let best: Street | undefined
  let bestM = Infinity
  for (const street of net.streets) {
    const first = street.points[0]
    // No street is longer than this between two junctions, so a far one needs no closer look.
    if (!first || Math.abs(first[0] - point[0]) > bestM + 1500) continue
    const metres = distanceTo(point, street.points)
    if (metres < bestM) [best, bestM] = [street, metres]
  }
  return best
}

/** The index of the corner before the stretch of a line that comes closest to a point. */
export function nearestPiece(points: readonly Point[], point: Point): number {
  let best = 0
  let bestM = Infinity
  for (let index = 0; index + 1 < points.length; index++) {
    const metres = distanceTo(point, points.slice(index, index + 2))
    if (metres < bestM) [best, bestM] = [index, metres]
  }
  return best
}

/**
 * Where one is after so many metres of a route, `rightM` metres to the right of its line, and the compass direction
 * there. Before the start and behind the end it is the start and the end.
 */
export function placeOn(route: Route, metres: number, rightM = 0): { point: Point; headingDeg: number } {
  const at = Math.max(0, Math.min(route.lengthM, metres))
  let low = 0
  let high = Math.max(0, route.atM.length - 2)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((route.atM[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  const a = route.points[low] ?? [0, 0]
  const b = route.points[low + 1] ?? a
  const length = distance(a, b) || 1
  const share = (at - (route.atM[low] ?? 0)) / length
  const [dx, dy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length]
  return {
    point: [a[0] + (b[0] - a[0]) * share + dy * rightM, a[1] + (b[1] - a[1]) * share - dx * rightM],
    headingDeg: ((Math.atan2(dx, dy) * 180) / Math.PI + 360) % 360,
  }
}
