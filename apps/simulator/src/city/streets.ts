import type { Random } from '#sim/random.ts'
import { between, blob, crossing, insideOf, lengthOf, type Point } from './geometry.ts'
import { createNamer, streetName } from './names.ts'
import { type Nature, type Patch, type Plan, type RoadClass } from './plan.ts'

/** A piece of street between two junctions. `line` and `order` say where on its street it lies. */
export type Street = {
  from: number
  to: number
  points: Point[]
  roadClass: RoadClass
  name: string
  line: string
  order: number
}

export type StreetNet = { nodes: Point[]; streets: Street[] }

type Draft = StreetNet & { direction: Map<string, 'column' | 'row'> }

const nodeIndex = (plan: Plan, column: number, row: number) => column * plan.rows.length + row

function samples(plan: Plan, from: readonly [number, number], to: readonly [number, number]): Point[] {
  return [0, 1 / 3, 2 / 3, 1].map((share) =>
    plan.warp(from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share),
  )
}

function gridStreets(plan: Plan, random: Random): Draft {
  const nodes = plan.columns.flatMap((column) => plan.rows.map((row) => plan.warp(column.at, row.at)))
  const streets: Street[] = []
  const direction = new Map<string, 'column' | 'row'>()
  const nameFor = createNamer(random)
  for (const axis of ['column', 'row'] as const) {
    const [lines, others] = axis === 'column' ? [plan.columns, plan.rows] : [plan.rows, plan.columns]
    for (const [index, { at, roadClass }] of lines.entries()) {
      const stem = nameFor(roadClass)
      const line = `${axis}-${index}`
      direction.set(line, axis)
      for (let other = 0; other + 1 < others.length; other++) {
        const start = others[other]?.at ?? 0
        const end = others[other + 1]?.at ?? 0
        const node = (o: number) => (axis === 'column' ? nodeIndex(plan, index, o) : nodeIndex(plan, o, index))
        const points = axis === 'column' ? samples(plan, [at, start], [at, end]) : samples(plan, [start, at], [end, at])
        const name = streetName({ stem, direction: axis, roadClass, positive: start >= 0 })
        streets.push({ from: node(other), to: node(other + 1), points, roadClass, name, line, order: other })
      }
    }
  }
  return { nodes, streets, direction }
}

const major = new Set<RoadClass>(['primary', 'secondary', 'trunk'])

function inPatch(patch: Patch, [column, row]: [number, number], [column2, row2]: [number, number]): boolean {
  const c = (column + column2) / 2
  const r = (row + row2) / 2
  return c > patch.columns[0] && c < patch.columns[1] && r > patch.rows[0] && r < patch.rows[1]
}

/** Removes what a real city would not have: streets through lakes, too many bridges, every street in a park. */
function carve({
  draft,
  plan,
  nature,
  patches,
  random,
  ring,
}: {
  draft: Draft
  plan: Plan
  nature: Nature
  patches: readonly Patch[]
  random: Random
  ring: readonly Point[]
}): Street[] {
  const cell = (node: number): [number, number] => [Math.floor(node / plan.rows.length), node % plan.rows.length]
  type Area = (point: Point) => boolean
  const crosses = (street: Street, area: Area) => {
    for (let i = 0; i + 1 < street.points.length; i++) {
      const [a, b] = [street.points[i], street.points[i + 1]]
      if (!a || !b) continue
      for (let share = 0; share <= 1; share += 0.25) if (area(between(a, b, share))) return true
    }
    return false
  }
  const lakes = nature.lakes.map((lake) => insideOf(lake.ring))
  const river = insideOf(nature.river)
  const canals = nature.canals.map(({ ring, hole }) => {
    const [outer, inner] = [insideOf(ring), hole && insideOf(hole)]
    return (point: Point) => outer(point) && !inner?.(point)
  })
  const withinRing = insideOf(ring)
  return draft.streets.flatMap((street) => {
    const axis = draft.direction.get(street.line)
    const middle = street.points[1] ?? [0, 0]
    const outside = !withinRing(middle)
    // A random number is drawn for every street, so that moving a lake does not change streets elsewhere.
    const random2 = random.next()
    if (lakes.some((lake) => crosses(street, lake))) return []
    if (crosses(street, river) && !(axis === 'column' && major.has(street.roadClass))) return []
    if (street.roadClass === 'residential' && canals.some((canal) => crosses(street, canal))) return []
    const patch = patches.find((one) => inPatch(one, cell(street.from), cell(street.to)))
    if (patch && !major.has(street.roadClass))
      return random2 < 0.55 ? [{ ...street, roadClass: 'path' as const, name: '' }] : []
    const far = Math.hypot(middle[0], middle[1])
    const loss =
      street.roadClass === 'residential'
        ? outside
          ? 0.72
          : 0.1 + far / 40_000
        : street.roadClass === 'tertiary'
          ? outside
            ? 0.45
            : 0.03
          : 0
    return random2 < loss ? [] : [street]
  })
}

