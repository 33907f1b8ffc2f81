import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import './figures.css'

interface Props {
  readonly label: string
  readonly value: number | string
  readonly unit?: string
  /** The comparison as text. */
  readonly note?: string
  /** How it is computed. */
  readonly formula?: string
  readonly tone?: 'good' | 'warn' | 'bad'
  /** The list behind it. */
  readonly to?: string
}

/** One figure with what it is compared with; it opens the list behind it. */
export function Figure({ label, value, unit, note, formula, tone, to }: Props): ReactNode {
  // English writes the sign of a currency before the amount.
  const isSign = unit === '¥'
  const text = typeof value === 'number' ? number(value) : value
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
      {formula !== undefined && <small>{formula}</small>}
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

const boneCount = 6

/** The places of figures that are being read, as high as they will be. */
export function FigureBones(): ReactNode {
  return (
    <output className="figures" aria-busy="true" aria-label={t('正在加载…')}>
      {Array.from({ length: boneCount }, (_, index) => (
        <span key={index} className="figure figure-bone" />
      ))}
    </output>
  )
}
