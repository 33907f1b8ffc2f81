import type { ReactNode } from 'react'
import { Link } from 'react-router'
import './figures.css'

interface Props {
  readonly label: string
  readonly value: number | string
  readonly unit?: string
  /** The comparison as text. */
  readonly note?: string
  readonly tone?: 'good' | 'warn' | 'bad'
  /** The list behind it. */
  readonly to?: string
}

/** One figure with what it is compared with; it opens the list behind it. */
export function Figure({ label, value, unit, note, tone, to }: Props): ReactNode {
  // English writes the sign of a currency before the amount.
  const isSign = unit === '¥'
  const text = typeof value === 'number' ? value.toLocaleString() : value
  const isNegative = isSign && text.startsWith('-')
  const body = (
    <>
      <span>{label}</span>
      <b data-tone={tone}>
        {isNegative && '-'}
        {isSign && <small>{unit}</small>}
        {isNegative ? text.slice(1) : text}
        {!isSign && unit !== undefined && <small> {unit}</small>}
      </b>
      <small>{note ?? ''}</small>
    </>
  )
  return to === undefined ? (
    <div className="figure">{body}</div>
  ) : (
    <Link className="figure" to={to}>
      {body}
    </Link>
  )
}
