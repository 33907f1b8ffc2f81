import type { ReactNode } from 'react'
import { serviceBatchMax, serviceEndpoints } from '@saddle/contract/fleet/service.ts'
import { tellRefused } from '#kit/action/refused.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { reason } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { staleVehicles } from './stale.ts'

interface Props {
  readonly vehicleIds: readonly number[]
  /** The vehicle's number, or how many there are. */
  readonly title: string
  readonly onClose: () => void
}

/** Nobody can ride these vehicles until they are put back; the message that confirms it offers that. */
export default function OutOfServiceDialog({ vehicleIds, title, onClose }: Props): ReactNode {
  const ids = vehicleIds.slice(0, serviceBatchMax)
  return (
    <FormDialog
      title={t('标记停运：{{title}}', { title })}
      call={serviceEndpoints.takeOutOfService}
      about={`${ids.length} ${ids[0]}`}
      fields={{
        reason: reason({
          label: t('原因（写入操作日志）'),
          presets: [t('车辆故障'), t('等待检修'), t('违规停放'), t('活动管制')],
        }),
      }}
      input={(values) => ({ vehicleIds: ids, ...values })}
      submit={t('停运 {{count}} 辆车', { count: ids.length })}
      stale={staleVehicles}
      done={({ data: { done } }) => (done.length === 0 ? null : t('已停运 {{count}} 辆车', { count: done.length }))}
      undo={({ data: { done } }) => (done.length === 0 ? null : { vehicleIds: done })}
      undone={({ data: { done } }) => t('已恢复 {{count}} 辆车', { count: done.length })}
      onDone={({ data: { refused } }) => tellRefused(refused)}
      onClose={onClose}
    >
      <p>{t('停运的车辆不能被扫码骑行，直到恢复运营或完成维修')}</p>
      {vehicleIds.length > serviceBatchMax && (
        <p role="alert">{t('一次最多 {{count}} 辆，其余的请分批进行', { count: serviceBatchMax })}</p>
      )}
    </FormDialog>
  )
}
