/** Where a map looks: centre in WGS-84 and zoom. */
export interface MapViewpoint {
  readonly lng: number
  readonly lat: number
  readonly zoom: number
}

export interface MapBounds {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

const zoomMax = 22
const latitudeMax = 85

/** Parses `lng,lat,zoom` of a link; null if invalid, so that a broken link opens the default view. */
export function parseViewpoint(text: string | null): MapViewpoint | null {
  if (text === null) return null
  const parts = text.split(',')
  if (parts.length !== 3 || parts.some((part) => !/^-?\d{1,3}(\.\d{1,10})?$/.test(part))) return null
  const [lng, lat, zoom] = parts.map(Number)
  if (lng === undefined || lat === undefined || zoom === undefined) return null
  if (Math.abs(lng) > 180 || Math.abs(lat) > latitudeMax || zoom < 0 || zoom > zoomMax) return null
  return { lng, lat, zoom }
}

/** Five decimals are about a metre: enough to find the place again, short enough to read. */
export function formatViewpoint({ lng, lat, zoom }: MapViewpoint): string {
  return `${round(lng, 5)},${round(lat, 5)},${round(zoom, 2)}`
}

/** The view's bounds with a margin on each side, so that a short drag shows vehicles at once. */
export function widen({ west, south, east, north }: MapBounds, share: number): MapBounds {
  const marginLng = (east - west) * share
  const marginLat = (north - south) * share
  return {
    west: Math.max(-180, west - marginLng),
    south: Math.max(-90, south - marginLat),
    east: Math.min(180, east + marginLng),
    north: Math.min(90, north + marginLat),
  }
}

/** Side of the whole globe at zoom 0, in pixels, as MapLibre counts. */
const worldPx = 512

/** What a map of this size shows there, before it exists. */
export function boundsAt({ lng, lat, zoom }: MapViewpoint, size: { width: number; height: number }): MapBounds {
  const world = worldPx * 2 ** zoom
  const halfLng = (size.width / world) * 180
  const middle = Math.asinh(Math.tan((lat * Math.PI) / 180))
  const latitudeAt = (px: number): number => (Math.atan(Math.sinh(middle + (px / world) * 2 * Math.PI)) * 180) / Math.PI
  return {
    west: Math.max(-180, lng - halfLng),
    south: latitudeAt(-size.height / 2),
    east: Math.min(180, lng + halfLng),
    north: latitudeAt(size.height / 2),
  }
}

/** Views that differ by less than a thousandth of their size. */
export function isSameView(one: MapBounds, other: MapBounds): boolean {
  const little = Math.max(one.east - one.west, one.north - one.south) / 1_000
  return (['west', 'south', 'east', 'north'] as const).every((edge) => Math.abs(one[edge] - other[edge]) <= little)
}

export function contains(bounds: MapBounds, at: { readonly lng: number; readonly lat: number }): boolean {
  return at.lng >= bounds.west && at.lng <= bounds.east && at.lat >= bounds.south && at.lat <= bounds.north
}

function round(value: number, digits: number): number {
  const factor = 10 ** digits
  return Math.round(value * factor) / factor
}
