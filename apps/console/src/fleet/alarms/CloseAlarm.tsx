import type { ReactNode } from 'react'
import { alarmEndpoints } from '@saddle/contract/fleet/alarms.ts'
import type { Vehicle } from '@saddle/contract/fleet/vehicles.ts'
import { useAction } from '#kit/action/useAction.ts'
import { t } from '#kit/i18n/index.ts'
import { staleVehicles } from '../service/stale.ts'

interface Props {
  readonly alarm: Vehicle['openAlarms'][number]
  readonly label: string
}

/** Closes an alarm of the panel; what was closed by mistake is opened again from the message. */
export function CloseAlarm({ alarm, label }: Props): ReactNode {
  const close = useAction(alarmEndpoints.fixAlarmTickets, {
    stale: [...staleVehicles, alarmEndpoints.listAlarmTickets],
    done: ({ data: { fixedIds } }) =>
      fixedIds.length === 0 ? t('告警已经关闭') : t('已关闭告警：{{alarm}}', { alarm: label }),
    undo: ({ data: { fixedIds } }) => (fixedIds.length === 0 ? null : { ids: fixedIds }),
    undone: ({ data: { reopenedIds } }) =>
      reopenedIds.length === 0 ? t('告警已经重新出现') : t('已恢复告警：{{alarm}}', { alarm: label }),
  })
  return (
    <button
      type="button"
      className="om-link"
      disabled={close.isBusy}
      aria-label={t('关闭告警：{{alarm}}', { alarm: label })}
      onClick={() => close.send({ ids: [alarm.id] })}
    >
      {t('关闭')}
    </button>
  )
}
