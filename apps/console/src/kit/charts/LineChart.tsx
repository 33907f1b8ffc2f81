import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Chart } from './Chart.tsx'

interface Props {
  readonly title: string
  readonly unit: string
  /** Labels of the x axis. */
  readonly labels: readonly string[]
  /** Null: no data; the line has a gap there. */
  readonly values: readonly (number | null)[]
  readonly min?: number
  readonly max?: number
  readonly digits?: number
  /** The first label whose time is not over. */
  readonly openFrom?: number | undefined
  /** The previous span of the same length, drawn faintly behind. */
  readonly before?: readonly (number | null)[]
  /** Opens the rows behind a point. */
  readonly onSelect?: (index: number) => void
}

/** A small line over time: one of several beside each other. */
export function LineChart({ title, unit, labels, values, digits = 0, before, ...range }: Props): ReactNode {
  const series = [
    { name: title, values, unit, digits },
    ...(before === undefined ? [] : [{ name: t('上期'), values: before, unit, digits, isBefore: true }]),
  ]
  return <Chart title={title} labels={labels} series={series} height={130} isCompact {...range} />
}
