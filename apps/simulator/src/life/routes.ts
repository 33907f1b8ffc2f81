import { lengthOf, type Point } from '#sim/city/geometry.ts'
import { makeRoute, nearestPiece, nearestStreet, streetCostM, type Route } from '#sim/city/routing.ts'
import type { Street, StreetNet } from '#sim/city/streets.ts'

export type RouteBook = {
  /** The cheapest way between two anchors, from kerb to kerb; null when there is none. */
  between(from: number, to: number): Route | null
}

type Arc = { to: number; cost: number; street: Street; forward: boolean }
type Tree = { cost: Float64Array; by: (Arc | undefined)[]; origin: Int32Array }
/** Where an anchor's kerb meets the net: the ways from it to both ends of its street. */
type Gate = { node: number; cost: number; points: Point[] }

/**
 * Ways between a fixed set of anchors. One search from an anchor answers for all its goals, and every way is put
 * together once: a month of rides takes the same few thousand ways.
 */
export function createRouteBook(net: StreetNet, anchors: readonly Point[]): RouteBook {
  const arcs: Arc[][] = net.nodes.map(() => [])
  for (const street of net.streets) {
    const cost = streetCostM(street)
    arcs[street.from]?.push({ to: street.to, cost, street, forward: true })
    arcs[street.to]?.push({ to: street.from, cost, street, forward: false })
  }
  const gates = new Map<number, Gate[]>()
  const trees = new Map<number, Tree>()
  const known = new Map<number, Route | null>()

  const gatesOf = (anchor: number): Gate[] => {
    const ready = gates.get(anchor)
    if (ready) return ready
    const made = findGates(net, anchors[anchor])
    gates.set(anchor, made)
    return made
  }
  const treeOf = (anchor: number): Tree => {
    const ready = trees.get(anchor)
    if (ready) return ready
    const made = grow({ size: net.nodes.length, arcs, gates: gatesOf(anchor) })
    trees.set(anchor, made)
    return made
  }
  const make = (from: number, to: number): Route | null => {
    const tree = treeOf(from)
    const [exit] = gatesOf(to).toSorted((a, b) => total(tree, a) - total(tree, b))
    if (!exit || total(tree, exit) === Infinity) return null
    const pieces: Point[][] = [exit.points.toReversed()]
    let node = exit.node
    for (;;) {
      const arc = tree.by[node]
      if (!arc) break
      pieces.unshift(arc.forward ? arc.street.points : arc.street.points.toReversed())
      node = tree.origin[node] ?? node
    }
    const entry = gatesOf(from).find((gate) => gate.node === node)
    return entry ? makeRoute([...entry.points, ...pieces.flat()]) : null
  }
  return {
    between(from, to) {
      const key = from * anchors.length + to
      const ready = known.get(key)
      if (ready !== undefined) return ready
      const route = from === to ? null : make(from, to)
      known.set(key, route)
      return route
    },
  }
}

const total = (tree: Tree, gate: Gate) => (tree.cost[gate.node] ?? Infinity) + gate.cost

function findGates(net: StreetNet, point: Point | undefined): Gate[] {
  const street = point && nearestStreet(net, point)
  if (!point || !street) return []
  const piece = nearestPiece(street.points, point)
  const back = [point, ...street.points.slice(0, piece + 1).toReversed()]
  const on = [point, ...street.points.slice(piece + 1)]
  return [
    { node: street.from, cost: lengthOf(back), points: back },
    { node: street.to, cost: lengthOf(on), points: on },
  ]
}

/** The cheapest ways from an anchor to every junction. */
function grow({ size, arcs, gates }: { size: number; arcs: readonly Arc[][]; gates: readonly Gate[] }): Tree {
  const cost = new Float64Array(size).fill(Infinity)
  const by: (Arc | undefined)[] = Array.from({ length: size }, () => undefined)
  const origin = new Int32Array(size).fill(-1)
  const done = new Uint8Array(size)
  // A junction is in the queue once for each price that was found for it: the queue keeps the price of its own.
  const queue: { node: number; price: number }[] = []
  const price = (at: number) => queue[at]?.price ?? Infinity
  const swap = (a: number, b: number) => {
    const [x, y] = [queue[a], queue[b]]
    if (x && y) [queue[a], queue[b]] = [y, x]
  }
  const push = (node: number) => {
    let at = queue.push({ node, price: cost[node] ?? 0 }) - 1
    while (at > 0 && price(at) < price((at - 1) >> 1)) {
      swap(at, (at - 1) >> 1)
      at = (at - 1) >> 1
    }
  }
  const pop = (): number | undefined => {
    swap(0, queue.length - 1)
    const top = queue.pop()
    for (let at = 0; ;) {
      const child = price(2 * at + 1) <= price(2 * at + 2) ? 2 * at + 1 : 2 * at + 2
      if (price(child) >= price(at)) return top?.node
      swap(at, child)
      at = child
    }
  }
  for (const gate of gates) {
    cost[gate.node] = Math.min(cost[gate.node] ?? Infinity, gate.cost)
    push(gate.node)
  }
  for (let node = pop(); node !== undefined; node = pop()) {
    if (done[node] === 1) continue
    done[node] = 1
    for (const arc of arcs[node] ?? []) {
      const reached = (cost[node] ?? 0) + arc.cost
      if (done[arc.to] === 1 || reached >= (cost[arc.to] ?? Infinity)) continue
      cost[arc.to] = reached
      by[arc.to] = arc
      origin[arc.to] = node
      push(arc.to)
    }
  }
  return { cost, by, origin }
}
