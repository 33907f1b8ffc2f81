type Position = readonly [lng: number, lat: number]
export type Place = { readonly lat: number; readonly lng: number }
export type Shape = {
  readonly ring: readonly Position[] | null
  readonly centre: Place
  readonly radiusM: number | null
}

const metresPerDegree = 111_195
const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Metres east and north of `origin`: good to a few centimetres over the size of a fence. */
function flat(origin: Place, { lat, lng }: Place): { x: number; y: number } {
  return {
    x: (lng - origin.lng) * metresPerDegree * Math.cos(radians(origin.lat)),
    y: (lat - origin.lat) * metresPerDegree,
  }
}

/** Metres from a place to the nearest part of a fence, and whether it lies inside; inside the distance is 0. */
export function nearness(place: Place, shape: Shape): { distanceM: number; isInside: boolean } {
  if (shape.ring === null) {
    const { x, y } = flat(place, shape.centre)
    const beyond = Math.hypot(x, y) - (shape.radiusM ?? 0)
    return { distanceM: Math.max(0, beyond), isInside: beyond <= 0 }
  }
  const corners = shape.ring.map(([lng, lat]) => flat(place, { lat, lng }))
  let isInside = false
  let nearest = Number.POSITIVE_INFINITY
  for (let index = 1; index < corners.length; index += 1) {
    const [from, to] = [corners[index - 1], corners[index]]
    if (from === undefined || to === undefined) continue
    nearest = Math.min(nearest, distanceToSegment(from, to))
    // The place itself is the origin: an edge counts where it crosses the ray to the east.
    if (from.y > 0 !== to.y > 0 && from.x + ((0 - from.y) / (to.y - from.y)) * (to.x - from.x) > 0) isInside = !isInside
  }
  return isInside ? { distanceM: 0, isInside } : { distanceM: nearest, isInside }
}

type Corner = { readonly x: number; readonly y: number }

function distanceToSegment(from: Corner, to: Corner): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, -(from.x * dx + from.y * dy) / length))
  return Math.hypot(from.x + part * dx, from.y + part * dy)
}
