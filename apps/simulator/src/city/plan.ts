import type { Random } from '#sim/random.ts'
import { blob, closed, ribbon, type Point } from './geometry.ts'

/** Half the city's extent in metres. */
export const cityHalf = { x: 8200, y: 6400 } as const
export const citySeed = 20261121

export type RoadClass = 'trunk' | 'primary' | 'secondary' | 'tertiary' | 'residential' | 'path'

/** A street of the grid before it is bent: its place on the straight axis, its rank, its name's stem. */
type GridLine = { at: number; roadClass: RoadClass }

/** Streets follow a grid that grows wider with the distance from the old town and is bent like a real one. */
export type Plan = {
  columns: GridLine[]
  rows: GridLine[]
  warp(u: number, v: number): Point
}

function gridLines(random: Random, half: number): GridLine[] {
  const spacing = (at: number) => (215 + 0.036 * Math.abs(at)) * random.between(0.8, 1.2)
  const positions = [0]
  for (let at = spacing(0); at < half; at += spacing(at)) positions.push(at)
  for (let at = -spacing(0); at > -half; at -= spacing(at)) positions.unshift(at)
  const middle = positions.indexOf(0)
  return positions.map((at, index) => {
    const rank = Math.abs(index - middle)
    const roadClass: RoadClass =
      rank % 6 === 0 ? 'primary' : rank % 3 === 0 ? 'secondary' : random.chance(0.35) ? 'tertiary' : 'residential'
    return { at, roadClass }
  })
}

export function makePlan(random: Random): Plan {
  const phase = [0, 1, 2, 3].map(() => random.between(0, 2 * Math.PI))
  const [p0 = 0, p1 = 0, p2 = 0, p3 = 0] = phase
  const tilt = 0.09
  return {
    columns: gridLines(random, cityHalf.x + 900),
    rows: gridLines(random, cityHalf.y + 900),
    warp: (u, v) => [
      u * Math.cos(tilt) -
        v * Math.sin(tilt) +
        240 * Math.sin(v / 2300 + p0) +
        110 * Math.sin(u / 1700 + v / 3100 + p1),
      u * Math.sin(tilt) +
        v * Math.cos(tilt) +
        220 * Math.sin(u / 2600 + p2) +
        100 * Math.sin(v / 1500 - u / 3700 + p3),
    ],
  }
}

export type Named = { name: string; kind: string; ring: Point[]; hole?: Point[] }

/**
 * A line from far in the west to far in the east: fine in the city (up to 9,800 m), coarse outside, where it only
 * keeps the map from ending in the middle of a tile.
 */
export function alongX(y: (x: number) => number, stepM: number): Point[] {
  const edge = Math.floor(9800 / stepM) * stepM
  const line: Point[] = []
  for (let x = -edge - 24_000; x < -edge; x += 800) line.push([x, y(x)])
  for (let x = -edge; x <= edge; x += stepM) line.push([x, y(x)])
  for (let x = edge + 800; x <= edge + 24_000; x += 800) line.push([x, y(x)])
  return line
}

export type Nature = {
  riverLine: Point[]
  river: Point[]
  /** Narrow water that streets of some rank cross. */
  canals: Named[]
  lakes: Named[]
}

export const riverAt = (x: number) => -2300 + 780 * Math.sin(x / 3100 + 0.6) + 290 * Math.sin(x / 1270 + 2)

function lake(random: Random, centre: Point, radius: number, name: string): Named {
  const [a, b, c] = [random.between(0, 6), random.between(0, 6), random.between(0, 6)]
  const ring = blob(centre, 72, (angle) => {
    const grown =
      radius * (1 + 0.1 * Math.sin(2 * angle + a) + 0.07 * Math.sin(3 * angle + b) + 0.03 * Math.sin(7 * angle + c))
    return [Math.cos(angle) * grown * 1.08, Math.sin(angle) * grown * 0.92]
  })
  return { name, kind: 'lake', ring }
}

