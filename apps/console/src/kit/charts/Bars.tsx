import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { number } from '#kit/format.ts'
import './charts.css'

export interface Bar {
  readonly key: string
  readonly label: string
  readonly value: number
  /** In words; absent: the value itself. */
  readonly text?: string
  /** The list behind the figure. */
  readonly to?: string
  readonly tone?: 'good' | 'warn' | 'bad' | 'quiet'
}

/** Horizontal bars with their figures as text: chart and table in one. */
export function Bars({ label, bars }: { label: string; bars: readonly Bar[] }): ReactNode {
  const most = Math.max(1, ...bars.map((bar) => bar.value))
  return (
    <ul className="bars" aria-label={label}>
      {bars.map((bar) => {
        const body = (
          <>
            <span className="bars-label">{bar.label}</span>
            <meter
              className="bars-track"
              data-tone={bar.tone}
              min={0}
              max={most}
              value={bar.value}
              aria-hidden="true"
            />
            <b>{bar.text ?? number(bar.value)}</b>
          </>
        )
        return <li key={bar.key}>{bar.to === undefined ? <div>{body}</div> : <Link to={bar.to}>{body}</Link>}</li>
      })}
    </ul>
  )
}
