import type { ReactNode } from 'react'
import { orderFilterSchema } from '@saddle/contract/riding/orders.ts'
import { t } from '#kit/i18n/index.ts'
import { useAddressFilter } from '#kit/list/addressFilter.ts'
import { OrderFilterBar } from './OrderFilterBar.tsx'
import { OrderTable } from './OrderTable.tsx'
import './orders.css'

/** Every order of the scope, found by any combination of conditions. The address keeps the question. */
export default function OrdersPage(): ReactNode {
  const [filter, setFilter] = useAddressFilter(orderFilterSchema, { secret: ['phone'] })
  return (
    <div className="page orders-page">
      <header className="page-head">
        <h1>{t('用户订单')}</h1>
      </header>
      <OrderFilterBar filter={filter} onFilter={setFilter} />
      <OrderTable filter={filter} onClear={() => setFilter({})} />
    </div>
  )
}
