import type { ReactNode } from 'react'
import { returnEndpoints, type ListedReview } from '@saddle/contract/riding/returns.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { text } from '#kit/form/textFields.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { staleReturns, tellRefused } from './DecideBar.tsx'

interface Props {
  readonly chosen: readonly ListedReview[]
  readonly note: string
  readonly onWaived: () => void
  readonly onClose: () => void
}

/** What waiving means in money, before it is given back: that cannot be undone. */
export default function WaiveDialog({ chosen, note, onWaived, onClose }: Props): ReactNode {
  const count = chosen.length
  const yuan = money(chosen.reduce((sum, { feeCents }) => sum + feeCents, 0))
  const orderIds = chosen.map(({ orderId }) => orderId)
  return (
    <FormDialog
      title={t('免除 {{count}} 单的还车费用', { count })}
      widthPx={460}
      call={returnEndpoints.decideReturns}
      about={orderIds.join(' ')}
      fields={{ note: text({ label: t('审批说明'), note: t('选填，骑行者可见'), initial: note, isOptional: true }) }}
      input={(values) => ({ orderIds, decision: 'waived' as const, note: values.note ?? '' })}
      submit={t('免除 {{count}} 单，共 {{yuan}} 元', { count, yuan })}
      stale={staleReturns}
      done={({ data: { decided } }) =>
        decided.length === 0 ? null : t('已审批 {{count}} 单', { count: decided.length })
      }
      onDone={(answer) => {
        tellRefused(answer)
        onWaived()
      }}
      onClose={onClose}
    >
      <p>{t('共 {{yuan}} 元：已支付的原路退还，待支付的减免。退还后不能撤销。', { yuan })}</p>
    </FormDialog>
  )
}
