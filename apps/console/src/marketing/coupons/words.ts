import type { CouponTerms } from '@saddle/contract/marketing/couponTerms.ts'
import { couponEndpoints } from '@saddle/contract/marketing/coupons.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

/** Readings that an act on coupons makes stale. */
export const staleCoupons = [
  couponEndpoints.listCouponTemplates,
  couponEndpoints.sumCouponTemplates,
  couponEndpoints.couponTemplateVersions,
  couponEndpoints.couponTemplateSources,
  couponEndpoints.listCouponBatches,
  couponEndpoints.listCoupons,
  couponEndpoints.sumCoupons,
]

/** What a coupon takes off, as a rider reads it. */
export function effectText({ effect, fromCents }: Pick<CouponTerms, 'effect' | 'fromCents'>): string {
  const off = offText(effect)
  return fromCents === 0 ? off : t('满 {{yuan}} 元可用，{{off}}', { yuan: money(fromCents), off })
}

function offText(effect: CouponTerms['effect']): string {
  switch (effect.off) {
    case 'cents':
      return t('减 {{yuan}} 元', { yuan: money(effect.cents) })
    case 'minutes':
      return t('前 {{count}} 分钟免费', { count: effect.minutes })
    case 'start':
      return t('免起步价')
    case 'fee':
      return t('免调度费')
    case 'percent':
      return effect.maxCents === null
        ? t('骑行费减 {{percent}}%', { percent: effect.percent })
        : t('骑行费减 {{percent}}%，最多 {{yuan}} 元', { percent: effect.percent, yuan: money(effect.maxCents) })
  }
}

/** Until when it is valid. */
export const validText = ({ validDays, validUntil }: Pick<CouponTerms, 'validDays' | 'validUntil'>): string =>
  validDays === null
    ? t('{{until}} 前有效', { until: dateTime(validUntil).slice(0, 16) })
    : t('领取后 {{count}} 天内有效', { count: validDays })
