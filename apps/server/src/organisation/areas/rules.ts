/** WGS-84. */
export type Position = readonly [lng: number, lat: number]

/** The balance point of a closed ring, weighted by area (shoelace formula): where the map flies to. */
export function centreOf(ring: readonly Position[]): { lat: number; lng: number } {
  // Measured from the first point: full coordinates would cancel out most of their digits.
  const [originLng, originLat] = ring[0] ?? [0, 0]
  let doubleArea = 0
  let lng = 0
  let lat = 0
  for (const [index, point] of ring.entries()) {
    const next = ring[index + 1]
    if (next === undefined) break
    const [x, y] = [point[0] - originLng, point[1] - originLat]
    const [nextX, nextY] = [next[0] - originLng, next[1] - originLat]
    const cross = x * nextY - nextX * y
    doubleArea += cross
    lng += (x + nextX) * cross
    lat += (y + nextY) * cross
  }
  if (doubleArea === 0) return { lat: originLat, lng: originLng }
  return { lat: originLat + lat / (3 * doubleArea), lng: originLng + lng / (3 * doubleArea) }
}
