import type { ReactNode } from 'react'
import { factoryTestEndpoints } from '@saddle/contract/production/factoryTests.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { longText, reason } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { staleTests } from './words.ts'

/** What was mended; the vehicle is tested again after it. */
export function FinishForm({ id, onClose }: { readonly id: number; readonly onClose: () => void }): ReactNode {
  return (
    <FormDialog
      title={t('返修完成')}
      call={factoryTestEndpoints.finishRework}
      about={id}
      fields={{
        note: longText({
          label: t('处理说明'),
          presets: [t('重新插接线束'), t('更换中控'), t('更换车锁'), t('电池充电')],
          refusals: ['rework_over'],
        }),
      }}
      input={({ note }) => ({ id, note })}
      submit={t('返修完成')}
      stale={staleTests}
      done={() => t('已返修，车辆回到待检测')}
      onClose={onClose}
    >
      <p>{t('完成后车辆须重新检测，才算检测合格。')}</p>
    </FormDialog>
  )
}

interface OpenProps {
  readonly vehicleId: number
  readonly onClose: () => void
}

/** A defect that no test sees. */
export function OpenReworkForm({ vehicleId, onClose }: OpenProps): ReactNode {
  return (
    <FormDialog
      title={t('转入返修')}
      call={factoryTestEndpoints.openRework}
      about={vehicleId}
      fields={{
        reason: reason({ presets: [t('外观划伤'), t('装配松动'), t('标签缺失')] }),
      }}
      input={(values) => ({ vehicleId, ...values })}
      submit={t('转入返修')}
      stale={staleTests}
      done={() => t('已转入返修')}
      onClose={onClose}
    />
  )
}
