import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import { orderEndpoints, type OrderDetail } from '@saddle/contract/riding/orders.ts'
import { returnKindLabels } from '@saddle/contract/riding/price.ts'
import type { ListedReview } from '@saddle/contract/riding/returns.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { PhotoStrip, prefetchPhotos } from '#kit/photos/PhotoStrip.tsx'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint, usePrefetchEndpoint } from '#kit/query.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { Charge } from '../detail/Charge.tsx'
import { ReturnCard } from '../detail/Evidence.tsx'
import { DecideBar } from './DecideBar.tsx'
import { loadPhotos, photosOf } from './photos.ts'
import '../detail/detail.css'

const TrackMap = lazy(() => loadChunk(() => import('#kit/tracks/TrackMap.tsx')))

interface Props {
  readonly review: ListedReview
  /** The case that follows: its evidence is fetched while this one is looked at. */
  readonly next: ListedReview | null
  /** The others of the same spot and day, and what selects all of them. */
  readonly others: readonly ListedReview[]
  readonly onTogether: () => void
  readonly onDecided: () => void
}

/** What a decision needs: how and where it was left, what the rider says, and what it cost. */
export function ReviewPanel({ review, next, others, onTogether, onDecided }: Props): ReactNode {
  const { orderId, state } = review
  usePrefetch(next)
  const { data, error, refetch } = useEndpoint(orderEndpoints.orderDetail, { id: orderId })
  return (
    <DetailPanel
      label={t('还车依据')}
      title={<Title review={review} />}
      {...(state !== 'waived' && {
        foot: <DecideBar chosen={[review]} isKept={state === 'kept'} onDone={onDecided} hasKeys />,
      })}
    >
      <div className="returns-case">
        <div className="returns-evidence" data-photos={review.photoCount > 0}>
          {review.photoCount > 0 && (
            <PhotoStrip
              label={t('还车照片')}
              of={photosOf(review)}
              count={review.photoCount}
              load={(signal) => loadPhotos(orderId, signal)}
            />
          )}
          {data === undefined ? (
            error === null ? (
              <Loading />
            ) : (
              <ErrorState error={error} onRetry={() => void refetch()} />
            )
          ) : (
            <EndOfRide detail={data.data} />
          )}
        </div>
      </div>
      {others.length > 0 && (
        <p className="returns-spot">
          {t('同一地点当天还有 {{count}} 单待审批', { count: others.length })}
          <Button look="quiet" onClick={onTogether}>
            {t('一起选中')}
          </Button>
        </p>
      )}
      {review.claim !== '' && <blockquote className="returns-words">{review.claim}</blockquote>}
      {data !== undefined && (
        <>
          <ReturnCard detail={{ ...data.data, returnPhotoCount: 0 }} />
          <Charge detail={data.data} />
        </>
      )}
      <Permit action="1601">
        <ButtonLink look="quiet" to={`/user-order-detail?order=${orderId}`}>
          {t('订单详情')}
        </ButtonLink>
      </Permit>
    </DetailPanel>
  )
}

/** Once this case has its own evidence, so that the next one does not hold it up. */
function usePrefetch(next: ListedReview | null): void {
  const prefetch = usePrefetchEndpoint()
  useEffect(() => {
    if (next === null) return
    prefetch(orderEndpoints.orderDetail, { id: next.orderId })
    if (next.photoCount > 0) prefetchPhotos(photosOf(next), (signal) => loadPhotos(next.orderId, signal))
  }, [next, prefetch])
}

function Title({ review: { vehicleNumber, feeCents, returnKind, distanceM } }: { review: ListedReview }) {
  const facts = [
    ...(returnKind === null ? [] : [t(returnKindLabels[returnKind])]),
    ...(distanceM === null || distanceM === 0
      ? []
      : [t('距停车点 {{metres}} 米', { metres: number(Math.round(distanceM)) })]),
  ]
  return (
    <span className="returns-title">
      {vehicleNumber} <b>{t('{{yuan}} 元', { yuan: money(feeCents) })}</b> <small>{facts.join(' · ')}</small>
    </span>
  )
}

/** The last stretch, so near that the place beside the vehicle can be seen. */
function EndOfRide({ detail: { track, fences, end } }: { detail: OrderDetail }) {
  const theme = useTheme().appearance
  if (track.length === 0) return <p className="order-none">{t('这次骑行没有上报位置')}</p>
  return (
    <div className="order-way">
      <Suspense fallback={<Loading />}>
        <TrackMap list={track} fences={fences} theme={theme} {...(end !== null && { lookAt: end })} />
      </Suspense>
    </div>
  )
}
