import type { MapBounds, MapViewpoint } from '#kit/map/view.ts'

/** The map's tiles are 512 pixels wide at zoom 0. */
const worldPx = 512
const zoomMax = 15
const zoomMin = 6

interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const eastOf = (lng: number): number => (lng + 180) / 360
function southOf(lat: number): number {
  const sine = Math.sin((lat * Math.PI) / 180)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}
const lngOf = (east: number): number => east * 360 - 180
const latOf = (south: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * south))) * 180) / Math.PI

/** Where a map of a size has to look, so that the bounds lie within a box of it. */
export function viewpointFor(
  bounds: MapBounds,
  { size, box }: { readonly size: { readonly width: number; readonly height: number }; readonly box: Box },
): MapViewpoint {
  const [west, east] = [eastOf(bounds.west), eastOf(bounds.east)]
  const [north, south] = [southOf(bounds.north), southOf(bounds.south)]
  const scale = Math.min(box.width / Math.max(east - west, 1e-9), box.height / Math.max(south - north, 1e-9))
  const zoom = Math.min(zoomMax, Math.max(zoomMin, Math.log2(scale / worldPx)))
  const world = worldPx * 2 ** zoom
  // The middle of the box lies beside the middle of the map.
  const x = (west + east) / 2 - (box.left + box.width / 2 - size.width / 2) / world
  const y = (north + south) / 2 - (box.top + box.height / 2 - size.height / 2) / world
  return { lng: lngOf(x), lat: latOf(y), zoom }
}

export type Project = (at: { readonly lng: number; readonly lat: number }) => readonly [x: number, y: number]

/** From places to pixels of a map of a size. */
export function projectionOf(
  { lng, lat, zoom }: MapViewpoint,
  { width, height }: { readonly width: number; readonly height: number },
): Project {
  const world = worldPx * 2 ** zoom
  const [x, y] = [eastOf(lng), southOf(lat)]
  return (at) => [(eastOf(at.lng) - x) * world + width / 2, (southOf(at.lat) - y) * world + height / 2]
}

/** Whether a view that was made for some bounds still does for others: it is drawn anew only when they have left it. */
export function stillFits(made: MapBounds, now: MapBounds): boolean {
  const [width, height] = [made.east - made.west, made.north - made.south]
  const isInside =
    now.west >= made.west - width * 0.15 &&
    now.east <= made.east + width * 0.15 &&
    now.south >= made.south - height * 0.15 &&
    now.north <= made.north + height * 0.15
  return isInside && now.east - now.west >= width / 2 && now.north - now.south >= height / 2
}
