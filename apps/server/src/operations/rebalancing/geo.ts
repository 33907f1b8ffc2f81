export type Spot = { readonly lat: number; readonly lng: number }

const metresPerDegree = 111_195

/** Metres between two spots of one town: the earth is flat enough there. */
export function metresBetween(a: Spot, b: Spot): number {
  const east = (a.lng - b.lng) * Math.cos((((a.lat + b.lat) / 2) * Math.PI) / 180)
  return metresPerDegree * Math.hypot(a.lat - b.lat, east)
}

/** Streets do not run straight: what a van drives for a metre as the crow flies. */
export const detour = 1.3
