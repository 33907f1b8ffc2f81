import { useState } from 'react'
import type { Corners } from '#kit/map/draw/corners.ts'

/** Steps that can be taken back. */
const stepsMax = 100

export interface Drawing {
  readonly corners: Corners
  readonly canUndo: boolean
  readonly isChanged: boolean
  readonly change: (next: Corners) => void
  readonly undo: () => void
  /** Begins anew with another boundary, as if nothing had been drawn. */
  readonly reset: (next: Corners) => void
}

/** The corners that are drawn, and the way back. */
export function useCorners(initial: Corners): Drawing {
  const [steps, setSteps] = useState<readonly Corners[]>([initial])
  const corners = steps.at(-1) ?? initial
  return {
    corners,
    canUndo: steps.length > 1,
    isChanged: steps.length > 1,
    change: (next) => setSteps((before) => [...before.slice(-stepsMax), next]),
    undo: () => setSteps((before) => (before.length > 1 ? before.slice(0, -1) : before)),
    reset: (next) => setSteps([next]),
  }
}
