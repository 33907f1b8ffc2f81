import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { orderEndpoints, type Order } from '@saddle/contract/riding/orders.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { OrderMark } from '#kit/ui/OrderMark.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { Empty } from '#kit/ui/states.tsx'

const pageSize = 10
const refreshEveryMs = minuteMs

/** What the rider has ridden, newest first. */
export function Orders({ riderId }: { riderId: number }): ReactNode {
  const { scopeKey } = useScope()
  const pages = usePages(JSON.stringify([riderId, scopeKey]))
  const input = { riderId, pageSize, ...(pages.cursor !== undefined && { cursor: pages.cursor }) }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(orderEndpoints.riderOrders, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const page = data?.data
  return (
    <section className="page-card">
      <h2 className="rider-h2">
        {t('订单')}
        <Permit action="1601">
          <Link to={`/user-order?filter=${encodeURIComponent(JSON.stringify({ riderId }))}`}>
            {t('在用户订单中查看')}
          </Link>
        </Permit>
      </h2>
      <DataTable<Order>
        label={t('订单')}
        columns={columns()}
        rows={page?.list}
        rowKey={(row) => row.id}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        cardHead={headOf}
        empty={<Empty title={t('还没有骑行过')} />}
      />
      <Pager
        page={pages.page}
        hasNext={page !== undefined && page.nextCursor !== null}
        count={null}
        busy={isPlaceholderData}
        onPrevious={pages.previous}
        onNext={() => pages.next(page?.nextCursor ?? null)}
      />
    </section>
  )
}

const OrderLink = ({ order }: { order: Order }) => (
  <Link to={`/user-order-detail?order=${order.id}`}>{order.number}</Link>
)

const headOf = (row: Order): ReactNode => (
  <span className="rider-head">
    <OrderLink order={row} />
    <OrderMark state={row.state} />
  </span>
)

function columns(): readonly Column<Order>[] {
  return [
    { key: 'number', title: t('订单编号'), inHead: true, render: (row) => <OrderLink order={row} /> },
    { key: 'state', title: t('状态'), inHead: true, render: (row) => <OrderMark state={row.state} /> },
    {
      key: 'vehicle',
      title: t('车辆编号'),
      render: (row) => <Link to={`/vehicle-info?vehicle=${row.vehicleNumber}`}>{row.vehicleNumber}</Link>,
    },
    { key: 'placed', title: t('下单时间'), render: (row) => <time>{dateTime(row.placedAt)}</time> },
    { key: 'amount', title: t('金额'), unit: t('元'), numeric: true, render: (row) => money(row.chargedCents) },
  ]
}
