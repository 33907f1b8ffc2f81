import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { orderEndpoints, orderFields, riderOrderList, type Order } from '@saddle/contract/riding/orders.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { OrderMark } from '#kit/ui/OrderMark.tsx'
import { Permit } from '#kit/ui/Permit.tsx'

const ordersOfRider = listOf({
  list: riderOrderList,
  call: orderEndpoints.riderOrders,
  file: orderEndpoints.exportRiderOrders,
  fields: orderFields,
})

/** What the rider has ridden, newest first. */
export function Orders({ riderId }: { readonly riderId: number }): ReactNode {
  const filter = { riderId }
  const list = useList(ordersOfRider, { fixed: filter, isInside: true })
  return (
    <section className="page-card">
      <h2 className="rider-h2">
        {t('订单', { context: 'tab' })}
        <Permit action="1601">
          <Link to={`/user-order?filter=${encodeURIComponent(JSON.stringify(filter))}`}>{t('在用户订单中查看')}</Link>
        </Permit>
      </h2>
      <ListCard list={list} label={t('订单')} columns={columns} empty={t('还没有骑行过')} />
    </section>
  )
}

const columns = (): readonly ColumnSpec<Order>[] => [
  {
    key: 'number',
    card: 'head',
    render: ({ id, number }) => <Link to={`/user-order-detail?order=${id}`}>{number}</Link>,
  },
  { key: 'state', card: 'head', render: ({ state }) => <OrderMark state={state} /> },
  {
    key: 'vehicleNumber',
    render: ({ vehicleNumber }) => <Link to={`/vehicle-info?vehicle=${vehicleNumber}`}>{vehicleNumber}</Link>,
  },
  'placedAt',
  { key: 'chargedCents', title: t('金额') },
]
