import type { VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import type { MapTheme } from '#kit/map/palette.ts'
import { badgeBox, badgeColour, badgeShapes, contrastColour, shapeBox, shapes, stateColour } from './shapes.ts'

/** The vehicle's sign of the map, for lists and panels. Its meaning always stands beside it in words. */
export function VehicleMark({ state, theme, size = 20 }: { state: VehicleState; theme: MapTheme; size?: number }) {
  const { outline, glyph, glyphFilled, hollow } = shapes[state]
  const colour = stateColour(state, theme)
  const ink = hollow ? colour : contrastColour[theme]
  return (
    <svg className="vehicle-mark" viewBox={`0 0 ${shapeBox} ${shapeBox}`} width={size} height={size} aria-hidden="true">
      <path
        d={outline}
        fill={hollow ? 'none' : colour}
        stroke={colour}
        strokeWidth={hollow ? 2.6 : 0}
        strokeLinejoin="round"
      />
      <path
        d={glyph}
        fill={glyphFilled ? ink : 'none'}
        stroke={ink}
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

export function BadgeMark({ badge, theme, size = 14 }: { badge: 'low' | 'alarm'; theme: MapTheme; size?: number }) {
  const { outline, glyph } = badgeShapes[badge]
  return (
    <svg className="vehicle-mark" viewBox={`0 0 ${badgeBox} ${badgeBox}`} width={size} height={size} aria-hidden="true">
      <path d={outline} fill={badgeColour(badge, theme)} />
      <path
        d={glyph}
        fill="none"
        stroke={contrastColour[theme]}
        strokeWidth="1.7"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
