import type { ReactNode } from 'react'
import { amountMarksCents, orderStateLabels, orderStates, type OrderFilter } from '@saddle/contract/riding/orders.ts'
import { t } from '#kit/i18n/index.ts'
import { Areas, Many, One } from '#kit/list/Choices.tsx'
import { changeFilter } from '#kit/list/addressFilter.ts'
import { Days, FilterBar } from '#kit/list/FilterBar.tsx'
import { OrderKeyword } from './OrderKeyword.tsx'

interface Props {
  readonly filter: OrderFilter
  readonly onFilter: (filter: OrderFilter) => void
}

/** Which orders: one row of conditions. */
export function OrderFilterBar({ filter, onFilter }: Props): ReactNode {
  const change = (part: Partial<Record<keyof OrderFilter, unknown>>) => onFilter(changeFilter(filter, part))
  const marks = amountMarksCents.map((cents) => ({ value: cents, label: t('{{yuan}} 元', { yuan: cents / 100 }) }))
  return (
    <FilterBar count={Object.keys(filter).length} onClear={() => onFilter({})}>
      <OrderKeyword filter={filter} onChange={change} />
      <Many
        label={t('状态')}
        value={filter.states}
        options={orderStates.map((state) => ({ value: state, label: t(orderStateLabels[state]) }))}
        onChange={(states) => change({ states })}
      />
      <Areas value={filter.areaIds} onChange={(areaIds) => change({ areaIds })} />
      <Days label={t('下单日期')} from={filter.from} to={filter.to} onChange={change} />
      <One
        label={t('金额不低于')}
        value={filter.amountFromCents}
        options={marks}
        onChange={(amountFromCents) => change({ amountFromCents })}
      />
      <One
        label={t('金额低于')}
        value={filter.amountBelowCents}
        options={marks}
        onChange={(amountBelowCents) => change({ amountBelowCents })}
      />
    </FilterBar>
  )
}
