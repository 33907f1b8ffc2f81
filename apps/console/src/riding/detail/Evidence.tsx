import type { ReactNode } from 'react'
import { commandKindLabels, commandStateLabels } from '@saddle/contract/fleet/commands.ts'
import type { OrderDetail, ReturnCheck } from '@saddle/contract/riding/orders.ts'
import { returnKindLabels } from '@saddle/contract/riding/price.ts'
import { returnEndpoints, reviewStateLabels } from '@saddle/contract/riding/returns.ts'
import { Link } from 'react-router'
import { call } from '#kit/api/client.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { wordsOfReason } from '#kit/i18n/reason.ts'
import { pathOfReview } from '../returns/list.ts'

/** Where it was returned and who looked at it, and what the vehicle was told. */
export function Evidence({ detail }: { detail: OrderDetail }): ReactNode {
  const { commands } = detail
  return (
    <>
      <ReturnCard detail={detail} withLink />
      <section className="page-card">
        <h2>{t('指令记录')}</h2>
        {commands.length === 0 ? (
          <p className="order-none">{t('骑行前后没有下发指令')}</p>
        ) : (
          <ol className="order-steps">
            {commands.map((command) => (
              <li key={command.id}>
                <time>{dateTime(command.queuedAt)}</time>
                <strong>
                  {t(commandKindLabels[command.kind])} · {t(commandStateLabels[command.state])}
                </strong>
                <p>
                  {[command.operatorName, command.reason, command.failure]
                    .filter((word) => word !== null && word !== '')
                    .map((word) => wordsOfReason(word ?? ''))
                    .join(' · ')}
                </p>
              </li>
            ))}
          </ol>
        )}
      </section>
    </>
  )
}

/** Where it was returned, how that was judged, and what a person decided about it. */
export function ReturnCard({ detail, withLink = false }: { detail: OrderDetail; withLink?: boolean }): ReactNode {
  const { checks, review, order, returnPhotoCount } = detail
  return (
    <section className="page-card">
      <h2>{t('还车判定')}</h2>
      {checks.length === 0 ? (
        <p className="order-none">{t('还没有还车')}</p>
      ) : (
        <ol className="order-steps">
          {checks.map((check) => (
            <li key={check.id}>
              <time>{dateTime(check.checkedAt)}</time>
              <strong>{t(returnKindLabels[check.kind])}</strong>
              <p>{wordsOf(check)}</p>
            </li>
          ))}
        </ol>
      )}
      {returnPhotoCount > 0 && (
        <div className="order-photos">
          <PhotoStrip
            label={t('还车照片')}
            of={['return', order.id, returnPhotoCount]}
            count={returnPhotoCount}
            load={async (signal) => {
              const { data } = await call(returnEndpoints.returnPhotos, { orderId: order.id }, { signal })
              return data.list
            }}
          />
        </div>
      )}
      {review !== null && (
        <dl className="detail-list order-facts">
          <div>
            <dt>{t('审批')}</dt>
            <dd>
              {t(reviewStateLabels[review.state])}
              {review.state === 'open' && withLink && (
                <Permit action="returnCarApp">
                  {' '}
                  <Link to={pathOfReview(order.number)}>{t('去审批')}</Link>
                </Permit>
              )}
            </dd>
          </div>
          <div>
            <dt>{t('还车费用')}</dt>
            <dd>{t('{{yuan}} 元', { yuan: money(review.feeCents) })}</dd>
          </div>
          {review.claim !== '' && (
            <div>
              <dt>{t('骑行者说明')}</dt>
              <dd>{review.claim}</dd>
            </div>
          )}
          {review.decidedBy !== null && (
            <div>
              <dt>{t('审批人')}</dt>
              <dd>
                {wordsOfReason(review.decidedBy)} · {dateTime(review.decidedAt)}
              </dd>
            </div>
          )}
        </dl>
      )}
    </section>
  )
}

function wordsOf({ fenceName, fenceVersion, distanceM, accepted }: ReturnCheck): string {
  const parts = [
    ...(fenceName === null
      ? []
      : [t('{{name}}（第 {{version}} 版）', { name: fenceName, version: fenceVersion ?? 1 })]),
    ...(distanceM === null || distanceM === 0
      ? []
      : [t('距最近的停车点 {{metres}} 米', { metres: Math.round(distanceM) })]),
    ...(accepted ? [] : [t('不能在此还车')]),
  ]
  return parts.join(' · ')
}
