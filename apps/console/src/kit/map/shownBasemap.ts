import { configuredBasemap } from './basemap.ts'
import { shiftTiles } from './shiftedTiles.ts'

export const zoomLimits = { min: 3, max: 19 } as const

/** The basemap of all maps of this page, its tiles shifted where the provider's datum asks for it. */
export const shownBasemap = configuredBasemap()
if (shownBasemap?.kind === 'provider' && shownBasemap.datum === 'gcj02') shiftTiles(shownBasemap.url)
