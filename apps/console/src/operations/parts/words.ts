import type { Task } from '@saddle/contract/operations/tasks.ts'
import { taskTriggerLabels, type TaskState } from '@saddle/contract/operations/taskWords.ts'
import { alarmKindLabels } from '@saddle/contract/fleet/vehicles.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { t } from '#kit/i18n/index.ts'
import type { Tone } from '#kit/ui/Mark.tsx'

export const stateTones: Readonly<Record<TaskState, Tone>> = {
  open: 'warn',
  claimed: 'info',
  on_site: 'info',
  done: 'good',
  cancelled: 'off',
}

/** Why the task is there, with the figure that made it. */
export function causeText({ trigger, triggerDetail, triggerValue }: Task): string {
  if (trigger === null) return ''
  const cause = t(taskTriggerLabels[trigger])
  const known = alarmKindLabels[triggerDetail]
  const detail = known === undefined ? triggerDetail : t(known, { context: 'alarm' })
  const figure =
    triggerValue === null
      ? ''
      : {
          low_battery: `${triggerValue}%`,
          idle: t('{{count}} 小时', { count: triggerValue }),
          outside_area: t('{{count}} 分钟', { count: triggerValue }),
          fault: t('{{count}} 次', { count: triggerValue }),
          overfull_place: t('{{count}} 辆', { count: triggerValue }),
          empty_place: t('{{count}} 辆', { count: triggerValue }),
          alarm: '',
        }[trigger]
  return [cause, detail, figure].filter((part) => part !== '').join(' · ')
}

/** A span in words. */
export function spanText(ms: number): string {
  const minutes = Math.round(ms / minuteMs)
  if (minutes < 60) return t('{{count}} 分钟', { count: minutes })
  if (minutes < 48 * 60) return t('{{count}} 小时', { count: Math.round(minutes / 60) })
  return t('{{count}} 天', { count: Math.round(minutes / 1_440) })
}
