export type Corner = readonly [lng: number, lat: number]

/** Whether a place lies inside a drawn shape, whose last corner is joined to the first. */
export function isInside(corners: readonly Corner[], at: { readonly lng: number; readonly lat: number }): boolean {
  let inside = false
  for (let index = 0, before = corners.length - 1; index < corners.length; before = index, index += 1) {
    const [toLng = 0, toLat = 0] = corners[index] ?? []
    const [fromLng = 0, fromLat = 0] = corners[before] ?? []
    if (fromLat > at.lat === toLat > at.lat) continue
    if (at.lng < ((fromLng - toLng) * (at.lat - toLat)) / (fromLat - toLat) + toLng) inside = !inside
  }
  return inside
}
