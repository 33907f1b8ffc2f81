import type { ReactNode } from 'react'
import { workDaysMax } from '@saddle/contract/operations/statistics/span.ts'
import {
  workStatisticsEndpoints,
  type WorkNarrow,
  type WorkPage as Page,
} from '@saddle/contract/operations/statistics/work.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { t } from '#kit/i18n/index.ts'
import { areas, many } from '#kit/list/filters/specs.tsx'
import type { FilterSpec } from '#kit/list/filters/types.ts'
import { someConditions } from '#kit/list/useFilters.ts'
import { useList } from '#kit/list/useList.ts'
import { useEndpoint } from '#kit/query.ts'
import { Findings } from './Findings.tsx'
import { questionLink, whoAndWhere } from './question.ts'
import { DaysOfWork, NoWork, StatisticsFrame, useSpan } from './StatisticsFrame.tsx'
import { WorkFigures } from './WorkFigures.tsx'
import { WorkGroups } from './WorkGroups.tsx'
import { WorkParts, workTables } from './WorkList.tsx'

const refreshEveryMs = minuteMs

interface Props {
  readonly page: Page
  readonly title: string
}

/** Finished work of one kind: its figures beside those of the span before, and the tasks behind each of them. */
export function WorkPage({ page, title }: Props): ReactNode {
  const [span, setSpan] = useSpan({ max: workDaysMax, usual: 7 })
  const list = useList(workTables[page].list, { fixed: { page, ...span }, refreshEveryMs })
  const narrow = list.conditions as Partial<WorkNarrow>
  const reading = useEndpoint(
    workStatisticsEndpoints.workFigures,
    { filter: { page, ...span, ...whoAndWhere(narrow) } },
    { keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  const figures = reading.data?.data
  const question = { span, narrow }
  return (
    <StatisticsFrame
      title={title}
      head={<DaysOfWork span={span} onSpan={setSpan} />}
      list={someConditions(list, ['areaIds', 'persons'])}
      filters={personFilters(figures?.persons ?? [], narrow.persons)}
      reading={reading}
      empty={
        figures !== undefined && figures.total.done + figures.total.cancelled === 0 ? (
          <NoWork title={t('这段时间没有完成的作业')} onSpan={setSpan} />
        ) : null
      }
    >
      {figures !== undefined && (
        <WorkParts page={page} list={list}>
          <WorkFigures page={page} figures={figures} question={question} />
          <Findings page={page} question={question} figures={figures} />
          <WorkGroups
            page={page}
            figures={figures}
            link={(more) => questionLink({ span, narrow: { ...narrow, ...more } })}
          />
        </WorkParts>
      )}
    </StatisticsFrame>
  )
}

/** Where, and who: those who did something, and those who were chosen before. */
export function personFilters<F extends Pick<WorkNarrow, 'areaIds' | 'persons'>>(
  found: readonly { readonly name: string }[],
  chosen: readonly string[] = [],
): readonly FilterSpec<F>[] {
  const names = [...new Set([...found.map(({ name }) => name), ...chosen])]
  return [
    areas<F>('areaIds'),
    many<F>(
      'persons',
      t('人员'),
      names.map((name) => ({ value: name, label: name })),
    ),
  ]
}
