import type { Corner } from './corners.ts'

/** Lines that a corner may snap to, closed or open. */
export type Lines = readonly (readonly Corner[])[]

/**
 * The nearest corner within reach of a place, else the nearest point on an edge, else the place itself. A
 * shared line then has the same corners on both sides, and neighbours leave no gap.
 */
export function snapped(at: Corner, lines: Lines, reach: { readonly lng: number; readonly lat: number }): Corner {
  let corner: Corner | null = null
  let edge: Corner | null = null
  let [toCorner, toEdge] = [1, 1]
  for (const line of lines) {
    for (const [index, to] of line.entries()) {
      const away = Math.hypot((to[0] - at[0]) / reach.lng, (to[1] - at[1]) / reach.lat)
      if (away <= toCorner) [corner, toCorner] = [to, away]
      const from = line[index - 1]
      if (from === undefined) continue
      const place = onEdge({ from, to, at, reach })
      if (place !== null && place.away <= toEdge) [edge, toEdge] = [place.corner, place.away]
    }
  }
  return corner ?? edge ?? at
}

/** The nearest point on an edge; distances in units of the reach. Null if the edge is far out of reach. */
function onEdge(options: { from: Corner; to: Corner; at: Corner; reach: { lng: number; lat: number } }) {
  const { from, to, at, reach } = options
  if (Math.min(from[0], to[0]) > at[0] + reach.lng || Math.max(from[0], to[0]) < at[0] - reach.lng) return null
  if (Math.min(from[1], to[1]) > at[1] + reach.lat || Math.max(from[1], to[1]) < at[1] - reach.lat) return null
  const [x, y] = [(from[0] - at[0]) / reach.lng, (from[1] - at[1]) / reach.lat]
  const [dx, dy] = [(to[0] - from[0]) / reach.lng, (to[1] - from[1]) / reach.lat]
  const length = dx * dx + dy * dy
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, -(x * dx + y * dy) / length))
  const corner: Corner = [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part]
  return { corner, away: Math.hypot(x + part * dx, y + part * dy) }
}
