import type { ReactNode } from 'react'
import type { TaskFilter } from '@saddle/contract/operations/tasks.ts'
import {
  taskKindLabels,
  taskKinds,
  taskPriorities,
  taskPriorityLabels,
  taskReviewLabels,
  taskReviews,
  taskSourceLabels,
  taskSources,
  taskStateLabels,
  taskStates,
} from '@saddle/contract/operations/taskWords.ts'
import { t } from '#kit/i18n/index.ts'
import { changeFilter } from '#kit/list/addressFilter.ts'
import { Areas, Many } from '#kit/list/Choices.tsx'
import { Days, FilterBar, Keyword } from '#kit/list/FilterBar.tsx'

interface Props {
  readonly filter: TaskFilter
  readonly onFilter: (filter: TaskFilter) => void
}

/** Which tasks: one row of conditions. */
export function TaskFilterBar({ filter, onFilter }: Props): ReactNode {
  const change = (part: Partial<Record<keyof TaskFilter, unknown>>) => onFilter(changeFilter(filter, part))
  return (
    <FilterBar count={Object.keys(filter).length} onClear={() => onFilter({})}>
      <Keyword
        label={t('车辆编号')}
        value={filter.keyword ?? ''}
        onChange={(text) => change({ keyword: text === '' ? undefined : text })}
      />
      <Many
        label={t('类型')}
        value={filter.kinds}
        options={taskKinds.map((value) => ({ value, label: t(taskKindLabels[value]) }))}
        onChange={(kinds) => change({ kinds })}
      />
      <Many
        label={t('状态')}
        value={filter.states}
        options={taskStates.map((value) => ({ value, label: t(taskStateLabels[value]) }))}
        onChange={(states) => change({ states })}
      />
      <Areas value={filter.areaIds} onChange={(areaIds) => change({ areaIds })} />
      <Many
        label={t('来源')}
        value={filter.sources}
        options={taskSources.map((value) => ({ value, label: t(taskSourceLabels[value]) }))}
        onChange={(sources) => change({ sources })}
      />
      <Many
        label={t('优先级')}
        value={filter.priorities}
        options={taskPriorities.map((value) => ({ value, label: t(taskPriorityLabels[value]) }))}
        onChange={(priorities) => change({ priorities })}
      />
      <Many
        label={t('审核')}
        value={filter.reviews}
        options={taskReviews.map((value) => ({ value, label: t(taskReviewLabels[value]) }))}
        onChange={(reviews) => change({ reviews })}
      />
      <Keyword
        label={t('人员姓名')}
        value={filter.person ?? ''}
        onChange={(text) => change({ person: text === '' ? undefined : text })}
      />
      <Days label={t('创建日期')} from={filter.from} to={filter.to} onChange={change} />
      <label className="filter-number">
        <input
          type="checkbox"
          checked={filter.overdue === true}
          onChange={(event) => change({ overdue: event.target.checked ? true : undefined })}
        />
        {t('只看超时')}
      </label>
    </FilterBar>
  )
}
