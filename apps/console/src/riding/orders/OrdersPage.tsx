import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { emptyText } from '@saddle/contract/constants.ts'
import { orderStateLabels, type Order } from '@saddle/contract/riding/orders.ts'
import { returnKindLabels } from '@saddle/contract/riding/price.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { amount, areas, days, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { OrderMark } from '#kit/ui/OrderMark.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { orders, pathOfOrder } from './list.ts'
import { orderKeyword } from './orderKeyword.ts'
import './orders.css'

/** Every order of the scope, found by any combination of conditions. */
export default function OrdersPage(): ReactNode {
  const list = useList(orders)
  return (
    <ListPage
      list={list}
      title={t('用户订单')}
      filters={[
        orderKeyword(),
        many('states', t('状态'), orderStateLabels),
        areas('areaIds'),
        days(t('下单日期'), { withTime: true }),
        amount(t('金额'), ['amountFromCents', 'amountBelowCents']),
      ]}
      columns={columns}
      rowName={({ number }) => number}
      empty={t('没有符合条件的订单')}
      toRow={pathOfOrder}
    />
  )
}

function minutesOf({ startedAt, endedAt }: Order): string {
  return startedAt === null || endedAt === null ? emptyText : ((endedAt - startedAt) / minuteMs).toFixed(0)
}

const columns = (): readonly ColumnSpec<Order>[] => [
  { key: 'number', card: 'head', render: (row) => <Link to={pathOfOrder(row)}>{row.number}</Link> },
  { key: 'state', card: 'head', render: ({ state }) => <OrderMark state={state} /> },
  { key: 'riderPhone', render: (row) => <RiderLink riderId={row.riderId}>{row.riderPhone}</RiderLink> },
  {
    key: 'vehicleNumber',
    render: (row) => <Link to={`/vehicle-info?vehicle=${row.vehicleNumber}`}>{row.vehicleNumber}</Link>,
  },
  { key: 'areaName', card: 'none' },
  'placedAt',
  { key: 'minutes', title: t('时长'), unit: t('分钟'), numeric: true, card: 'none', render: minutesOf },
  { key: 'distanceM', card: 'none' },
  {
    key: 'returnKind',
    render: ({ returnKind }) =>
      returnKind === null ? (
        emptyText
      ) : (
        <span data-tone={returnKind === 'in_place' ? undefined : 'warn'}>{t(returnKindLabels[returnKind])}</span>
      ),
  },
  {
    key: 'chargedCents',
    title: t('金额'),
    card: 'head',
    render: ({ chargedCents, refundedCents }) => (
      <span>
        {money(chargedCents)}
        {refundedCents > 0 && <small className="order-refunded">{money(-refundedCents)}</small>}
      </span>
    ),
  },
  { key: 'startedAt', isOptional: true },
  { key: 'endedAt', isOptional: true },
  { key: 'company', isOptional: true },
  { key: 'refundedCents', isOptional: true },
]
