import type { ReactNode } from 'react'
import { worstAlarm, type NearVehicle } from '@saddle/contract/fleet/vehicles.ts'
import { taskKindLabels } from '@saddle/contract/operations/taskWords.ts'
import { distanceText } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { alarmLabel } from './labels.ts'
import type { NearestState } from './useNearest.ts'

/** How far the vehicle is, why somebody should go there, and the way to the next one. */
export function NearestLine({
  nearest,
  id,
}: {
  readonly nearest: NearestState
  readonly id: number | null
}): ReactNode {
  const { round, isBusy, next } = nearest
  const vehicle = round?.list[round.at]
  if (round === null || vehicle === undefined || vehicle.id !== id) return null
  const distance = distanceText(vehicle.distanceM)
  return (
    <p className="om-nearest" aria-label={t('最近的待处理车辆')}>
      <span>
        <strong>
          {round.isFromHere ? t('距你 {{distance}}', { distance }) : t('距地图中心 {{distance}}', { distance })}
        </strong>{' '}
        · {reasonsOf(vehicle).join(' · ')}
      </span>
      <small>
        {round.at + 1}/{round.list.length}
      </small>
      <button type="button" className="om-link" disabled={isBusy} onClick={next}>
        {t('下一辆')}
      </button>
    </p>
  )
}

/** The most urgent alarm, low battery, open tasks: each thing once. */
function reasonsOf({ alarms, lowBattery, batteryPercent, tasks }: NearVehicle): string[] {
  const worst = worstAlarm(alarms)
  return [
    ...(worst === null || (worst === 'low_battery' && lowBattery) ? [] : [alarmLabel(worst)]),
    ...(lowBattery ? [t('电量 {{percent}}%', { percent: batteryPercent ?? 0 })] : []),
    ...tasks.map((kind) => t(taskKindLabels[kind])),
  ]
}
