import type { ReactNode } from 'react'
import { repairConfigEndpoints, type RepairPart } from '@saddle/contract/operations/repairConfig.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { number, text, yuan } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { staleConfig } from './stale.ts'

interface Props {
  readonly agentId: number
  /** Null: a new one. */
  readonly part: RepairPart | null
  readonly onClose: () => void
}

/** A part's name, unit and price; its stock is booked by itself. */
export default function PartDialog({ agentId, part, onClose }: Props): ReactNode {
  return (
    <FormDialog
      title={part === null ? t('新增配件') : t('修改配件')}
      widthPx={420}
      call={repairConfigEndpoints.saveRepairPart}
      about={part?.id ?? `new ${agentId}`}
      fields={{
        name: text({ label: t('名称'), initial: part?.name ?? '' }),
        unit: text({ label: t('单位'), initial: part?.unit ?? '', placeholder: t('例如：个') }),
        priceCents: yuan({ label: t('单价'), ...(part !== null && { initialCents: part.priceCents }) }),
        stockLow: number({
          label: t('库存下限'),
          hint: t('库存不多于它时提示补货'),
          initial: part?.stockLow ?? 0,
        }),
      }}
      input={(values) => ({ ...(part === null ? { agentId } : { id: part.id, version: part.version }), ...values })}
      submit={({ name = '' }) => (name === '' ? t('保存') : t('保存“{{name}}”', { name }))}
      stale={staleConfig}
      done={(_, { name }) => t('已保存配件“{{name}}”', { name })}
      onClose={onClose}
    />
  )
}
