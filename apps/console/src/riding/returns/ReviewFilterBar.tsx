import type { ReactNode } from 'react'
import { returnKindLabels, returnKinds } from '@saddle/contract/riding/price.ts'
import { reviewStateLabels, reviewStates, type ReviewFilter } from '@saddle/contract/riding/returns.ts'
import { t } from '#kit/i18n/index.ts'
import { Areas, Many, One } from '#kit/list/Choices.tsx'
import { changeFilter } from '#kit/list/addressFilter.ts'
import { Days, FilterBar } from '#kit/list/FilterBar.tsx'
import { OrderKeyword } from '../orders/OrderKeyword.tsx'

interface Props {
  readonly filter: ReviewFilter
  readonly onFilter: (filter: ReviewFilter) => void
}

/** Which returns: those that wait, unless something else is asked for. */
export function ReviewFilterBar({ filter, onFilter }: Props): ReactNode {
  const change = (part: Partial<Record<keyof ReviewFilter, unknown>>) => onFilter(changeFilter(filter, part))
  return (
    <FilterBar count={Object.keys(filter).length} onClear={() => onFilter({})}>
      <OrderKeyword filter={filter} onChange={change} />
      <Many
        label={t('待审批')}
        value={filter.states}
        options={reviewStates.map((state) => ({ value: state, label: t(reviewStateLabels[state]) }))}
        onChange={(states) => change({ states })}
      />
      <Many
        label={t('还车判定')}
        value={filter.kinds}
        options={returnKinds.map((kind) => ({ value: kind, label: t(returnKindLabels[kind]) }))}
        onChange={(kinds) => change({ kinds })}
      />
      <One
        label={t('骑行者异议')}
        value={filter.disputed}
        options={[
          { value: true, label: t('有异议') },
          { value: false, label: t('无异议') },
        ]}
        onChange={(disputed) => change({ disputed })}
      />
      <Areas value={filter.areaIds} onChange={(areaIds) => change({ areaIds })} />
      <Days label={t('还车日期')} from={filter.from} to={filter.to} onChange={change} />
    </FilterBar>
  )
}
