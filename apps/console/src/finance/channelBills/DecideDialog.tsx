import type { ReactNode } from 'react'
import {
  channelBillEndpoints,
  differenceResolutionLabels,
  type ChannelDifference,
} from '@saddle/contract/finance/channelBills.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { longText } from '#kit/form/textFields.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { staleBills } from './stale.ts'
import { effectOf } from './words.ts'

interface Props {
  readonly difference: ChannelDifference
  readonly decision: 'confirm' | 'reject'
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Carries out what another person proposed, refuses it, or takes one's own proposal back. */
export default function DecideDialog({ difference, decision, onClose, onDone }: Props): ReactNode {
  const { id, resolution, proposedBy, reason, deltaCents, isOwn } = difference
  if (resolution === null) return null
  const what = t(differenceResolutionLabels[resolution])
  const said = (
    <p>
      {t('{{name}} 提出：{{what}}，差额 {{yuan}} 元。说明：{{reason}}', {
        name: proposedBy ?? '--',
        what,
        yuan: money(deltaCents),
        reason,
      })}
    </p>
  )
  if (decision === 'confirm') {
    return (
      <FormDialog
        title={t('复核并执行')}
        call={channelBillEndpoints.confirmResolution}
        about={id}
        fields={{}}
        input={() => ({ id })}
        submit={t('确认{{what}}', { what })}
        stale={staleBills}
        done={() => t('已执行：{{what}}', { what })}
        onDone={onDone}
        onClose={onClose}
      >
        {said}
        <p>{effectOf(resolution)}</p>
        <p>{t('确认后立即记账，不能撤销，并以本人的名义记入操作日志。')}</p>
      </FormDialog>
    )
  }
  return (
    <FormDialog
      title={isOwn ? t('撤回处理方式') : t('退回处理方式')}
      call={channelBillEndpoints.rejectResolution}
      about={id}
      fields={{ note: longText({ label: t('说明'), isOptional: true, rows: 2 }) }}
      input={(values) => ({ id, ...values })}
      submit={isOwn ? t('撤回') : t('退回')}
      stale={staleBills}
      done={() => t('已恢复为待处理，没有动用资金')}
      onDone={onDone}
      onClose={onClose}
    >
      {said}
    </FormDialog>
  )
}
