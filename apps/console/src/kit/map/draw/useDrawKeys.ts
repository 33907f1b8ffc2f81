import { useEffect, useRef } from 'react'
import { useMap } from '#kit/map/context.ts'
import { nudged } from './pointer.ts'
import { dragged, withoutCorner, type Sketch } from './sketch.ts'
import type { Drawing } from './useDrawing.ts'

/** A drawing, without the type of its content. */
interface Drawn {
  readonly sketch: Sketch | null
}

interface Keys<P extends Drawn> {
  readonly drawing: Drawing<P>
  readonly onFinish: () => void
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
const nudgePx = { small: 1, large: 10 } as const

/** Drawing by keyboard: undo, redo, finish, cancel, remove and move a corner. Ignored while typing in a field. */
export function useDrawKeys<P extends Drawn>(keys: Keys<P>): void {
  const access = useMap()
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.target instanceof Element && event.target.closest('input, textarea, select, [role="dialog"]')) return
      const { drawing, onFinish } = latest.current
      const isCommand = event.ctrlKey || event.metaKey
      const act = commandOf({ event, isCommand, drawing, onFinish }) ?? nudgeOf({ event, drawing, map: access?.map })
      if (act === null) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [access])
}

type Act = (() => void) | null

function commandOf<P extends Drawn>(options: {
  event: KeyboardEvent
  isCommand: boolean
  drawing: Drawing<P>
  onFinish: () => void
}): Act {
  const { event, isCommand, drawing, onFinish } = options
  const { plan, draft, picked, tool } = drawing
  const key = event.key.toLowerCase()
  if (isCommand && key === 'z') return event.shiftKey ? drawing.redo : drawing.undo
  if (isCommand && key === 'y') return drawing.redo
  if (isCommand) return null
  if (key === 'enter' && draft.length > 1 && !(event.target instanceof HTMLButtonElement)) return onFinish
  if (key === 'escape' && (draft.length > 0 || picked !== null)) return drawing.drop
  if (key === 'escape' && tool !== 'edit' && plan.sketch !== null) return () => drawing.choose('edit')
  if (key !== 'delete' && key !== 'backspace') return null
  if (draft.length > 0) return drawing.undo
  const { sketch } = plan
  if (picked === null || sketch?.kind !== 'polygon') return null
  return () => {
    drawing.change({ ...plan, sketch: withoutCorner(sketch, picked) })
    drawing.pick(null)
  }
}

function nudgeOf<P extends Drawn>(options: {
  event: KeyboardEvent
  drawing: Drawing<P>
  map: Parameters<typeof nudged>[0] | undefined
}): Act {
  const { event, drawing, map } = options
  const { plan, picked } = drawing
  const step = arrows[event.key]
  const { sketch } = plan
  if (step === undefined || map === undefined || picked === null || sketch?.kind !== 'polygon') return null
  const corner = sketch.lines[picked.line]?.[picked.index]
  if (corner === undefined) return null
  const by = event.shiftKey ? nudgePx.large : nudgePx.small
  const to = nudged(map, corner, [step[0] * by, step[1] * by])
  return () => drawing.change({ ...plan, sketch: dragged(sketch, { kind: 'corner', ...picked }, to) })
}
