import { useEffect, useRef, type RefObject } from 'react'

interface Options {
  /** Only keys pressed in here; without it, anywhere on the page. */
  readonly within?: RefObject<HTMLElement | null>
  readonly active: boolean
  readonly leave: () => void
}

/** Escape leaves the innermost thing: a key that was taken inside is not heard again outside, and an open dialog keeps it. */
export function useEscape({ within, active, leave }: Options): void {
  const latest = useRef(leave)
  useEffect(() => {
    latest.current = leave
  })
  useEffect(() => {
    if (!active) return
    const target: HTMLElement | Document | null = within === undefined ? document : within.current
    const listener = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== 'Escape' || event.defaultPrevented) return
      if (within === undefined && document.querySelector('[role=dialog]') !== null) return
      event.preventDefault()
      latest.current()
    }
    target?.addEventListener('keydown', listener)
    return () => target?.removeEventListener('keydown', listener)
  }, [within, active])
}
