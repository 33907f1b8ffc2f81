import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react'
import { orderEndpoints, type OrderDetail } from '@saddle/contract/riding/orders.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { Charge } from '../detail/Charge.tsx'
import { ReturnCard } from '../detail/Evidence.tsx'
import { DecideBar } from './DecideBar.tsx'
import '../detail/detail.css'

const TrackMap = lazy(() => loadChunk(() => import('#kit/tracks/TrackMap.tsx')))

/** What a decision needs: where it went, where it was returned by which fences, and what it cost. */
export function ReviewPanel({ orderId, onClose }: { orderId: number; onClose: () => void }): ReactNode {
  const { data, error, refetch } = useEndpoint(orderEndpoints.orderDetail, { id: orderId })
  const detail = data?.data
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    // Newer browsers answer with a promise, which is no clean-up.
    panel.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <aside ref={panel} className="returns-panel" aria-label={t('还车依据')}>
      <header>
        <strong>{detail === undefined ? '' : t('订单 {{number}}', { number: detail.order.number })}</strong>
        <Permit action="1601">
          <ButtonLink look="quiet" to={`/user-order-detail?order=${orderId}`}>
            {t('订单详情')}
          </ButtonLink>
        </Permit>
        <Button look="quiet" onClick={onClose}>
          {t('收起')}
        </Button>
      </header>
      {detail === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Whole detail={detail} />
      )}
    </aside>
  )
}

function Whole({ detail }: { detail: OrderDetail }) {
  const theme = useTheme().appearance
  const { review, order } = detail
  return (
    <>
      {detail.track.length > 0 && (
        <section className="page-card order-way">
          <Suspense fallback={<Loading />}>
            <TrackMap list={detail.track} fences={detail.fences} theme={theme} />
          </Suspense>
        </section>
      )}
      <ReturnCard detail={detail} />
      <Charge detail={detail} />
      {review !== null && review.state !== 'waived' && (
        <DecideBar
          chosen={[{ orderId: order.id, number: order.number, feeCents: review.feeCents }]}
          isKept={review.state === 'kept'}
          onDone={() => {}}
        />
      )}
    </>
  )
}
