import type { MapTheme } from '#kit/map/palette.ts'
import { vehicleIcons } from './icons.ts'
import './MapStage.tsx'
import './OperationMapPage.tsx'

/** Fetched ahead of the click: the page, its map with the map's worker, and the pictures of the vehicles. */
export const drawAhead = (theme: MapTheme): void => void vehicleIcons(theme)
