import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { FigureBones } from '#kit/charts/Figure.tsx'
import { t } from '#kit/i18n/index.ts'
import type { Filter } from '#kit/list/declare.ts'
import { ListFilters } from '#kit/list/filters/FilterBar.tsx'
import type { FilterSpec } from '#kit/list/filters/types.ts'
import { SpanPicker } from '#kit/list/SpanPicker.tsx'
import type { FilteredList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { lastDays, spanOf, type Span } from '#kit/span.ts'
import { StaleNote } from '#kit/ui/StaleNote.tsx'
import { Empty, ErrorState } from '#kit/ui/states.tsx'
import './statistics.css'

/** The business days in the address, and what changes them. */
export function useSpan(options: { readonly max: number; readonly usual: number }) {
  const [params, setParams] = useSearchParams()
  const set = ({ from, to }: Span) =>
    setParams((old) => {
      const next = new URLSearchParams(old)
      next.set('from', from)
      next.set('to', to)
      return next
    })
  return [spanOf(params, options), set] as const
}

interface Props<F extends Filter> {
  readonly title: string
  readonly head?: ReactNode
  readonly list: FilteredList<F>
  readonly filters: readonly FilterSpec<F>[]
  readonly reading: { readonly data: unknown; readonly error: unknown; readonly refetch: () => unknown }
  /** The text shown instead of figures that are all zero. */
  readonly empty: ReactNode
  readonly children: ReactNode
}

/** A page of figures: title and span, conditions, and the figures once they came. */
export function StatisticsFrame<F extends Filter>(props: Props<F>): ReactNode {
  const { title, head, list, filters, reading, empty, children } = props
  const { data, error, refetch } = reading
  let body = empty ?? children
  if (data === undefined) {
    body = error === null ? <FigureBones /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  return (
    <div className="page">
      <header className="page-head">
        <h1>{title}</h1>
        {head}
      </header>
      <ListFilters list={list} filters={filters} />
      <StaleNote reading={reading} />
      {body}
    </div>
  )
}

const presets = [7, 14, 30] as const

export function DaysOfWork({ span, onSpan }: { readonly span: Span; readonly onSpan: (span: Span) => void }) {
  return <SpanPicker span={span} presets={presets} onSpan={onSpan} />
}

/** Says that nothing happened in these days, and offers a longer span. */
export function NoWork(props: {
  readonly title: string
  readonly text?: string
  readonly onSpan: (span: Span) => void
}): ReactNode {
  const { title, text, onSpan } = props
  return (
    <Empty
      size="page"
      title={title}
      {...(text !== undefined && { text })}
      action={<Button onClick={() => onSpan(lastDays(30))}>{t('看近 30 天')}</Button>}
    />
  )
}
