import { urgencyOf, type VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import { markOf, markStyles } from '#kit/theme/vehicleColours.ts'
import type { MapTheme } from '#kit/map/palette.ts'
import type { BadgeName } from './symbol.ts'

/**
 * One drawing for map, legend, list and panel. Paths are in a box of 32 × 32; each state has an outline of its own,
 * so that states are told apart without colour.
 */
export interface Shape {
  readonly outline: string
  /** Drawn in the contrast colour inside a filled outline, in the state's colour inside a hollow one. */
  readonly glyph: string
  readonly glyphFilled?: true
  readonly hollow?: true
}

export const shapeBox = 32

const circle = 'M16 5.5a10.5 10.5 0 1 1 0 21a10.5 10.5 0 1 1 0-21Z'
const square = 'M9 6h14a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H9a3 3 0 0 1-3-3V9a3 3 0 0 1 3-3Z'
const hexagon = 'M16 4.5 26 10.2V21.8L16 27.5 6 21.8V10.2Z'

export const shapes: Readonly<Record<VehicleState, Shape>> = {
  available: { outline: circle, glyph: 'M11.3 16.3l3.4 3.4 6.2-6.8' },
  reserved: { outline: circle, glyph: 'M16 11v5.3l3.6 2.2', hollow: true },
  on_trip: { outline: 'M16 3.5 28.5 16 16 28.5 3.5 16Z', glyph: 'M13.4 11.2 21 16 13.4 20.8Z', glyphFilled: true },
  non_operational: { outline: square, glyph: 'M11.8 11.8l8.4 8.4M20.2 11.8l-8.4 8.4' },
  elsewhere: { outline: hexagon, glyph: 'M12.4 19.6l7-7M14 12.4h5.6V18' },
  removed: { outline: hexagon, glyph: 'M12 16h8', hollow: true },
  non_contactable: { outline: square, glyph: 'M11 21 21 11', hollow: true },
  missing: {
    outline: 'M16 3.8a3 3 0 0 1 2.6 1.5l9.6 17a3 3 0 0 1-2.6 4.5H6.4a3 3 0 0 1-2.6-4.5l9.6-17A3 3 0 0 1 16 3.8Z',
    glyph: 'M13.2 14a2.8 2.8 0 1 1 4.2 2.4c-.9.5-1.4 1-1.4 2M16 22.3v.2',
  },
}

/** A ride whose direction is known is an arrow; the map turns it. */
export const headingShape: Shape = { outline: 'M16 3 25.5 27 16 22.4 6.5 27Z', glyph: '' }

const disc = 'M8 1a7 7 0 1 1 0 14A7 7 0 1 1 8 1Z'
const tile =
  'M4.4 1.6h7.2a2.8 2.8 0 0 1 2.8 2.8v7.2a2.8 2.8 0 0 1-2.8 2.8H4.4a2.8 2.8 0 0 1-2.8-2.8V4.4a2.8 2.8 0 0 1 2.8-2.8Z'

/** Corner marks in a box of 16 × 16: a disc is for now, a tile or triangle is work of the day; the sign tells the kind. */
export const badgeShapes: Readonly<Record<BadgeName, Pick<Shape, 'outline' | 'glyph'>>> = {
  low: { outline: 'M8 1.4 15.2 14.4H.8Z', glyph: 'M8.7 5.4 6.4 9.3h3.2l-1.9 3.4' },
  tamper: { outline: disc, glyph: 'M5 11l4.6-4.6M8.2 4.6a2.4 2.4 0 0 1 3.2 3.2' },
  illegal_movement: { outline: disc, glyph: 'M4.4 8h6.6M8.4 5.2 11.2 8 8.4 10.8' },
  power_cut: { outline: disc, glyph: 'M8 4v3.6M5.6 5.6a3.6 3.6 0 1 0 4.8 0' },
  fall: { outline: disc, glyph: 'M4.6 11.4h6.8M5 9.2l6-3.6' },
  address_contest: { outline: disc, glyph: 'M4.8 6.4h6.4M4.8 9.6h6.4' },
  other: { outline: disc, glyph: 'M8 4.3v4.4M8 11.4v.2' },
  outside_area: { outline: tile, glyph: 'M6.4 5H4.8v6h1.6M7.6 8h4M9.8 6.2 11.6 8l-1.8 1.8' },
  offline: { outline: tile, glyph: 'M5.2 10.8 10.8 5.2' },
}
export const badgeBox = 16

/** The state's colour of the product's one colour language. */
export function stateColour(state: VehicleState, theme: MapTheme): string {
  return markStyles[markOf({ state })][theme]
}

export function badgeColour(badge: BadgeName, theme: MapTheme): string {
  if (badge === 'offline') return markStyles.offline[theme]
  return markStyles[badge === 'low' || urgencyOf(badge) === 'ordinary' ? 'lowBattery' : 'fault'][theme]
}

/** Available vehicles at the scale of a city, and clusters of them: they are the ground that the others stand out from. */
export const quietColour: Readonly<Record<MapTheme, string>> = { light: '#5f8577', dark: '#4a7767' }

/** What glyphs and edges are drawn in, so that they stand out from the state's colour and from the map. */
export const contrastColour: Readonly<Record<MapTheme, string>> = { light: '#ffffff', dark: '#0d1218' }
