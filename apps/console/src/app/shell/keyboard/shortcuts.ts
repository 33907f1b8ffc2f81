import { useEffect, useRef } from 'react'
import { keyAction, type KeyAction } from './keys.ts'

/** Calls `act` for each shortcut of the shell; dialogs and fields keep their own keys. */
export function useShortcuts(act: (action: Exclude<KeyAction, { do: 'wait' }>) => void): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    let gAtMs: number | null = null
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return
      const action = keyAction({
        key: event.key,
        command: event.ctrlKey || event.metaKey,
        writing: isWriting(event.target) || document.querySelector('[role=dialog], dialog[open]') !== null,
        sinceGMs: gAtMs === null ? null : event.timeStamp - gAtMs,
      })
      gAtMs = action?.do === 'wait' ? event.timeStamp : null
      if (action === null || action.do === 'wait') return
      event.preventDefault()
      latest.current(action)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Puts the cursor into the search field of the page that is shown; false when the page has none. */
export function focusPageSearch(): boolean {
  const fields = document.querySelectorAll<HTMLElement>(
    '.shell-content input[type=search], .shell-content [data-search]',
  )
  const field = [...fields].find((each) => each.checkVisibility())
  field?.focus()
  return field !== undefined
}

function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}
