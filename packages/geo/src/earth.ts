/** The earth as a sphere of its mean radius. Coordinates are WGS-84 degrees. */
export interface LatLng {
  readonly lat: number
  readonly lng: number
}

/** In the order of GeoJSON. */
export type Position = readonly [lng: number, lat: number]

export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** IUGG mean radius. */
const earthRadiusM = 6_371_008.8

/** Metres in a degree of latitude, and in a degree of longitude at the equator: the mean radius in radians, rounded. */
export const metresPerDegree = 111_195

export const radiansOf = (degrees: number): number => (degrees * Math.PI) / 180

/** Metres in a degree of longitude at a latitude. */
export const metresPerDegreeLng = (lat: number): number => metresPerDegree * Math.cos(radiansOf(lat))

/**
 * Metres along the great circle, by the haversine formula: exact on the sphere. The ellipsoid differs by up to 0.56 %.
 */
export function greatCircleM(from: LatLng, to: LatLng): number {
  const lat = Math.sin(radiansOf(to.lat - from.lat) / 2)
  const lng = Math.sin(radiansOf(to.lng - from.lng) / 2)
  const part = lat * lat + Math.cos(radiansOf(from.lat)) * Math.cos(radiansOf(to.lat)) * lng * lng
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(part)))
}

/**
 * Metres on a plane whose scale is that of the middle latitude. Up to the 60th parallel it differs from the great circle
 * by less than 0.001 % over 20 km and less than 0.02 % over 100 km. Not across the 180th meridian.
 */
export function planeM(from: LatLng, to: LatLng): number {
  return Math.hypot(
    (to.lat - from.lat) * metresPerDegree,
    (to.lng - from.lng) * metresPerDegreeLng((from.lat + to.lat) / 2),
  )
}

/** Metres east and north of an origin, on a plane whose scale is that of the origin: for shapes of a few kilometres. */
export function planeOf(origin: LatLng, { lat, lng }: LatLng): { readonly x: number; readonly y: number } {
  return { x: (lng - origin.lng) * metresPerDegreeLng(origin.lat), y: (lat - origin.lat) * metresPerDegree }
}

/** The box around a circle. Near a pole it is cut to a hundredth of the equator's scale, so that it stays finite. */
export function boxAround({ lat, lng }: LatLng, radiusM: number): Box {
  const north = radiusM / metresPerDegree
  const east = north / Math.max(0.01, Math.cos(radiansOf(lat)))
  return { west: lng - east, south: lat - north, east: lng + east, north: lat + north }
}

/** The corners of a circle, counter-clockwise from the east, without the first again at the end. */
export function cornersOfCircle({ lat, lng }: LatLng, radiusM: number, count: number): Position[] {
  const north = radiusM / metresPerDegree
  const east = north / Math.cos(radiansOf(lat))
  return Array.from({ length: count }, (_, index): Position => {
    const angle = (index / count) * 2 * Math.PI
    return [lng + east * Math.cos(angle), lat + north * Math.sin(angle)]
  })
}
