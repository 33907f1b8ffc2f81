import type { VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import type { BadgeName } from './symbol.ts'
import type { MapTheme } from '#kit/map/palette.ts'
import {
  badgeBox,
  badgeColour,
  badgeShapes,
  contrastColour,
  headingShape,
  shapeBox,
  shapes,
  stateColour,
  type Shape,
} from './shapes.ts'

interface Props {
  readonly state: VehicleState
  readonly theme: MapTheme
  readonly size?: number
  /** Draws a ride as the arrow that it is on the map. */
  readonly headingDeg?: number | null
}

/** The vehicle's sign of the map, for lists and panels. Its meaning always stands beside it in words. */
export function VehicleMark({ state, theme, size = 20, headingDeg = null }: Props) {
  const { outline, glyph, glyphFilled, hollow }: Shape = headingDeg === null ? shapes[state] : headingShape
  const colour = stateColour(state, theme)
  const ink = hollow ? colour : contrastColour[theme]
  return (
    <svg className="vehicle-mark" viewBox={`0 0 ${shapeBox} ${shapeBox}`} width={size} height={size} aria-hidden="true">
      <g transform={`rotate(${headingDeg ?? 0} ${shapeBox / 2} ${shapeBox / 2})`}>
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
      </g>
    </svg>
  )
}

interface BadgeProps {
  readonly badge: BadgeName
  readonly theme: MapTheme
  readonly size?: number
}

export function BadgeMark({ badge, theme, size = 14 }: BadgeProps) {
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
