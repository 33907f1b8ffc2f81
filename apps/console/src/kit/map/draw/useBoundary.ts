import { useMemo } from 'react'
import { ringOf, type Corners } from './corners.ts'
import { polygonOf, type Polygon } from './sketch.ts'
import { useDrawing, type Drawing } from './useDrawing.ts'

export interface BoundaryDrawing extends Drawing<{ readonly sketch: Polygon }> {
  readonly corners: Corners
  /** The outline, closed by repeating its first corner. */
  readonly ring: [number, number][]
  readonly setCorners: (next: Corners) => void
}

/** Edits one outline without holes, with undo and redo. */
export function useBoundary(initial: Corners): BoundaryDrawing {
  const drawing = useDrawing<{ readonly sketch: Polygon }>({ sketch: polygonOf(initial) }, 'edit')
  const { lines } = drawing.plan.sketch
  const corners = lines[0] ?? initial
  const ring = useMemo(() => ringOf(corners), [corners])
  return { ...drawing, corners, ring, setCorners: (next) => drawing.change({ sketch: polygonOf(next) }) }
}