/** Lays a road over the net: it meets the streets that `joins` accepts and cuts off those that it does not. */
function overlay({
  net,
  line,
  roadClass,
  name,
  key,
  joins,
}: {
  net: StreetNet
  line: readonly Point[]
  roadClass: RoadClass
  name: (point: Point) => string
  key: string
  joins: (street: Street) => boolean
}): void {
  const meetings: { along: number; node: number }[] = []
  const kept: Street[] = []
  for (const street of net.streets) {
    const hit = meet(street.points, line)
    if (!hit) {
      kept.push(street)
    } else if (joins(street)) {
      const node = net.nodes.push(hit.point) - 1
      meetings.push({ along: hit.along, node })
      const first = street.points.slice(0, hit.index + 1)
      const rest = street.points.slice(hit.index + 1)
      kept.push({ ...street, to: node, points: [...first, hit.point] })
      kept.push({ ...street, from: node, points: [hit.point, ...rest], order: street.order + 0.5 })
    }
  }
  meetings.sort((a, b) => a.along - b.along)
  const [start, end] = [line[0], line.at(-1)]
  const closes = start !== undefined && start === end
  for (let i = 0; i + (closes ? 0 : 1) < meetings.length; i++) {
    const [a, b] = [meetings[i], meetings[(i + 1) % meetings.length]]
    const [first, last] = [a && net.nodes[a.node], b && net.nodes[b.node]]
    if (!a || !b || !first || !last) continue
    const points = [first, ...stretch(line, a.along, b.along), last]
    kept.push({ from: a.node, to: b.node, points, roadClass, name: name(first), line: key, order: i })
  }
  net.streets = kept
}

function meet(street: readonly Point[], line: readonly Point[]): { index: number; point: Point; along: number } | null {
  for (let index = 0; index + 1 < street.length; index++) {
    const [a, b] = [street[index], street[index + 1]]
    for (let i = 0; i + 1 < line.length; i++) {
      const [c, d] = [line[i], line[i + 1]]
      if (!a || !b || !c || !d) continue
      if (Math.abs(a[0] - c[0]) > 1200 || Math.abs(a[1] - c[1]) > 1200) continue
      const hit = crossing(a, b, c, d)
      if (hit && hit.first > 0.01 && hit.first < 0.99)
        return { index, point: between(a, b, hit.first), along: i + hit.second }
    }
  }
  return null
}

/** The corners of a line strictly between two places on it, given as corner index plus share; around the end if need be. */
function stretch(line: readonly Point[], from: number, to: number): Point[] {
  const first = Math.floor(from) + 1
  return from < to ? line.slice(first, Math.ceil(to)) : [...line.slice(first), ...line.slice(1, Math.ceil(to))]
}

/** Keeps only the streets that are connected to the rest. */
function largestPart(net: StreetNet): StreetNet {
  const parent = net.nodes.map((_, index) => index)
  const root = (node: number): number => {
    let at = node
    while (parent[at] !== at) {
      const up = parent[at] ?? at
      parent[at] = parent[up] ?? up
      at = parent[at] ?? at
    }
    return at
  }
  for (const { from, to } of net.streets) parent[root(from)] = root(to)
  const sizes = new Map<number, number>()
  for (const street of net.streets) sizes.set(root(street.from), (sizes.get(root(street.from)) ?? 0) + 1)
  const best = [...sizes].toSorted((a, b) => b[1] - a[1])[0]?.[0]
  const renumbered = new Map<number, number>()
  const nodes: Point[] = []
  const number = (node: number) => {
    const known = renumbered.get(node)
    if (known !== undefined) return known
    const point = net.nodes[node] ?? [0, 0]
    renumbered.set(node, nodes.push(point) - 1)
    return nodes.length - 1
  }
  const streets = net.streets
    .filter((street) => root(street.from) === best && lengthOf(street.points) > 1)
    .map((street) => Object.assign({}, street, { from: number(street.from), to: number(street.to) }))
  return { nodes, streets }
}

const compass = (point: Point) =>
  Math.abs(point[0]) / 6200 > Math.abs(point[1]) / 4800 ? (point[0] > 0 ? '东' : '西') : point[1] > 0 ? '北' : '南'

export function makeStreets({
  plan,
  nature,
  patches,
  random,
}: {
  plan: Plan
  nature: Nature
  patches: readonly Patch[]
  random: Random
}): StreetNet {
  const ring = blob([-150, 0], 120, (angle) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    const reach = 1 / (Math.abs(c / 5950) ** 2.7 + Math.abs(s / 4650) ** 2.7) ** (1 / 2.7)
    const wobble = 1 + 0.022 * Math.sin(3 * angle + 1) + 0.014 * Math.sin(5 * angle)
    return [c * reach * wobble, s * reach * wobble]
  })
  const avenue: Point[] = []
  for (let share = 0; share <= 1; share += 1 / 30) {
    avenue.push([1250 + 5600 * share, 1050 + 4300 * share + 260 * Math.sin(share * 5)])
  }
  const draft = gridStreets(plan, random)
  const net: StreetNet = { nodes: draft.nodes, streets: carve({ draft, plan, nature, patches, random, ring }) }
  overlay({ net, line: avenue, roadClass: 'primary', name: () => '凤凰大道', key: 'avenue', joins: () => true })
  overlay({
    net,
    line: ring,
    roadClass: 'trunk',
    name: (point) => `外环${compass(point)}路`,
    key: 'ring',
    joins: (street) => major.has(street.roadClass),
  })
  return largestPart(net)
}
