import { commandKindLabels, commandStateLabels } from '@saddle/contract/fleet/commands.ts'
import { lifeCauseLabels, unitEventLabels, vehicleEventLabels, type LifeEntry } from '@saddle/contract/fleet/life.ts'
import { alarmKindLabels, vehicleStateLabels } from '@saddle/contract/fleet/vehicles.ts'
import { taskKindLabels, taskSourceLabels, taskStateLabels } from '@saddle/contract/operations/taskWords.ts'
import { wordsOfFailures } from '@saddle/contract/production/factoryWords.ts'
import { unitPartLabels, unitParts } from '@saddle/contract/production/units.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

/** No two things of one kind happen to a vehicle in one instant, but for commands that were given together. */
export const keyOfEntry = (entry: LifeEntry): string =>
  `${entry.kind}-${entry.at}-${entry.kind === 'command' ? entry.command.id : entry.kind === 'task' ? entry.taskId : ''}${entry.kind === 'alarm' ? entry.alarm : entry.kind === 'event' || entry.kind === 'unit' ? entry.event : ''}`

const join = (...parts: (string | null)[]): string => parts.filter((part) => part !== null && part !== '').join(' · ')

/** What happened, in one line. */
export function wordsOfEntry(entry: LifeEntry): string {
  switch (entry.kind) {
    case 'event': {
      const change =
        entry.from === entry.to ? null : `${t(vehicleStateLabels[entry.from])} → ${t(vehicleStateLabels[entry.to])}`
      return join(
        t(vehicleEventLabels[entry.event] ?? entry.event),
        change,
        t(lifeCauseLabels[entry.cause] ?? entry.cause),
      )
    }
    case 'command': {
      const { command } = entry
      const state = t(commandStateLabels[command.state])
      return join(
        t(commandKindLabels[command.kind]),
        state,
        command.operatorName,
        command.reason,
        command.failure && t(command.failure),
      )
    }
    case 'alarm': {
      const end = entry.closedAt === null ? t('未关闭') : t('{{at}} 关闭', { at: dateTime(entry.closedAt) })
      const times = entry.times > 1 ? t('重复 {{times}} 次', { times: entry.times }) : null
      return join(
        t(alarmKindLabels[entry.alarm] ?? entry.alarm, { context: 'alarm' }),
        end,
        times,
        entry.fixedBy,
        entry.note,
      )
    }
    case 'task': {
      const end = entry.doneAt === null ? null : dateTime(entry.doneAt)
      const what = join(
        t(taskKindLabels[entry.task]),
        t(taskStateLabels[entry.state]),
        t(taskSourceLabels[entry.source]),
      )
      return join(what, entry.personName, end, entry.note)
    }
    case 'unit': {
      const part = unitParts.find((one) => one === entry.part)
      const change = entry.before === null ? entry.after : `${entry.before} → ${entry.after ?? '--'}`
      return join(
        t(unitEventLabels[entry.event]),
        entry.event === 'part_swapped' && part !== undefined ? t(unitPartLabels[part]) : null,
        change,
        entry.note,
        wordsOfFailures(entry.failures, t),
        entry.personName,
      )
    }
    case 'trip': {
      const { trip } = entry
      const length = trip.distanceM === null ? null : `${(trip.distanceM / 1000).toFixed(2)} km`
      const minutes = t('{{minutes}} 分钟', { minutes: Math.round(trip.durationSeconds / 60) })
      return join(trip.endedAt === null ? t('骑行中') : minutes, length)
    }
  }
}
