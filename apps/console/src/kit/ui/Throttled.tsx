import { useEffect, useRef, type ButtonHTMLAttributes, type MouseEvent, type ReactNode } from 'react'
import { clickThrottleMs } from '@saddle/contract/constants.ts'

interface ThrottleOptions {
  readonly waitMs?: number
}

/**
 * A click handler that lets one click through and turns the element's pointer events off for a while
 * (specification, section 5). Keyboard clicks in that time are dropped too.
 */
export function useThrottledClick<T extends HTMLElement>(
  onClick: (event: MouseEvent<T>) => void,
  { waitMs = clickThrottleMs }: ThrottleOptions = {},
): (event: MouseEvent<T>) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(() => () => void (timer.current !== null && clearTimeout(timer.current)), [])
  return (event) => {
    if (timer.current !== null) {
      // A submit button must not submit a second time either.
      event.preventDefault()
      return
    }
    const element = event.currentTarget
    element.style.pointerEvents = 'none'
    timer.current = setTimeout(() => {
      element.style.pointerEvents = ''
      timer.current = null
    }, waitMs)
    onClick(event)
  }
}

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly waitMs?: number
}

/** A bare button that reacts at most once per 1000 ms, or per the given time. */
export function Throttled({ waitMs, onClick, children, type = 'button', ...rest }: Props): ReactNode {
  const handle = useThrottledClick<HTMLButtonElement>(
    (event) => onClick?.(event),
    waitMs === undefined ? {} : { waitMs },
  )
  return (
    <button {...rest} type={type} onClick={handle}>
      {children}
    </button>
  )
}
