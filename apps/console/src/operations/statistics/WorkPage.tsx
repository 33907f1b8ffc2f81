import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import {
  statisticsEndpoints,
  workDaysMax,
  workNarrowSchema,
  type WorkNarrow,
  type WorkPage as Page,
} from '@saddle/contract/operations/statistics.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { t } from '#kit/i18n/index.ts'
import { changeFilter, useAddressFilter } from '#kit/list/addressFilter.ts'
import { Areas, Many } from '#kit/list/Choices.tsx'
import { FilterBar, Keyword } from '#kit/list/FilterBar.tsx'
import { SpanPicker } from '#kit/list/SpanPicker.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { lastDays, spanOf, type Span } from '#kit/span.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { Findings } from './Findings.tsx'
import { questionLink, whoAndWhere } from './question.ts'
import { WorkFigures } from './WorkFigures.tsx'
import { WorkGroups } from './WorkGroups.tsx'
import { WorkList } from './WorkList.tsx'
import './statistics.css'

const presets = [7, 14, 30] as const
const refreshEveryMs = minuteMs

interface Props {
  readonly page: Page
  readonly title: string
}

/** Finished work of one sort: its figures beside those of the span before, and the tasks behind each of them. */
export function WorkPage({ page, title }: Props): ReactNode {
  const [params, setParams] = useSearchParams()
  const [narrow, setNarrow] = useAddressFilter<WorkNarrow>(workNarrowSchema)
  const span = spanOf(params, { max: workDaysMax, usual: 7 })
  const setSpan = ({ from, to }: Span) =>
    setParams((old) => {
      const next = new URLSearchParams(old)
      next.set('from', from)
      next.set('to', to)
      return next
    })
  const asked = { page, ...span, ...whoAndWhere(narrow) }
  const options = { keepPrevious: true, refetchIntervalMs: refreshEveryMs }
  const { data, error, refetch } = useEndpoint(statisticsEndpoints.workFigures, asked, options)
  const figures = data?.data
  return (
    <div className="page">
      <header className="page-head">
        <h1>{title}</h1>
        <SpanPicker span={span} presets={presets} onSpan={setSpan} />
      </header>
      <Narrowing narrow={narrow} persons={figures?.persons.map(({ name }) => name) ?? []} onNarrow={setNarrow} />
      {figures === undefined ? (
        error === null ? (
          <Loading size="page" />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : figures.total.done + figures.total.cancelled === 0 ? (
        <Empty
          size="page"
          title={t('这段时间没有完成的作业')}
          action={<Button onClick={() => setSpan(lastDays(30))}>{t('看近 30 天')}</Button>}
        />
      ) : (
        <>
          <WorkFigures page={page} figures={figures} question={{ span, narrow }} />
          <Findings page={page} question={{ span, narrow }} figures={figures} />
          <WorkGroups
            page={page}
            figures={figures}
            link={(more) => questionLink({ span, narrow: { ...narrow, ...more } })}
          />
          <WorkList page={page} question={{ span, narrow }} onClear={() => setNarrow(whoAndWhere(narrow))} />
        </>
      )}
    </div>
  )
}

interface NarrowingProps {
  readonly narrow: Partial<WorkNarrow>
  readonly persons: readonly string[]
  readonly onNarrow: (narrow: Partial<WorkNarrow>) => void
}

function Narrowing({ narrow, persons, onNarrow }: NarrowingProps) {
  const change = (more: Partial<Record<keyof WorkNarrow, unknown>>) => onNarrow(changeFilter(narrow, more))
  const names = [...new Set([...persons, ...(narrow.persons ?? [])])]
  return (
    <FilterBar count={Object.keys(narrow).length} onClear={() => onNarrow({})}>
      <Areas value={narrow.areaIds} onChange={(areaIds) => change({ areaIds })} />
      <Many
        label={t('人员')}
        value={narrow.persons}
        options={names.map((name) => ({ value: name, label: name }))}
        onChange={(chosen) => change({ persons: chosen })}
      />
      <Keyword
        label={t('车辆编号')}
        value={narrow.keyword ?? ''}
        onChange={(text) => change({ keyword: text === '' ? undefined : text })}
      />
    </FilterBar>
  )
}