/** The moat of the old town: a rectangle of the grid, bent like it, with rounded corners. */
function moat(plan: Plan): Named {
  const at = (scale: number) =>
    blob([0, 0], 96, (angle) => {
      const [c, s] = [Math.cos(angle), Math.sin(angle)]
      const reach = 1 / (Math.abs(c) ** 7 + Math.abs(s) ** 7) ** (1 / 7)
      return plan.warp(c * reach * (1120 + scale), s * reach * (930 + scale))
    })
  return { name: '护城河', kind: 'canal', ring: at(15), hole: at(-15) }
}

export function makeNature(random: Random, plan: Plan): Nature {
  const riverLine = alongX((x) => riverAt(x), 140)
  const canalLine: Point[] = []
  for (let y = riverAt(3050) + 40; y <= 24_000; y += 160) canalLine.push([3050 + 210 * Math.sin(y / 1300), y])
  const brook: Point[] = []
  for (let y = riverAt(-4700) - 40; y >= -24_000; y -= 160) brook.push([-4700 + 320 * Math.sin(y / 1100), y])
  return {
    riverLine,
    river: ribbon(riverLine, ([x]) => 88 + 26 * Math.sin(x / 900)),
    canals: [
      moat(plan),
      { name: '通澄河', kind: 'canal', ring: ribbon(canalLine, () => 19) },
      { name: '柳溪', kind: 'stream', ring: ribbon(brook, ([, y]) => 13 + 3 * Math.sin(y / 300)) },
    ],
    lakes: [
      lake(random, [6350, -5050], 1560, '澄湖'),
      lake(random, plan.warp(-3400, 3550), 280, '镜湖'),
      lake(random, plan.warp(3800, 2350), 120, '未央池'),
    ],
  }
}

/** A patch of the grid between four of its streets. */
export type Patch = {
  name: string
  kind: string
  columns: [from: number, to: number]
  rows: [from: number, to: number]
}

const nearest = (lines: readonly GridLine[], at: number) => {
  let best = 0
  for (const [index, line] of lines.entries()) {
    if (Math.abs(line.at - at) < Math.abs((lines[best]?.at ?? Infinity) - at)) best = index
  }
  return best
}

export function makePatches(plan: Plan): Patch[] {
  const patch = (name: string, kind: string, [u0, u1, v0, v1]: [number, number, number, number]): Patch => {
    const columns: [number, number] = [nearest(plan.columns, u0), nearest(plan.columns, u1)]
    const rows: [number, number] = [nearest(plan.rows, v0), nearest(plan.rows, v1)]
    return {
      name,
      kind,
      columns: [columns[0], Math.max(columns[1], columns[0] + 1)],
      rows: [rows[0], Math.max(rows[1], rows[0] + 1)],
    }
  }
  return [
    patch('镜湖公园', 'park', [-3900, -2900, 3100, 4000]),
    patch('拾园', 'park', [250, 620, 250, 640]),
    patch('东郊公园', 'park', [4800, 5500, -300, 380]),
    patch('体育公园', 'park', [-2700, -2000, -700, -200]),
    patch('澄湖大学', 'campus', [3300, 4400, 1900, 2900]),
    patch('澄湖职业学院', 'campus', [-5600, -4900, 200, 800]),
  ]
}

/** The patch's outline, following the bent streets around it. */
export function outline(plan: Plan, { columns, rows }: Pick<Patch, 'columns' | 'rows'>): Point[] {
  const [u0, u1] = columns.map((index) => plan.columns[index]?.at ?? 0) as [number, number]
  const [v0, v1] = rows.map((index) => plan.rows[index]?.at ?? 0) as [number, number]
  const steps = 6
  const ring: Point[] = []
  for (let i = 0; i < steps; i++) ring.push(plan.warp(u0 + ((u1 - u0) * i) / steps, v0))
  for (let i = 0; i < steps; i++) ring.push(plan.warp(u1, v0 + ((v1 - v0) * i) / steps))
  for (let i = 0; i < steps; i++) ring.push(plan.warp(u1 - ((u1 - u0) * i) / steps, v1))
  for (let i = 0; i < steps; i++) ring.push(plan.warp(u0, v1 - ((v1 - v0) * i) / steps))
  return closed(ring)
}
