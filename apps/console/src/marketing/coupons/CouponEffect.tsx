import type { ReactNode } from 'react'
import type { CouponTemplate } from '@saddle/contract/marketing/coupons.ts'
import { bearerLabels } from '@saddle/contract/riding/benefits.ts'
import { money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'

interface Props {
  readonly template: CouponTemplate
  /** Opens the coupons behind a figure. */
  readonly onOpen: (list: 'issued' | 'used') => void
}

/**
 * What became of a kind of coupon. Coupons hold nobody out by themselves, so they claim no uplift: a campaign or an activity
 * that gives them is compared with its own control riders.
 */
export function CouponEffect({ template, onOpen }: Props): ReactNode {
  const { issued, used, usedCents, terms } = template
  const link = (list: 'issued' | 'used', text: string) => (
    <Button key={list} look="quiet" onClick={() => onOpen(list)}>
      {text}
    </Button>
  )
  return (
    <>
      <Facts
        facts={[
          [t('已发放'), link('issued', number(issued))],
          [t('用券骑行'), link('used', number(used))],
          [t('使用率'), issued === 0 ? '--' : `${((used / issued) * 100).toFixed(1)}%`],
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
      <p>{t('优惠券本身没有对照组；由推送或活动发放的，增量见该推送或活动的效果。')}</p>
    </>
  )
}
