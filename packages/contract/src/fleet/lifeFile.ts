import type { Field } from '#contract/list.ts'
import { taskKindLabels, taskSourceLabels, taskStateLabels } from '#contract/operations/taskWords.ts'
import { unitPartLabels } from '#contract/production/units.ts'
import { commandKindLabels, commandStateLabels } from './commands.ts'
import { lifeCauseLabels, lifeKindLabels, unitEventLabels, vehicleEventLabels } from './life.ts'
import { alarmKindLabels, vehicleStateLabels } from './vehicles.ts'

/** Labels of codes that are told apart by the kind of entry before them. */
const of = (kind: string, labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(labels).map(([code, label]) => [`${kind}:${code}`, label]))

/** The columns of a vehicle's life: its codes are written `kind:code`. */
export const lifeFileFields: Readonly<Record<string, Field>> = {
  at: { title: '时间', as: 'instant' },
  kind: { title: '类别', labels: lifeKindLabels },
  what: {
    title: '事项',
    labels: {
      ...of('event', vehicleEventLabels),
      ...of('command', commandKindLabels),
      // The same word is a command.
      ...of('alarm', { ...alarmKindLabels, power_cut: '断电告警' }),
      ...of('task', taskKindLabels),
      ...of('unit', unitEventLabels),
    },
  },
  part: { title: '部件', labels: unitPartLabels },
  before: { title: '变更前', labels: of('event', vehicleStateLabels) },
  after: {
    title: '变更后',
    labels: {
      ...of('event', vehicleStateLabels),
      ...of('command', commandStateLabels),
      ...of('task', taskStateLabels),
    },
  },
  source: { title: '来源', labels: { ...of('event', lifeCauseLabels), ...of('task', taskSourceLabels) } },
  endedAt: { title: '结束时间', as: 'instant' },
  distanceM: { title: '里程', as: 'metres' },
  person: '人员',
  note: '备注',
}
