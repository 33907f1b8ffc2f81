import type { ReactNode } from 'react'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import type { MapTheme } from '#kit/map/palette.ts'
import { hexColours } from './hexColours.ts'
import './hexLegend.css'

interface Props {
  /** What is counted: "停放车辆". */
  readonly title: string
  readonly cells: readonly { readonly count: number }[]
  readonly theme: MapTheme
}

/** What the colours of the hexagons mean: from one to the most in a hexagon, as the layer draws them. */
export function HexLegend({ title, cells, theme }: Props): ReactNode {
  const most = cells.reduce((high, { count }) => Math.max(high, count), 0)
  if (most === 0) return null
  return (
    <span className="hex-legend">
      {title} 1
      <i style={{ background: `linear-gradient(to right, ${hexColours(theme).join(', ')})` }} />
      {number(most)} {t('每格')}
    </span>
  )
}
