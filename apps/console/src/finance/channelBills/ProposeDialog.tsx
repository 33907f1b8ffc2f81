import type { ReactNode } from 'react'
import {
  channelBillEndpoints,
  differenceResolutionLabels,
  type ChannelDifference,
} from '@saddle/contract/finance/channelBills.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { reason } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { staleBills } from './stale.ts'
import { effectOf } from './words.ts'

interface Props {
  readonly difference: ChannelDifference
  readonly onClose: () => void
  readonly onDone: () => void
}

/** How a difference is to be resolved; nothing moves before another person has confirmed it. */
export default function ProposeDialog({ difference, onClose, onDone }: Props): ReactNode {
  const { id, resolutions } = difference
  const [first = 'write_off'] = resolutions
  return (
    <FormDialog
      title={t('提出处理方式')}
      call={channelBillEndpoints.proposeResolution}
      about={id}
      fields={{
        resolution: choice({
          label: t('处理方式'),
          initial: first,
          options: resolutions.map((value) => ({ value, label: t(differenceResolutionLabels[value]) })),
        }),
        reason: reason({ label: t('说明') }),
      }}
      adjust={({ resolution }) => ({ resolution: { hint: effectOf(resolution) } })}
      input={(values) => ({ id, ...values })}
      submit={t('提交复核')}
      stale={staleBills}
      done={() => t('已提交，待另一位平台人员复核')}
      undo={() => ({ id, note: '' })}
      undone={() => t('已撤回')}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
