import { useEffect, useRef, type ReactNode } from 'react'

const rollMs = 700

interface Props {
  readonly value: number | null | undefined
  readonly format: (value: number | null) => string
}

/** A number that rolls to its next value when it changes, and stands still otherwise. */
export function Rolling({ value = null, format }: Props): ReactNode {
  const host = useRef<HTMLSpanElement>(null)
  const shown = useRef(value)
  useEffect(() => {
    const node = host.current
    const from = shown.current
    shown.current = value
    if (node === null) return
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (isStill || from === null || value === null || from === value) {
      node.textContent = format(value)
      return
    }
    const startedAt = performance.now()
    let frame = 0
    const step = (now: number): void => {
      const part = Math.min(1, (now - startedAt) / rollMs)
      const eased = 1 - (1 - part) ** 3
      node.textContent = format(part === 1 ? value : Math.round(from + (value - from) * eased))
      if (part < 1) frame = requestAnimationFrame(step)
    }
    frame = requestAnimationFrame(step)
    return () => {
      cancelAnimationFrame(frame)
      node.textContent = format(value)
    }
  }, [value, format])
  return <span ref={host} className="wall-rolling" />
}
