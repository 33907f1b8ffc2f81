import type { ReactNode } from 'react'
import './mark.css'

export type Tone = 'good' | 'warn' | 'bad' | 'off' | 'info'

/** A state as text; the colour only repeats it. */
export function Mark({ tone, children }: { tone: Tone; children: ReactNode }): ReactNode {
  return (
    <span className="mark" data-tone={tone}>
      {children}
    </span>
  )
}
