import type { ReactNode } from 'react'
import type { Task } from '@saddle/contract/operations/tasks.ts'
import {
  taskKindLabels,
  taskOutcomeLabels,
  taskPriorityLabels,
  taskTriggerLabels,
} from '@saddle/contract/operations/taskWords.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { distanceText } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import type { ShownTask } from './shownTask.ts'

interface Props {
  readonly shown: ShownTask
  /** Which stop of the way it is. */
  readonly stop?: number
  readonly now: number
  readonly onChoose: (task: Task) => void
}

/** How much time is left, or by how much it is late. */
export function dueWords(dueAt: number, now: number): string {
  const minutes = Math.round(Math.abs(dueAt - now) / minuteMs)
  const span =
    minutes < 60
      ? t('{{count}} 分钟', { count: minutes })
      : minutes < 48 * 60
        ? t('{{count}} 小时', { count: Math.round(minutes / 60) })
        : t('{{count}} 天', { count: Math.round(minutes / 1_440) })
  return dueAt < now ? t('已超时 {{span}}', { span }) : t('剩余 {{span}}', { span })
}

/** Why the task is there, with the figure that made it. */
export function causeOf({ trigger, triggerDetail, note }: Task): string {
  const cause = trigger === null ? '' : t(taskTriggerLabels[trigger])
  return [cause, triggerDetail, note].filter((part) => part !== '').join(' · ')
}

export function TaskCard({ shown, stop, now, onChoose }: Props): ReactNode {
  const { task, metres, isWaiting, isRefused, state } = shown
  const isLate = task.dueAt !== null && task.dueAt < now
  return (
    <li className="field-card" data-kind={task.kind}>
      <button type="button" onClick={() => onChoose(task)}>
        <span className="field-card-top">
          {stop !== undefined && <b className="field-stop">{stop}</b>}
          <b className="field-kind">{t(taskKindLabels[task.kind])}</b>
          <span className="field-number">{task.number}</span>
          <span className="field-far">{metres === null ? '' : distanceText(metres)}</span>
        </span>
        <span className="field-card-facts">
          {task.priority === 1 && <em data-tone="bad">{t(taskPriorityLabels[task.priority])}</em>}
          {task.dueAt !== null && <em data-tone={isLate ? 'bad' : undefined}>{dueWords(task.dueAt, now)}</em>}
          <em>{t('电量 {{percent}}', { percent: percentOf(task.vehicle.batteryPercent) })}</em>
          <em>{task.areaName}</em>
          {task.outcome !== null && <em data-tone="warn">{t(taskOutcomeLabels[task.outcome])}</em>}
          {state === 'on_site' && <em data-tone="good">{t('处理中')}</em>}
          {isRefused ? <em data-tone="bad">{t('未被接受')}</em> : isWaiting && <em data-tone="warn">{t('待发送')}</em>}
        </span>
        {causeOf(task) !== '' && <span className="field-cause">{causeOf(task)}</span>}
      </button>
    </li>
  )
}

export const percentOf = (value: number | null): string => (value === null ? '--' : `${Math.round(value)}%`)
