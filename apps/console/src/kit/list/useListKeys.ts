import { useEffect, useLayoutEffect, useRef } from 'react'
import { currentToasts, dismiss } from '#kit/notify.ts'
import { currentPageKeys } from './pageKeys.ts'

export interface ListKeys {
  readonly down: () => void
  readonly up: () => void
  readonly open: () => void
  readonly close: () => boolean
  readonly toggle: () => void
}

/** Keyboard shortcuts of a list; off while the person types or something else is open over the list. */
export function useListKeys(keys: ListKeys): void {
  const latest = useRef(keys)
  // Before anybody can press a key at what was just drawn.
  useLayoutEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      if (isWriting(event.target)) return
      const run = actionOf(event, latest.current)
      if (run !== null && run() !== false) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function actionOf(event: KeyboardEvent, keys: ListKeys): (() => unknown) | null {
  if (event.key === 'Escape') return keys.close
  if (isBehindDialog()) return null
  const own = currentPageKeys().find(({ key }) => key === event.key)
  if (own !== undefined) return own.run
  if (event.key === 'j') return keys.down
  if (event.key === 'k') return keys.up
  if (event.key === 'x') return keys.toggle
  if (event.key === 'u') return undoLast
  // Enter on a button or a link activates that element.
  if (event.key === 'Enter' && !isControl(event.target)) return keys.open
  return null
}

/** Shortcuts work while a panel of the list is open, but not while anything else is. */
function isBehindDialog(): boolean {
  return [...document.querySelectorAll('[role=dialog], dialog[open]')].some(
    (dialog) => dialog.querySelector('[data-list-panel]') === null && dialog.checkVisibility(),
  )
}

/** Runs the undo action of the last message. */
function undoLast(): boolean {
  const toast = currentToasts().findLast(({ action }) => action !== undefined)
  if (toast?.action === undefined) return false
  toast.action.run()
  dismiss(toast.id)
  return true
}

function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type)
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName)
}

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a, button, summary, input') !== null
