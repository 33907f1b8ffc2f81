import { cellToBoundary, latLngToCell } from 'h3-js'

/** How many of the places lie in each hexagon, the fullest first. */
export function hexagons(places: readonly { readonly lat: number; readonly lng: number }[], resolution: number) {
  const counts = new Map<string, number>()
  for (const { lat, lng } of places) {
    const cell = latLngToCell(lat, lng, resolution)
    counts.set(cell, (counts.get(cell) ?? 0) + 1)
  }
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([cell, count]) => {
      const ring = cellToBoundary(cell).map(([lat, lng]): [number, number] => [lng, lat])
      const first = ring[0]
      return { cell, count, ring: first === undefined ? ring : [...ring, first] }
    })
}
