import type { ReportNarrow, ReportRow } from '@saddle/contract/reports/figures.ts'
import { metricOf, type Dimension, type MetricName } from '@saddle/contract/reports/metrics.ts'

interface Cell {
  readonly by: Dimension
  readonly narrow: ReportNarrow
  /** Of the row; absent: the whole. */
  readonly key?: string
  readonly bounds: Pick<ReportRow, 'fromAt' | 'toAt'>
}

/** The address of the orders that a figure is made of; null where no list can show exactly these. */
export function rowsLink(name: MetricName, { by, narrow, key, bounds }: Cell): string | null {
  const { rows } = metricOf(name)
  const isOfTime = by === 'day' || by === 'month'
  const isNarrow = narrow.channels !== undefined || narrow.models !== undefined
  if (rows === undefined || isNarrow || !(key === undefined || isOfTime || by === 'area')) return null
  const areaIds = by === 'area' && key !== undefined ? [Number(key)] : narrow.areaIds
  const filter = {
    from: bounds.fromAt,
    to: bounds.toAt,
    states: rows.states,
    ...(areaIds !== undefined && { areaIds }),
  }
  return `/user-order?${new URLSearchParams({ filter: JSON.stringify(filter) })}`
}
