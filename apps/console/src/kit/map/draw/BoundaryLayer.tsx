import type { ReactNode } from 'react'
import { DrawLayer } from './DrawLayer.tsx'
import type { Lines } from './snap.ts'
import type { BoundaryDrawing } from './useBoundary.ts'
import { useDrawKeys } from './useDrawKeys.ts'

interface Props {
  readonly drawing: BoundaryDrawing
  readonly isWrong: boolean
  /** Lines of neighbours that corners snap to; null: none. */
  readonly targets: Lines | null
}

const none = [] as const

/** One outline on the map: drag a corner, drag a side's middle to add a corner, drag the centre to move all. */
export function BoundaryLayer({ drawing, isWrong, targets }: Props): ReactNode {
  useDrawKeys({ drawing, onFinish: () => {} })
  return (
    <DrawLayer
      sketch={drawing.plan.sketch}
      others={none}
      tool="edit"
      draft={none}
      picked={drawing.picked}
      isWrong={isWrong}
      targets={targets}
      onChange={(sketch) => {
        if (sketch.kind === 'polygon') drawing.change({ sketch })
      }}
      onPlace={drawing.place}
      onPick={drawing.pick}
      onFinish={() => {}}
    />
  )
}
