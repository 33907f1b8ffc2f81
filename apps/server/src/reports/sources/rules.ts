import type { CardKind } from '@saddle/contract/finance/cardTerms.ts'
import { measuresOf, metricOf } from '@saddle/contract/reports/metrics.ts'
import type { Measure } from '@saddle/contract/reports/measures.ts'
import { reports } from '@saddle/contract/reports/reports.ts'
import type { SourceRowFilter } from '@saddle/contract/reports/sources.ts'
import type { Scope } from '#kit/db/scope.ts'
import { daysOfKey, keysOf, type DaySpan } from '../figures/rules.ts'

/** Whose rows stand behind a figure, and what each adds to it. */
export interface SourceBuckets {
  readonly measures: readonly { readonly name: Measure; readonly sign: 1 | -1 }[]
  readonly from: string
  readonly to: string
  /** The hour of the day, as two digits. */
  readonly hour: string | null
  readonly agentIds: readonly number[]
  readonly areaIds: readonly number[]
  /** Also what belongs to a company and to none of its areas. */
  readonly hasOfCompany: boolean
  readonly models: readonly string[] | undefined
  readonly channels: readonly string[] | undefined
  readonly cardKind: CardKind | undefined
}

/** What a figure in a row of a report is made of: the report's conditions, and that of the row. */
export function sourceBuckets(filter: SourceRowFilter, scope: Pick<Scope, 'agentIds' | 'areaIds'>): SourceBuckets {
  const { report, by, key, metric, part, from, to, agentIds, areaIds, models, channels } = filter
  const { plus, minus = [], over = [] } = metricOf(metric)
  const added = part === 'top' ? plus : over
  const taken = part === 'top' ? minus : []
  const all = {
    measures: [
      ...added.map((name) => ({ name, sign: 1 as const })),
      ...taken.map((name) => ({ name, sign: -1 as const })),
    ],
    from,
    to,
    hour: null,
    agentIds: scope.agentIds.filter((id) => agentIds === undefined || agentIds.includes(id)),
    areaIds: scope.areaIds.filter((id) => areaIds === undefined || areaIds.includes(id)),
    hasOfCompany: areaIds === undefined,
    models,
    channels,
    cardKind: reports[report].cardKind,
  }
  if (key === undefined) return all
  const among = (ids: readonly number[]): number[] => ids.filter((id) => String(id) === key)
  switch (by) {
    case 'day':
    case 'month':
      return { ...all, ...daysOfKey(by, key, { from, to }) }
    case 'hour':
      return { ...all, hour: key }
    case 'company':
      return { ...all, agentIds: among(all.agentIds) }
    case 'area':
      return { ...all, areaIds: among(all.areaIds), hasOfCompany: all.hasOfCompany && key === '' }
    case 'model':
      return { ...all, models: models === undefined || models.includes(key) ? [key] : [] }
    case 'channel':
      return { ...all, channels: channels === undefined || channels.some((one) => one === key) ? [key] : [] }
  }
}

/** The days of a question, month by month: the rows of a year are added up in statements that each end in time. */
export function spansOfSum({ by, key, from, to }: SourceRowFilter): DaySpan[] {
  const span = key !== undefined && (by === 'day' || by === 'month') ? daysOfKey(by, key, { from, to }) : { from, to }
  return keysOf('month', span).map((month) => daysOfKey('month', month, span))
}

/** A key of a day or month names a part of the span; anything else is refused. */
export function isKeyOf({ by, key, from, to }: SourceRowFilter): boolean {
  if (key === undefined) return true
  if (by === 'day') return /^\d{4}-\d{2}-\d{2}$/.test(key) && key >= from && key <= to
  if (by === 'month') return /^\d{4}-\d{2}$/.test(key) && key >= from.slice(0, 7) && key <= to.slice(0, 7)
  return by !== 'hour' || /^\d{2}$/.test(key)
}

/** Measures of a part of a figure. */
export const hasPart = ({ metric, part }: SourceRowFilter): boolean =>
  measuresOf(metricOf(metric)).length > 0 && (part === 'top' || metricOf(metric).over !== undefined)
