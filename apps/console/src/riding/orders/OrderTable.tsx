import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { orderEndpoints, type Order, type OrderFilter } from '@saddle/contract/riding/orders.ts'
import { returnKindLabels } from '@saddle/contract/riding/price.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { call } from '#kit/api/client.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { ExportButton } from '#kit/list/ExportButton.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { useTotal } from '#kit/list/useTotal.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { Empty } from '#kit/ui/states.tsx'
import { OrderMark } from '#kit/ui/OrderMark.tsx'

const pageSize = 50
const refreshEveryMs = minuteMs

interface Props {
  readonly filter: OrderFilter
  readonly onClear: () => void
}

/** The orders that meet the conditions, newest first, page by page and as a file. */
export function OrderTable({ filter, onClear }: Props): ReactNode {
  const { scopeKey } = useScope()
  const question = JSON.stringify([filter, scopeKey])
  const pages = usePages(question)
  const input = { filter, pageSize, ...(pages.cursor !== undefined && { cursor: pages.cursor }) }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(orderEndpoints.searchOrders, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const page = data?.data
  const known = useTotal(question, page, isPlaceholderData)
  return (
    <section className="page-card">
      <ExportBar filter={filter} />
      <DataTable<Order>
        label={t('用户订单')}
        columns={columns()}
        rows={page?.list}
        rowKey={(row) => row.id}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        cardHead={cardHead}
        empty={<Empty title={t('没有符合条件的订单')} action={<Button onClick={onClear}>{t('清除条件')}</Button>} />}
      />
      <Pager
        page={pages.page}
        hasNext={page !== undefined && page.nextCursor !== null}
        count={known?.count ?? null}
        isCountCut={known?.isCut === true}
        busy={isPlaceholderData}
        onPrevious={pages.previous}
        onNext={() => pages.next(page?.nextCursor ?? null)}
      />
    </section>
  )
}

const cardHead = (row: Order): ReactNode => (
  <span className="order-head">
    <NumberLink order={row} />
    <OrderMark state={row.state} />
  </span>
)

function ExportBar({ filter }: { filter: OrderFilter }) {
  return (
    <div className="order-tools">
      <ExportButton
        onExport={async (at, signal) => (await call(orderEndpoints.exportOrders, { filter, ...at }, { signal })).data}
      />
    </div>
  )
}

function NumberLink({ order }: { order: Order }) {
  return <Link to={`/user-order-detail?order=${order.id}`}>{order.number}</Link>
}

function minutesOf({ startedAt, endedAt }: Order): string {
  return startedAt === null || endedAt === null ? '--' : ((endedAt - startedAt) / minuteMs).toFixed(0)
}

function columns(): readonly Column<Order>[] {
  return [
    { key: 'number', title: t('订单编号'), inHead: true, render: (row) => <NumberLink order={row} /> },
    { key: 'state', title: t('状态'), inHead: true, render: (row) => <OrderMark state={row.state} /> },
    {
      key: 'phone',
      title: t('手机号'),
      render: (row) => <RiderLink riderId={row.riderId}>{row.riderPhone}</RiderLink>,
    },
    {
      key: 'vehicle',
      title: t('车辆编号'),
      render: (row) => <Link to={`/vehicle-info?vehicle=${row.vehicleNumber}`}>{row.vehicleNumber}</Link>,
    },
    { key: 'area', title: t('服务区'), render: (row) => row.areaName },
    { key: 'placed', title: t('下单时间'), render: (row) => <time>{dateTime(row.placedAt)}</time> },
    { key: 'minutes', title: t('时长'), unit: t('分钟'), numeric: true, render: minutesOf },
    {
      key: 'distance',
      title: t('里程'),
      unit: 'km',
      numeric: true,
      render: ({ distanceM }) => (distanceM === null ? '--' : (distanceM / 1000).toFixed(2)),
    },
    {
      key: 'return',
      title: t('还车判定'),
      render: ({ returnKind }) =>
        returnKind === null ? (
          '--'
        ) : (
          <span data-tone={returnKind === 'in_place' ? undefined : 'warn'}>{t(returnKindLabels[returnKind])}</span>
        ),
    },
    {
      key: 'amount',
      title: t('金额'),
      unit: t('元'),
      numeric: true,
      render: ({ chargedCents, refundedCents }) => (
        <span>
          {money(chargedCents)}
          {refundedCents > 0 && <small className="order-given-back">{money(-refundedCents)}</small>}
        </span>
      ),
    },
  ]
}
