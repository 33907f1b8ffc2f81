const metresPerPixelAtZoom0 = 78_271.517

/** The longest bar of 1, 2 or 5 × 10ⁿ metres that is no wider than `maxPx` (tiles of 512 pixels). */
export function scaleFor({ lat, zoom, maxPx }: { lat: number; zoom: number; maxPx: number }): {
  readonly metres: number
  readonly px: number
} {
  const metresPerPixel = (metresPerPixelAtZoom0 * Math.cos((lat * Math.PI) / 180)) / 2 ** zoom
  const limit = metresPerPixel * maxPx
  const power = 10 ** Math.floor(Math.log10(limit))
  const metres = [5, 2, 1].map((step) => step * power).find((length) => length <= limit) ?? power
  return { metres, px: Math.round(metres / metresPerPixel) }
}
