import type { ReactNode } from 'react'
import { repairConfigEndpoints, type FixReason } from '@saddle/contract/operations/repairConfig.ts'
import { flag } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { number, text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { staleConfig } from './stale.ts'

interface Props {
  readonly agentId: number
  /** Null: a new one. */
  readonly reason: FixReason | null
  /** The position behind all the others. */
  readonly next: number
  readonly onClose: () => void
}

/** A reason's name, its place among the others, and whether riders may choose it. */
export default function ReasonDialog({ agentId, reason, next, onClose }: Props): ReactNode {
  const own = reason === null ? { agentId } : { id: reason.id, version: reason.version }
  return (
    <FormDialog
      title={reason === null ? t('新增故障原因') : t('修改故障原因')}
      widthPx={420}
      call={repairConfigEndpoints.saveFixReason}
      about={reason?.id ?? `new ${agentId}`}
      fields={{
        name: text({ label: t('名称'), initial: reason?.name ?? '' }),
        position: number({ label: t('次序'), hint: t('小的在前'), initial: reason?.position ?? next }),
        forRiders: flag({
          label: t('骑行者可选'),
          initial: reason?.forRiders ?? true,
          says: t('骑行者报修时可选'),
        }),
      }}
      input={(values) => ({ ...own, ...values })}
      submit={({ name = '' }) => (name === '' ? t('保存') : t('保存“{{name}}”', { name }))}
      stale={staleConfig}
      done={(_, { name }) => t('已保存故障原因“{{name}}”', { name })}
      onClose={onClose}
    />
  )
}
