import type { Random } from '#sim/random.ts'
import { between, closed, distance, insideOf, type Point } from './geometry.ts'
import type { Nature, Patch, Plan } from './plan.ts'
import type { Street } from './streets.ts'

type BlockKind = 'old_town' | 'commercial' | 'residential' | 'industrial' | 'village'
export type Block = { kind: BlockKind; ring: Point[] }
export type Building = { ring: Point[] }

type Cell = { corners: [Point, Point, Point, Point]; centre: Point; width: number; height: number }

/** A place inside a cell by shares of its width and height. */
function placeIn({ corners: [a, b, c, d] }: Cell, s: number, t: number): Point {
  return between(between(a, b, s), between(d, c, s), t)
}

function kindOf(cell: Cell, random: Random): BlockKind | null {
  const far = Math.hypot(cell.centre[0] / 1.25, cell.centre[1])
  const random2 = random.next()
  if (far < 900) return random2 < 0.8 ? 'old_town' : 'commercial'
  if (far < 2300) return random2 < 0.3 ? 'commercial' : 'residential'
  if (far < 4300)
    return random2 < 0.12 ? 'commercial' : random2 < 0.78 ? 'residential' : random2 < 0.9 ? 'industrial' : null
  return random2 < 0.16 ? 'industrial' : random2 < 0.34 ? 'village' : null
}

/** Footprint sizes in metres and how many stand side by side: slabs in rows, houses in lanes, halls. */
const shapes: Record<BlockKind, { pitch: [number, number]; size: [number, number]; share: number }> = {
  old_town: { pitch: [42, 44], size: [30, 22], share: 0.62 },
  commercial: { pitch: [88, 84], size: [56, 50], share: 0.66 },
  residential: { pitch: [74, 50], size: [54, 14], share: 0.74 },
  industrial: { pitch: [135, 105], size: [96, 56], share: 0.6 },
  village: { pitch: [58, 62], size: [22, 13], share: 0.34 },
}

const margin = 20

function fill(cell: Cell, kind: BlockKind, random: Random, free: (point: Point) => boolean): Building[] {
  const { pitch, size, share } = shapes[kind]
  const columns = Math.floor((cell.width - 2 * margin) / pitch[0])
  const rows = Math.floor((cell.height - 2 * margin) / pitch[1])
  const found: Building[] = []
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < rows; row++) {
      const built = random.chance(share)
      const [w, h] = [size[0] * random.between(0.75, 1.15), size[1] * random.between(0.85, 1.2)]
      if (!built) continue
      const s = (margin + (column + 0.5) * ((cell.width - 2 * margin) / columns)) / cell.width
      const t = (margin + (row + 0.5) * ((cell.height - 2 * margin) / rows)) / cell.height
      const [ds, dt] = [w / 2 / cell.width, h / 2 / cell.height]
      const ring = [
        placeIn(cell, s - ds, t - dt),
        placeIn(cell, s + ds, t - dt),
        placeIn(cell, s + ds, t + dt),
        placeIn(cell, s - ds, t + dt),
      ]
      if (ring.every(free)) found.push({ ring: closed(ring) })
    }
  }
  return found
}

/** Looks up what lies near a point without walking through the whole city each time. */
function obstacles({
  nature,
  patches,
  through,
}: {
  nature: Nature
  patches: readonly Point[][]
  through: readonly Street[]
}) {
  const size = 200
  const roads = new Map<string, Point[]>()
  for (const { points } of through) {
    for (let i = 0; i + 1 < points.length; i++) {
      const [a, b] = [points[i], points[i + 1]]
      if (!a || !b) continue
      const steps = Math.max(1, Math.ceil(distance(a, b) / 15))
      for (let step = 0; step <= steps; step++) {
        const point = between(a, b, step / steps)
        const key = `${Math.floor(point[0] / size)},${Math.floor(point[1] / size)}`
        const list = roads.get(key)
        if (list) list.push(point)
        else roads.set(key, [point])
      }
    }
  }
  const nearRoad = (point: Point) => {
    const [x, y] = [Math.floor(point[0] / size), Math.floor(point[1] / size)]
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        if (roads.get(`${x + dx},${y + dy}`)?.some((other) => distance(point, other) < 30)) return true
      }
    }
    return false
  }
  const canals = nature.canals.map(({ ring, hole }) => ({ outer: insideOf(ring), inner: hole && insideOf(hole) }))
  const areas = [nature.river, ...nature.lakes.map(({ ring }) => ring), ...patches].map(insideOf)
  return {
    nearRoad,
    taken: (point: Point) =>
      areas.some((area) => area(point)) || canals.some(({ outer, inner }) => outer(point) && !inner?.(point)),
  }
}

/** Blocks with their use, and the footprints on them. `through` are roads that cut through the grid's cells. */
export function makeBlocks({
  plan,
  nature,
  patches,
  green,
  through,
  random,
}: {
  plan: Plan
  nature: Nature
  patches: readonly Patch[]
  green: readonly Point[][]
  through: readonly Street[]
  random: Random
}): { blocks: Block[]; buildings: Building[] } {
  const { taken, nearRoad } = obstacles({ nature, patches: green, through })
  const blocks: Block[] = []
  const buildings: Building[] = []
  for (let i = 0; i + 1 < plan.columns.length; i++) {
    for (let j = 0; j + 1 < plan.rows.length; j++) {
      const [u0, u1] = [plan.columns[i]?.at ?? 0, plan.columns[i + 1]?.at ?? 0]
      const [v0, v1] = [plan.rows[j]?.at ?? 0, plan.rows[j + 1]?.at ?? 0]
      const corners: Cell['corners'] = [plan.warp(u0, v0), plan.warp(u1, v0), plan.warp(u1, v1), plan.warp(u0, v1)]
      const centre = plan.warp((u0 + u1) / 2, (v0 + v1) / 2)
      const cell: Cell = {
        corners,
        centre,
        width: distance(corners[0], corners[1]),
        height: distance(corners[0], corners[3]),
      }
      const kind = kindOf(cell, random)
      const within = patches.some(
        ({ columns, rows }) => i >= columns[0] && i < columns[1] && j >= rows[0] && j < rows[1],
      )
      if (kind === null || within || taken(centre)) continue
      if (kind !== 'village' && !corners.some(taken)) blocks.push({ kind, ring: closed(corners) })
      buildings.push(...fill(cell, kind, random, (point) => !taken(point) && !nearRoad(point)))
    }
  }
  return { blocks, buildings }
}
