import { radiansOf, type LatLng } from './earth.ts'

/**
 * The datum of Chinese map providers. By law their maps are drawn in GCJ-02, which lies some hundred metres beside
 * WGS-84; everything of ours is WGS-84. Only what fetches a provider's tiles knows of it.
 */

/** The system that typed and pasted coordinates are in; what is stored is always WGS-84. */
export type Datum = 'wgs84' | 'gcj02'

/** The ellipsoid of Krasovsky 1940, which the shift is defined on. */
const semiMajorM = 6_378_245
const eccentricitySquared = 0.006693421622965943

/** Roughly China; outside of it nothing is shifted. */
const isShifted = ({ lng, lat }: LatLng): boolean => lng > 72.004 && lng < 137.8347 && lat > 0.8293 && lat < 55.8271

const wave = (x: number, period: number): number => Math.sin((x * Math.PI) / period)

/** The ripples that east and north have in common. */
const ripples = (x: number): number => ((wave(x, 1 / 6) + wave(x, 0.5)) * 20 * 2) / 3

function shiftNorthM(x: number, y: number): number {
  const plain = -100 + 2 * x + 3 * y + 0.2 * y * y + 0.1 * x * y + 0.2 * Math.sqrt(Math.abs(x))
  const long = ((wave(y, 1) * 20 + wave(y, 3) * 40) * 2) / 3 + ((wave(y, 12) * 160 + wave(y, 30) * 320) * 2) / 3
  return plain + ripples(x) + long
}

function shiftEastM(x: number, y: number): number {
  const plain = 300 + x + 2 * y + 0.1 * x * x + 0.1 * x * y + 0.1 * Math.sqrt(Math.abs(x))
  const long = ((wave(x, 1) * 20 + wave(x, 3) * 40) * 2) / 3 + ((wave(x, 12) * 150 + wave(x, 30) * 300) * 2) / 3
  return plain + ripples(x) + long
}

/** Where a provider draws a place of ours. Degrees. */
export function gcj02Of(place: LatLng): LatLng {
  if (!isShifted(place)) return place
  const [x, y] = [place.lng - 105, place.lat - 35]
  const sine = Math.sin(radiansOf(place.lat))
  const flattening = 1 - eccentricitySquared * sine * sine
  const root = Math.sqrt(flattening)
  const metresPerDegreeNorth = ((semiMajorM * (1 - eccentricitySquared)) / (flattening * root)) * (Math.PI / 180)
  const metresPerDegreeEast = (semiMajorM / root) * Math.cos(radiansOf(place.lat)) * (Math.PI / 180)
  return {
    lng: place.lng + shiftEastM(x, y) / metresPerDegreeEast,
    lat: place.lat + shiftNorthM(x, y) / metresPerDegreeNorth,
  }
}

/** The place of ours that a provider draws there: what is copied from its map. Good to a millimetre. */
export function wgs84Of(drawn: LatLng): LatLng {
  let place = drawn
  // The shift hardly differs between neighbours, so that each turn is closer by orders of magnitude.
  for (let turn = 0; turn < 4; turn += 1) {
    const seen = gcj02Of(place)
    place = { lng: place.lng + drawn.lng - seen.lng, lat: place.lat + drawn.lat - seen.lat }
  }
  return place
}
