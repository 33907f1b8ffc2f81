import { useState, type ReactNode } from 'react'
import { amountMarksCents, orderStateLabels, orderStates, type OrderFilter } from '@saddle/contract/riding/orders.ts'
import { t } from '#kit/i18n/index.ts'
import { Areas, Many, One } from '#kit/list/Choices.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { dayOf, endOfDay, keywordOf, readKeyword, startOfDay } from './question.ts'

interface Props {
  readonly filter: OrderFilter
  readonly onFilter: (filter: OrderFilter) => void
}

type Change = Partial<Record<keyof OrderFilter, unknown>>

/** Which orders: one row of conditions. */
export function OrderFilterBar({ filter, onFilter }: Props): ReactNode {
  const change = (part: Change) =>
    onFilter(Object.fromEntries(Object.entries({ ...filter, ...part }).filter(([, value]) => value !== undefined)))
  const count = Object.keys(filter).length
  const marks = amountMarksCents.map((cents) => ({ value: cents, label: t('{{yuan}} 元', { yuan: cents / 100 }) }))
  return (
    <search className="filter-bar" aria-label={t('筛选条件')}>
      <div className="filter-row">
        <Keyword filter={filter} onChange={change} />
        <Many
          label={t('状态')}
          value={filter.states}
          options={orderStates.map((state) => ({ value: state, label: t(orderStateLabels[state]) }))}
          onChange={(states) => change({ states })}
        />
        <Areas value={filter.areaIds} onChange={(areaIds) => change({ areaIds })} />
        <fieldset className="filter-number order-days">
          <legend className="visually-hidden">{t('下单时间')}</legend>
          <input
            type="date"
            aria-label={t('下单日期从')}
            value={dayOf(filter.from)}
            onChange={(event) => change({ from: startOfDay(event.target.value) })}
          />
          <span>–</span>
          <input
            type="date"
            aria-label={t('下单日期到')}
            value={dayOf(filter.to === undefined ? undefined : filter.to - 1)}
            onChange={(event) => change({ to: endOfDay(event.target.value) })}
          />
        </fieldset>
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
        {count > 0 && (
          <Button look="quiet" onClick={() => onFilter({})}>
            {t('清除 {{count}} 个条件', { count })}
          </Button>
        )}
      </div>
    </search>
  )
}

/** Asked for when Enter is pressed or the field is left, not with every letter. */
function Keyword({ filter, onChange }: { filter: OrderFilter; onChange: (part: Change) => void }) {
  const value = keywordOf(filter)
  const [draft, setDraft] = useState({ of: value, text: value })
  const text = draft.of === value ? draft.text : value
  const put = () => {
    if (text.trim() === value) return
    onChange({ phone: undefined, number: undefined, vehicleNumber: undefined, ...readKeyword(text) })
  }
  return (
    <input
      type="search"
      className="filter-keyword order-keyword"
      value={text}
      maxLength={20}
      aria-label={t('手机号、订单编号或车辆编号')}
      placeholder={t('手机号、订单编号或车辆编号')}
      onChange={(event) => setDraft({ of: value, text: event.target.value })}
      onBlur={put}
      onKeyDown={(event) => {
        if (event.key === 'Enter') put()
      }}
    />
  )
}
