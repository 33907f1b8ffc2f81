import type { workStatisticsEndpoints, WorkNarrow } from '@saddle/contract/operations/statistics/work.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import type { Span } from '#kit/span.ts'

/** Figures of finished work over a span. */
export type Figures = AnswerOf<typeof workStatisticsEndpoints.workFigures>['data']

/** What a person asks of a page of statistics: which days, and what narrows them. */
export interface Question {
  readonly span: Span
  readonly narrow: Partial<WorkNarrow>
}

/** Said by an address that wants the list to be looked at. */
export const listMark = 'look'

/** The address of the same page with another question; the list is what it opens for. */
export function questionLink({ span, narrow }: Question): string {
  const filter = JSON.stringify(narrow)
  const params = new URLSearchParams({ from: span.from, to: span.to, [listMark]: 'tasks' })
  if (filter !== '{}') params.set('filter', filter)
  return `?${params}`
}

/** What narrows the figures as well as the list: whose and where. */
export const whoAndWhere = ({
  areaIds,
  persons,
}: Readonly<Record<string, unknown>> & Partial<WorkNarrow>): Pick<WorkNarrow, 'areaIds' | 'persons'> => ({
  ...(areaIds !== undefined && { areaIds }),
  ...(persons !== undefined && { persons }),
})

/** `42.0`; `--` where there is nothing to divide by. */
export const share = (some: number, all: number): string => (all === 0 ? '--' : ((100 * some) / all).toFixed(1))
