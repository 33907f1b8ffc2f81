import type { ReactNode } from 'react'
import type { CouponBatch } from '@saddle/contract/marketing/couponBatches.ts'
import { couponEndpoints, type CouponTemplate } from '@saddle/contract/marketing/coupons.ts'
import { couponSkipReasonLabels, couponSkipReasons } from '@saddle/contract/marketing/couponSkips.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { day } from '#kit/form/otherFields.tsx'
import { number, reason, text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { phonesField } from './phonesField.ts'
import { staleCoupons } from './words.ts'

/** Gives a coupon to each of some riders, by phone numbers as they are copied out of a sheet. */
export function IssueDialog({ template, onClose }: { template: CouponTemplate; onClose: () => void }): ReactNode {
  return (
    <FormDialog
      title={t('发放“{{name}}”', { name: template.name })}
      call={couponEndpoints.issueCoupons}
      about={template.id}
      fields={{
        phones: phonesField(),
        note: text({ label: t('备注'), isOptional: true }),
      }}
      input={({ phones, note }) => ({ templateId: template.id, phones, note })}
      submit={({ phones = [] }) => t('发放给 {{count}} 人', { count: phones.length })}
      stale={staleCoupons}
      done={({ data: { issued } }) => t('已发放 {{count}} 张', { count: issued })}
      onDone={({ data: { skipped } }) => {
        if (skipped.length === 0) return
        const reasons = couponSkipReasons.flatMap((why) => {
          const count = skipped.filter((one) => one.why === why).length
          return count === 0 ? [] : [t('{{reason}}：{{count}} 人', { reason: t(couponSkipReasonLabels[why]), count })]
        })
        notify.warning({ title: t('{{count}} 人没有发放', { count: skipped.length }), text: reasons.join(t('；')) })
      }}
      onClose={onClose}
    />
  )
}

/** Codes that can be printed or handed out; the file of the batch has them. */
export function CodesDialog({ template, onClose }: { template: CouponTemplate; onClose: () => void }): ReactNode {
  return (
    <FormDialog
      title={t('为“{{name}}”生成兑换码', { name: template.name })}
      call={couponEndpoints.makeCouponCodes}
      about={template.id}
      fields={{
        count: number({ label: t('数量'), unit: t('个') }),
        claimUntil: day({ label: t('兑换截止'), as: 'end' }),
        note: text({ label: t('备注'), isOptional: true }),
      }}
      input={({ claimUntil = 0, ...values }) => ({ templateId: template.id, claimUntil, ...values })}
      submit={({ count = 0 }) => t('生成 {{count}} 个兑换码', { count })}
      stale={staleCoupons}
      done={({ data: { issued } }) => t('已生成 {{count}} 个兑换码', { count: issued })}
      onClose={onClose}
    />
  )
}

interface RevokeProps {
  readonly ids: readonly number[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Takes back open coupons; riders read why. */
export function RevokeDialog({ ids, onClose, onDone }: RevokeProps): ReactNode {
  const count = ids.length
  return (
    <FormDialog
      title={t('收回 {{count}} 张', { count })}
      call={couponEndpoints.revokeCoupons}
      about={ids.join()}
      fields={{ reason: reason({ note: t('骑行者可见'), presets: [t('误发'), t('活动结束')] }) }}
      input={(values) => ({ ids: [...ids], ...values })}
      submit={t('收回 {{count}} 张', { count })}
      stale={staleCoupons}
      done={({ data: { revoked } }) => t('已收回 {{count}} 张', { count: revoked })}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

/** Takes back what is open of a batch. */
export function RevokeBatchDialog({ batch, onClose }: { batch: CouponBatch; onClose: () => void }): ReactNode {
  return (
    <FormDialog
      title={t('收回 {{count}} 张', { count: batch.open })}
      call={couponEndpoints.revokeCouponBatch}
      about={batch.id}
      fields={{ reason: reason({ note: t('骑行者可见'), presets: [t('误发'), t('活动结束')] }) }}
      input={(values) => ({ batchId: batch.id, ...values })}
      submit={t('收回 {{count}} 张', { count: batch.open })}
      stale={staleCoupons}
      done={({ data: { revoked, left } }) =>
        left === 0
          ? t('已收回 {{count}} 张', { count: revoked })
          : t('已收回 {{count}} 张，其余 {{left}} 张在后台继续收回', { count: revoked, left })
      }
      onClose={onClose}
    />
  )
}
