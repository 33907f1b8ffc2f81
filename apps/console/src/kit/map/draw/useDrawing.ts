import { useCallback, useState } from 'react'
import type { Corner, Corners } from './corners.ts'
import type { Picked } from './sketch.ts'

/** What a click on the map does: `edit` moves handles, the other tools place corners. */
export type Tool = 'edit' | 'polygon' | 'circle' | 'hole' | 'cut'

/** The maximum number of undo steps. */
const stepsMax = 200

/** The drawing, the tool and the unfinished line before a step. */
interface Step<P> {
  readonly plan: P
  readonly tool: Tool
  readonly draft: Corners
}

interface State<P> {
  readonly done: readonly Step<P>[]
  readonly undone: readonly P[]
  readonly tool: Tool
  /** The corners of the unfinished line. */
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
  /** Discards the unfinished line. */
  readonly drop: () => void
}

/** A drawing with undo and redo; placing a corner is a step as well. */
export function useDrawing<P>(initial: P, start: Tool): Drawing<P> {
  const [state, setState] = useState<State<P>>({
    done: [{ plan: initial, tool: start, draft: [] }],
    undone: [],
    tool: start,
    draft: [],
    picked: null,
  })
  const { done, undone, tool, draft, picked } = state
  const change = useCallback(
    (next: P) =>
      setState((old) => {
        const left = old.done.slice(-stepsMax)
        const last = left.at(-1)
        const now = last === undefined ? [] : [{ plan: last.plan, tool: old.tool, draft: old.draft }]
        const before = [...left.slice(0, -1), ...now]
        return { ...old, ...stepTo(before, next), undone: [] }
      }),
    [],
  )
  const undo = useCallback(
    () =>
      setState((old) => {
        if (old.draft.length > 0) return { ...old, draft: old.draft.slice(0, -1) }
        const [before, last] = [old.done.at(-2), old.done.at(-1)]
        if (before === undefined || last === undefined) return old
        const { tool: toolThen, draft: draftThen } = before
        const undone = [...old.undone, last.plan]
        return { ...old, done: old.done.slice(0, -1), undone, tool: toolThen, draft: draftThen, picked: null }
      }),
    [],
  )
  const redo = useCallback(
    () =>
      setState((old) => {
        const next = old.undone.at(-1)
        if (next === undefined) return old
        return { ...old, ...stepTo(old.done, next), undone: old.undone.slice(0, -1), picked: null }
      }),
    [],
  )
  const choose = useCallback((next: Tool) => setState((old) => ({ ...old, tool: next, draft: [], picked: null })), [])
  const place = useCallback((corner: Corner) => setState((old) => ({ ...old, draft: [...old.draft, corner] })), [])
  const pick = useCallback((next: Picked | null) => setState((old) => ({ ...old, picked: next })), [])
  const drop = useCallback(() => setState((old) => ({ ...old, draft: [], picked: null })), [])
  return {
    plan: done.at(-1)?.plan ?? initial,
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

function stepTo<P>(before: readonly Step<P>[], plan: P): Pick<State<P>, 'done' | 'tool' | 'draft'> {
  return { done: [...before, { plan, tool: 'edit', draft: [] }], tool: 'edit', draft: [] }
}
