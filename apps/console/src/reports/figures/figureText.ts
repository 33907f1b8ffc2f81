import { emptyText } from '@saddle/contract/constants.ts'
import type { ReportRow } from '@saddle/contract/reports/figures.ts'
import {
  dimensionsOf,
  metricOf,
  type Dimension,
  type MetricName,
  type MetricUnit,
} from '@saddle/contract/reports/metrics.ts'
import { reports, type ReportName } from '@saddle/contract/reports/reports.ts'
import { paymentChannelLabels, type PaymentChannelName } from '@saddle/contract/finance/payments.ts'
import { money, moneyWithSign, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

const kilometreM = 1_000

/** How figures of a unit are written: the unit behind them, decimal places, and by what they are divided before. */
const looks: Readonly<Record<MetricUnit, { readonly unit: string; readonly digits: number; readonly per: number }>> = {
  count: { unit: '', digits: 0, per: 1 },
  cents: { unit: '¥', digits: 2, per: 100 },
  percent: { unit: '%', digits: 1, per: 1 },
  minutes: { unit: ' min', digits: 1, per: 1 },
  metres: { unit: ' km', digits: 2, per: kilometreM },
  ratio: { unit: '', digits: 2, per: 1 },
}
export const lookOf = (name: MetricName) => looks[metricOf(name).unit]

/** The value that a chart draws: yuan, kilometres. */
export function drawnValue(name: MetricName, value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : value / lookOf(name).per
}

/** A figure with its unit: `¥1,234.50`, `12.5%`. */
export function figureText(name: MetricName, value: number | null | undefined): string {
  if (value === null || value === undefined) return emptyText
  const { unit, digits, per } = lookOf(name)
  if (unit === '¥') return moneyWithSign(value)
  return `${digits === 0 ? number(value) : (value / per).toFixed(digits)}${unit}`
}

/** The same in a column whose head has the unit of money. */
export const cellText = (name: MetricName, value: number | null | undefined): string =>
  metricOf(name).unit === 'cents' ? money(value) : figureText(name, value)

/** What a row is of, as the screen says it. */
export function rowName(by: Dimension, { key, name }: Pick<ReportRow, 'key' | 'name'>): string {
  switch (by) {
    case 'hour':
      return `${key}:00`
    case 'channel':
      if (key === '') return t('不经渠道')
      return key in paymentChannelLabels ? t(paymentChannelLabels[key as PaymentChannelName]) : key
    case 'area':
      return key === '' ? t('不属于服务区') : name
    case 'model':
      return key
    case 'day':
    case 'month':
    case 'company':
      return name
  }
}

/** The figures that can be told apart by a dimension. */
export const metricsBy = (report: ReportName, by: Dimension): readonly MetricName[] =>
  reports[report].metrics.filter((name) => dimensionsOf(name).includes(by))
