import type { ReactNode } from 'react'
import { markStyles, type VehicleMark } from '#kit/theme/vehicleColours.ts'

const paths: Readonly<Record<(typeof markStyles)[VehicleMark]['shape'], string>> = {
  circle: 'M8 2a6 6 0 1 1 0 12a6 6 0 1 1 0-12z',
  ring: 'M8 1.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 1 1 0-13zM8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6z',
  diamond: 'M8 1l7 7l-7 7l-7-7z',
  triangle: 'M8 2l7 12H1z',
  square: 'M2.5 2.5h11v11h-11z',
  cross: 'M4 1.5L8 5.5l4-4L14.5 4l-4 4l4 4L12 14.500l-4-4l-4 4L1.500 12l4-4l-4-4z',
  hexagon: 'M8 1l6 3.500v7L8 15l-6-3.500v-7z',
  question: 'M8 1a7 7 0 1 1 0 14a7 7 0 1 1 0-14zM7 4v5h2V4zM7 10.500v2h2v-2z',
}

/** The mark of a state in its colour and shape, as on the map. */
export function MarkShape({ mark }: { readonly mark: VehicleMark }): ReactNode {
  const { dark, shape } = markStyles[mark]
  return (
    <svg viewBox="0 0 16 16" className="wall-mark" aria-hidden="true">
      <path d={paths[shape]} fill={dark} fillRule="evenodd" />
    </svg>
  )
}
