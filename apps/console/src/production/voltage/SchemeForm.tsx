import type { ReactNode } from 'react'
import { voltageEndpoints, type VoltageScheme } from '@saddle/contract/production/voltage.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { longText, number, text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { staleVoltage } from './words.ts'

interface Props {
  /** Absent: a new one. */
  readonly scheme?: VoltageScheme
  readonly onClose: () => void
}

/** A pack of batteries: its name and how many cells stand in a row. */
export function SchemeForm({ scheme, onClose }: Props): ReactNode {
  return (
    <FormDialog
      title={scheme === undefined ? t('新增电池组') : t('修改电池组')}
      call={voltageEndpoints.saveVoltageScheme}
      about={scheme?.id ?? 'new'}
      fields={{
        name: text({
          label: t('电池组'),
          hint: t('例如 48V 13S 三元锂'),
          initial: scheme?.name ?? '',
          refusals: ['name_taken'],
        }),
        cells: number({ label: t('串数'), initial: scheme?.cells ?? 13 }),
        note: longText({ label: t('备注'), initial: scheme?.note ?? '', isOptional: true }),
      }}
      input={(values) => ({ id: scheme?.id ?? null, ...values })}
      submit={t('保存')}
      stale={staleVoltage}
      done={() => t('已保存')}
      onClose={onClose}
    />
  )
}
