import { useCallback, useState } from 'react'
import type { Corner, Corners } from './corners.ts'
import type { Picked } from './sketch.ts'

/** What a click on the map does: `edit` takes hold of handles, the others place corners. */
export type Tool = 'edit' | 'polygon' | 'circle' | 'hole' | 'cut'

/** Steps that can be taken back. */
const stepsMax = 200

interface State<P> {
  readonly done: readonly P[]
  readonly undone: readonly P[]
  readonly tool: Tool
  /** Corners that were placed of a line that is not finished. */
  readonly draft: Corners
  readonly picked: Picked | null
}

export interface Drawing<P> {
  readonly plan: P
  readonly tool: Tool
  readonly draft: Corners
  readonly picked: Picked | null
  readonly canUndo: boolean
  readonly canRedo: boolean
  readonly isChanged: boolean
  readonly change: (next: P) => void
  readonly undo: () => void
  readonly redo: () => void
  readonly choose: (tool: Tool) => void
  readonly place: (corner: Corner) => void
  readonly pick: (picked: Picked | null) => void
  /** Lets go of the line that is not finished. */
  readonly drop: () => void
}

/** What is drawn with its way back and forth again; a corner that was placed is a step as well. */
export function useDrawing<P>(initial: P, start: Tool): Drawing<P> {
  const [state, setState] = useState<State<P>>({ done: [initial], undone: [], tool: start, draft: [], picked: null })
  const { done, undone, tool, draft, picked } = state
  const change = useCallback(
    (next: P) =>
      setState((old) => ({ ...old, done: [...old.done.slice(-stepsMax), next], undone: [], tool: 'edit', draft: [] })),
    [],
  )
  const undo = useCallback(
    () =>
      setState((old) => {
        if (old.draft.length > 0) return { ...old, draft: old.draft.slice(0, -1) }
        const last = old.done.at(-1)
        if (old.done.length < 2 || last === undefined) return old
        return { ...old, done: old.done.slice(0, -1), undone: [...old.undone, last], picked: null }
      }),
    [],
  )
  const redo = useCallback(
    () =>
      setState((old) => {
        const next = old.undone.at(-1)
        if (next === undefined) return old
        return { ...old, done: [...old.done, next], undone: old.undone.slice(0, -1), picked: null }
      }),
    [],
  )
  const choose = useCallback((next: Tool) => setState((old) => ({ ...old, tool: next, draft: [], picked: null })), [])
  const place = useCallback((corner: Corner) => setState((old) => ({ ...old, draft: [...old.draft, corner] })), [])
  const pick = useCallback((next: Picked | null) => setState((old) => ({ ...old, picked: next })), [])
  const drop = useCallback(() => setState((old) => ({ ...old, draft: [], picked: null })), [])
  return {
    plan: done.at(-1) ?? initial,
    tool,
    draft,
    picked,
    canUndo: draft.length > 0 || done.length > 1,
    canRedo: undone.length > 0,
    isChanged: done.length > 1,
    change,
    undo,
    redo,
    choose,
    place,
    pick,
    drop,
  }
}
