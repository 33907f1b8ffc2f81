import type { ReactNode } from 'react'
import { Link } from 'react-router'
import {
  couponSourceLabels,
  type CouponBatchFilter,
  type CouponIssuer,
} from '@saddle/contract/marketing/couponBatches.ts'
import { couponEndpoints, type CouponTemplate } from '@saddle/contract/marketing/coupons.ts'
import { bearerLabels } from '@saddle/contract/riding/benefits.ts'
import { money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { activityTo, campaignTo, rewardsByHandTo } from '../activities/address.ts'

/** What a figure opens: coupons of a state, or the batches of one issuer. */
export type OpenCoupons = (list: 'issued' | 'used' | CouponBatchFilter) => void

interface Props {
  readonly template: CouponTemplate
  readonly onOpen: OpenCoupons
}

const rate = ({ issued, used }: Pick<CouponIssuer, 'issued' | 'used'>): string =>
  issued === 0 ? '--' : `${((used / issued) * 100).toFixed(1)}%`

/**
 * What became of a kind of coupon, and what issued it. Coupons hold nobody out by themselves, so they claim no uplift: a
 * campaign or an activity that gives them is compared with its own control riders.
 */
export function CouponEffect({ template, onOpen }: Props): ReactNode {
  const { id, issued, used, usedCents, terms } = template
  const link = (list: 'issued' | 'used', text: string) => (
    <Button key={list} look="link" onClick={() => onOpen(list)}>
      {text}
    </Button>
  )
  return (
    <>
      <Facts
        facts={[
          [t('已发放'), link('issued', number(issued))],
          [t('用券骑行'), link('used', number(used))],
          [t('使用率'), rate(template)],
          [t('已抵扣'), link('used', t('{{yuan}} 元', { yuan: money(usedCents) }))],
          [t('平均每次'), used === 0 ? '--' : t('{{yuan}} 元', { yuan: money(usedCents / used) })],
          [
            t('成本承担'),
            terms.bearer === 'partner'
              ? `${t(bearerLabels.partner)} · ${terms.partner}`
              : t(bearerLabels[terms.bearer]),
          ],
        ]}
      />
      <h3>{t('发放来源')}</h3>
      <Issuers id={id} onOpen={onOpen} />
      <p>{t('优惠券本身没有对照组；由推送或活动发放的，增量见该推送或活动的效果。')}</p>
    </>
  )
}

function Issuers({ id, onOpen }: { readonly id: number; readonly onOpen: OpenCoupons }) {
  const { data, error, refetch } = useEndpoint(couponEndpoints.couponTemplateSources, { id })
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const { list } = data.data
  if (list.length === 0) return <p>{t('还没有发放过')}</p>
  return (
    <table className="figures-table">
      <thead>
        <tr>
          <th scope="col">{t('来源')}</th>
          <th scope="col">{t('已发放')}</th>
          <th scope="col">{t('已使用')}</th>
          <th scope="col">{t('使用率')}</th>
        </tr>
      </thead>
      <tbody>
        {list.map((issuer) => (
          <tr key={keyOf(issuer)}>
            <th scope="row">
              <Issuer {...issuer} />
            </th>
            <td>
              <Button look="link" onClick={() => onOpen(filterOf(id, issuer))}>
                {number(issuer.issued)}
              </Button>
            </td>
            <td>
              <Button look="link" onClick={() => onOpen(filterOf(id, issuer))}>
                {number(issuer.used)}
              </Button>
            </td>
            <td>{rate(issuer)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const keyOf = ({ source, campaign, activity }: CouponIssuer): string =>
  `${source} ${campaign?.id ?? ''} ${activity?.id ?? ''}`

/** The batches of an issuer. People who issue have a source of their own. */
const filterOf = (templateId: number, { source, campaign, activity }: CouponIssuer): CouponBatchFilter => ({
  templateId,
  sources: [source],
  ...(campaign !== null && { campaignId: campaign.id }),
  ...(activity !== null && { activityId: activity.id }),
})

function Issuer({ source, campaign, activity }: CouponIssuer) {
  if (campaign !== null)
    return (
      <>
        <Link to={campaignTo(campaign.id)}>{campaign.name}</Link> <small>{t('精准推送')}</small>
      </>
    )
  if (activity !== null)
    return (
      <>
        <Link to={activityTo(activity)}>{activity.name}</Link> <small>{t(couponSourceLabels.rewards)}</small>
      </>
    )
  return source === 'rewards' ? <Link to={rewardsByHandTo()}>{t('人工发放')}</Link> : t(couponSourceLabels[source])
}
