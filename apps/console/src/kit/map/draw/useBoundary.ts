import { useMemo } from 'react'
import { ringOf, type Corners } from './corners.ts'
import { polygonOf, type Polygon } from './sketch.ts'
import { useDrawing, type Drawing } from './useDrawing.ts'

export interface BoundaryDrawing extends Drawing<{ readonly sketch: Polygon }> {
  readonly corners: Corners
  /** The outline with its first corner again at the end. */
  readonly ring: [number, number][]
  readonly setCorners: (next: Corners) => void
}

/** One outline that is edited, with undo and redo; it has no holes. */
export function useBoundary(initial: Corners): BoundaryDrawing {
  const drawing = useDrawing<{ readonly sketch: Polygon }>({ sketch: polygonOf(initial) }, 'edit')
  const { lines } = drawing.plan.sketch
  const corners = lines[0] ?? initial
  const ring = useMemo(() => ringOf(corners), [corners])
  return { ...drawing, corners, ring, setCorners: (next) => drawing.change({ sketch: polygonOf(next) }) }
}
