import type { ReactNode } from 'react'
import type { OrderDetail } from '@saddle/contract/riding/orders.ts'
import {
  bearerLabels,
  skippedKindLabels,
  skipReasonLabels,
  type SkippedBenefit,
  type UsedGift,
} from '@saddle/contract/riding/benefits.ts'
import { chargeCodeLabels } from '@saddle/contract/riding/price.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { wordsOfReason } from '#kit/i18n/reason.ts'

/** Each line of the charge with its reason, the sum, and what was given back. */
export function Charge({ detail }: { detail: OrderDetail }): ReactNode {
  const { order, lines, refunds, skippedBenefits, gifts } = detail
  return (
    <section className="page-card">
      <h2>{t('费用明细')}</h2>
      {order.chargedCents === null ? (
        <p className="order-none">{t('骑行结束后才有费用')}</p>
      ) : (
        <table className="order-lines" aria-label={t('费用明细')}>
          <thead>
            <tr>
              <th>{t('项目')}</th>
              <th>{t('原因')}</th>
              <th data-numeric="true" data-wide="true">
                {t('数量')}
              </th>
              <th data-numeric="true" data-wide="true">
                {t('单价（元）')}
              </th>
              <th data-numeric="true">{t('金额（元）')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.n}>
                <td>{t(chargeCodeLabels[line.code])}</td>
                <td className="order-reason">
                  {wordsOfReason(line.reason)}
                  {line.day !== null && <small>{line.day}</small>}
                  {line.bearer !== null && (
                    <small>{t('由{{bearer}}承担', { bearer: t(bearerLabels[line.bearer]) })}</small>
                  )}
                </td>
                <td data-numeric="true" data-wide="true">
                  {line.quantity}
                </td>
                <td data-numeric="true" data-wide="true">
                  {money(line.unitCents)}
                </td>
                <td data-numeric="true">{money(line.amountCents)}</td>
              </tr>
            ))}
            {lines.length === 0 && (
              <tr>
                <td colSpan={5}>{t('在免费时长内结束，没有产生费用')}</td>
              </tr>
            )}
          </tbody>
          <tfoot>
            <tr>
              <th colSpan={4}>{t('合计')}</th>
              <td data-numeric="true">{money(order.chargedCents)}</td>
            </tr>
            {refunds.map((refund) => (
              <tr key={refund.id} className="order-refund">
                <td>{t('退款')}</td>
                <td className="order-reason" colSpan={3}>
                  {wordsOfReason(refund.reason)}
                  <small>
                    {refund.operatorName} · {dateTime(refund.refundedAt)}
                  </small>
                </td>
                <td data-numeric="true">{money(-refund.cents)}</td>
              </tr>
            ))}
            {refunds.length > 0 && (
              <tr>
                <th colSpan={4}>{t('退款后')}</th>
                <td data-numeric="true">{money(order.chargedCents - order.refundedCents)}</td>
              </tr>
            )}
          </tfoot>
        </table>
      )}
      {gifts.length > 0 && <Gifts gifts={gifts} />}
      {skippedBenefits.length > 0 && <Skipped benefits={skippedBenefits} />}
    </section>
  )
}

/** Gift balance that paid for the ride, lot by lot; the rest was paid with money. */
function Gifts({ gifts }: { readonly gifts: readonly UsedGift[] }) {
  return (
    <>
      <h3 className="order-part">{t('由赠送余额支付')}</h3>
      <dl className="order-benefits">
        {gifts.map(({ lotId, name, cents, lapsedCents, endsAt, bearer }) => (
          <div key={lotId}>
            <dt>{name}</dt>
            <dd>
              {[
                t('{{yuan}} 元', { yuan: money(cents) }),
                ...(endsAt === null ? [] : [t('{{time}} 到期', { time: dateTime(endsAt) })]),
                t('由{{bearer}}承担', { bearer: t(bearerLabels[bearer]) }),
                ...(lapsedCents === 0 ? [] : [t('退款后其中 {{yuan}} 元失效', { yuan: money(lapsedCents) })]),
              ].join(' · ')}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** Benefits that the rider had and that took nothing off, each with its reason. */
function Skipped({ benefits }: { readonly benefits: readonly SkippedBenefit[] }) {
  return (
    <>
      <h3 className="order-part">{t('没有用上的优惠')}</h3>
      <dl className="order-benefits">
        {benefits.map(({ kind, id, name, why }) => (
          <div key={`${kind} ${id}`}>
            <dt>{`${t(skippedKindLabels[kind])} ${name}`}</dt>
            <dd>{t(skipReasonLabels[why])}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
