import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { OrderFilter } from '@saddle/contract/riding/orders.ts'
import { t } from '#kit/i18n/index.ts'
import { OrderFilterBar } from './OrderFilterBar.tsx'
import { OrderTable } from './OrderTable.tsx'
import { readFilter, writeFilter } from './question.ts'
import './orders.css'

/** Every order of the scope, found by any combination of conditions. The address keeps the question. */
export default function OrdersPage(): ReactNode {
  const [params, setParams] = useSearchParams()
  const text = params.get('filter') ?? ''
  const [known, setKnown] = useState(() => ({ text, filter: readFilter(params) }))
  let { filter } = known
  if (known.text !== text) {
    filter = readFilter(params)
    setKnown({ text, filter })
  }
  const change = (next: OrderFilter) => {
    const written = writeFilter(next)
    setKnown({ text: written ?? '', filter: next })
    setParams(written === null ? {} : { filter: written })
  }
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('用户订单')}</h1>
      </header>
      <OrderFilterBar filter={filter} onFilter={change} />
      <OrderTable filter={filter} onClear={() => change({})} />
    </div>
  )
}
