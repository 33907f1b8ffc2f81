import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { orderEndpoints, type Order, type OrderDetail } from '@saddle/contract/riding/orders.ts'
import { returnKindLabels } from '@saddle/contract/riding/price.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { ListTrail } from '#kit/list/ListTrail.tsx'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { PageBones } from '#kit/ui/Bones.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { OrderMark } from '#kit/ui/OrderMark.tsx'
import { orders, pathOfOrder } from '../orders/list.ts'
import { Charge } from './Charge.tsx'
import { Evidence } from './Evidence.tsx'
import { LedgerCard } from './LedgerCard.tsx'
import { OrderTickets } from './OrderTickets.tsx'
import { OtherVersion } from './OtherVersion.tsx'
import { PriceRulesCard } from './PriceRulesCard.tsx'
import '#kit/list/list.css'
import './detail.css'

const TrackMap = lazy(() => loadChunk(() => import('#kit/tracks/TrackMap.tsx')))
const RefundDialog = lazy(() => loadChunk(() => import('../refunds/RefundDialog.tsx')))

/** Why this charge? One order with everything that explains it. The address names it: `?order=42`. */
export default function OrderDetailPage(): ReactNode {
  const [params] = useSearchParams()
  const id = Number(params.get('order'))
  if (!Number.isSafeInteger(id) || id <= 0) {
    return (
      <Empty
        size="page"
        isHeading
        title={t('还没有选择订单')}
        action={<ButtonLink to="/user-order">{t('去用户订单')}</ButtonLink>}
      />
    )
  }
  return <Whole key={id} id={id} asksRefund={params.has('refund')} />
}

function Whole({ id, asksRefund }: { id: number; asksRefund: boolean }) {
  const { data, error, refetch } = useEndpoint(orderEndpoints.orderDetail, { id })
  const [refunding, setRefunding] = useState(asksRefund)
  const detail = data?.data
  if (detail === undefined) {
    return error === null ? <PageBones /> : <ErrorState size="page" error={error} onRetry={() => void refetch()} />
  }
  const { order } = detail
  const mayRefund = order.chargedCents !== null && order.state !== 'due' && order.refundedCents < order.chargedCents
  return (
    <div className="page order-page">
      <Permit action="1601">
        <ListTrail
          list={orders}
          path="/user-order"
          title={t('用户订单')}
          isShown={(row) => row.id === id}
          toRow={pathOfOrder}
        />
      </Permit>
      <header className="page-head">
        <h1>
          {t('订单 {{number}}', { number: order.number })} <OrderMark state={order.state} /> <Sum order={order} />
        </h1>
        <Button onClick={() => globalThis.print()}>{t('打印')}</Button>
        {mayRefund && (
          <Permit action="160101">
            <Button look="primary" onClick={() => setRefunding(true)}>
              {t('退款')}
            </Button>
          </Permit>
        )}
      </header>
      <div className="order-columns">
        <div className="order-column">
          <Facts detail={detail} />
          <Charge detail={detail} />
          <LedgerCard entries={detail.entries} />
          {detail.priceVersion !== null && (
            <PriceRulesCard version={detail.priceVersion}>
              <Permit action="1601||1702">
                <OtherVersion orderId={id} areaId={order.areaId} versionId={detail.priceVersion.id} />
              </Permit>
            </PriceRulesCard>
          )}
        </div>
        <div className="order-column">
          <Way detail={detail} />
          <Evidence detail={detail} />
          <Permit action="0401">
            <OrderTickets orderId={id} />
          </Permit>
        </div>
      </div>
      {refunding && mayRefund && (
        <Suspense fallback={null}>
          <RefundDialog orderId={id} number={order.number} onClose={() => setRefunding(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** The total, and why it exceeds the ride itself: the first thing that users read. */
function Sum({ order: { chargedCents, refundedCents, returnKind } }: { order: Order }) {
  if (chargedCents === null) return null
  const isElsewhere = returnKind !== null && returnKind !== 'in_place'
  return (
    <span className="order-head-sum">
      <b>{t('{{yuan}} 元', { yuan: money(chargedCents) })}</b>
      {refundedCents > 0 && (
        <>
          {' → '}
          <b>{t('{{yuan}} 元', { yuan: money(chargedCents - refundedCents) })}</b>
        </>
      )}
      {isElsewhere && ` · ${t(returnKindLabels[returnKind])}`}
    </span>
  )
}

function Facts({ detail: { order, riderName, failure, benefits } }: { detail: OrderDetail }) {
  const minutes =
    order.startedAt === null || order.endedAt === null ? null : (order.endedAt - order.startedAt) / minuteMs
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      t('骑行者'),
      <RiderLink key="rider" riderId={order.riderId}>
        {riderName === null ? order.riderPhone : `${riderName} ${order.riderPhone}`}
      </RiderLink>,
    ],
    [
      t('车辆编号'),
      <Link key="vehicle" to={`/vehicle-info?vehicle=${order.vehicleNumber}`}>
        {order.vehicleNumber}
      </Link>,
    ],
    [t('服务区'), `${order.areaName} · ${order.company}`],
    [t('下单时间'), dateTime(order.placedAt)],
    [t('开始时间'), dateTime(order.startedAt)],
    [t('结束时间'), dateTime(order.endedAt)],
    [t('时长'), minutes === null ? '--' : t('{{minutes}} 分钟', { minutes: minutes.toFixed(1) })],
    [t('里程'), order.distanceM === null ? '--' : `${(order.distanceM / 1000).toFixed(2)} km`],
    [t('使用的权益'), benefits.length === 0 ? t('没有使用') : benefits.map(({ name }) => name).join(t('、'))],
    [t('金额'), order.chargedCents === null ? '--' : t('{{yuan}} 元', { yuan: money(order.chargedCents) })],
    [t('已退款'), order.refundedCents === 0 ? '--' : t('{{yuan}} 元', { yuan: money(order.refundedCents) })],
  ]
  return (
    <section className="page-card">
      <dl className="detail-list order-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {failure !== null && (
        <p className="order-failure" role="alert">
          {failure}
        </p>
      )}
    </section>
  )
}

function Way({ detail: { track, fences } }: { detail: OrderDetail }) {
  const theme = useTheme().appearance
  return (
    <section className="page-card order-way">
      <h2>{t('轨迹与当时的围栏')}</h2>
      {track.length === 0 ? (
        <p className="order-none">{t('这次骑行没有上报位置')}</p>
      ) : (
        <Suspense fallback={<Loading />}>
          <TrackMap list={track} fences={fences} theme={theme} />
        </Suspense>
      )}
    </section>
  )
}
