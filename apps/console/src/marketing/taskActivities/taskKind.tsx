import type { ReactNode } from 'react'
import {
  taskActivityEndpoints as calls,
  taskMeasureLabels,
  taskMeasures,
  taskPreviewSchema,
  type TaskMeasure,
  type TaskTerms,
  type taskTermsSchema,
} from '@saddle/contract/marketing/taskActivities.ts'
import { checks, choice, flag } from '#kit/form/choiceFields.tsx'
import type { Inputs } from '#kit/form/field.ts'
import { number as count } from '#kit/form/textFields.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { PhoneCard } from '#kit/ui/PhoneFrame.tsx'
import { optionalCount, optionalYuan } from '../activities/commonFields.ts'
import type { ActivityKindUi } from '../activities/kind.ts'
import { timeText } from '../activities/words.ts'
import { RewardNames, rewardsText } from '../rewards/rewardFields.tsx'
import { clockText, hourField, metresText, weekdaysText, weekdayTitles } from '../benefits/benefitFields.ts'
import { levelsField } from './levelsField.tsx'

const zeroless = (value: number | undefined): number | undefined => (value === 0 ? undefined : value)

function taskFields(of: TaskTerms | null) {
  const rides = of?.rides
  return {
    measure: choice<TaskMeasure>({
      label: t('统计方式'),
      at: 'terms.measure',
      initial: of?.measure ?? 'rides',
      options: taskMeasures.map((value) => ({ value, label: t(taskMeasureLabels[value]) })),
    }),
    days: count({
      label: t('周期'),
      at: 'terms.days',
      unit: t('天'),
      initial: of?.days ?? 7,
      hint: t('从活动开始当天起，每这么多天为一期，所有用户相同'),
    }),
    repeats: flag({
      label: t('重复'),
      at: 'terms.repeats',
      initial: of?.repeats ?? true,
      says: t('每期重新计算，可再次获得奖励'),
    }),
    levels: levelsField({ label: t('等级'), at: 'terms.levels', initial: of?.levels ?? [] }),
    weekdays: checks<number>({
      label: t('星期'),
      note: t('不选则不限'),
      at: 'terms.rides.weekdays',
      initial: rides?.weekdays ?? [],
      options: weekdayTitles().map((label, index) => ({ value: index + 1, label })),
    }),
    hoursFrom: hourField(t('时段开始'), 'terms.rides.hours.from', rides?.hours?.from),
    hoursTo: hourField(t('时段结束'), 'terms.rides.hours.to', rides?.hours?.to),
    minMinutes: optionalCount(t('最短骑行'), {
      at: 'terms.rides.minMinutes',
      unit: t('分钟'),
      initial: zeroless(rides?.minMinutes),
    }),
    minMetres: optionalCount(t('最短里程'), {
      at: 'terms.rides.minMetres',
      unit: t('米'),
      initial: zeroless(rides?.minMetres),
    }),
    minCents: optionalYuan({
      label: t('最低实付'),
      at: 'terms.rides.minCents',
      initialCents: zeroless(rides?.minCents) ?? null,
    }),
    delayHours: count({
      label: t('发放延迟'),
      at: 'terms.delayHours',
      unit: t('小时'),
      initial: of?.delayHours ?? 0,
      hint: t('在此期间订单全额退款，奖励不再发放'),
    }),
  }
}
type TaskFields = ReturnType<typeof taskFields>

function taskTermsOf(values: Inputs<TaskFields>) {
  const { measure, days, levels, repeats, delayHours, weekdays, hoursFrom: from, hoursTo: to } = values
  return {
    measure,
    days,
    levels,
    repeats,
    delayHours,
    rides: {
      weekdays,
      hours: from === undefined && to === undefined ? null : { from: from ?? 0, to: to ?? 1_440 },
      minMinutes: values.minMinutes ?? 0,
      minMetres: values.minMetres ?? 0,
      minCents: values.minCents ?? 0,
    },
  }
}

/** A target in words: `3 次`. */
function targetText(measure: TaskMeasure, target: number): string {
  switch (measure) {
    case 'rides':
      return t('{{count}} 次', { count: target })
    case 'minutes':
      return t('{{count}} 分钟', { count: target })
    case 'metres':
      return metresText(target)
    case 'days':
      return t('{{count}} 天', { count: target })
  }
}

/** What must be ridden, in one line. */
const aimText = ({ measure, days, levels }: TaskTerms): string =>
  t('{{count}} 天内骑行 {{targets}}', {
    count: days,
    targets: levels.map(({ target }) => targetText(measure, target)).join(' / '),
  })

/** Which rides count, one line each. */
function rideLines({ rides }: TaskTerms): string[] {
  const { weekdays, hours, minMinutes, minMetres, minCents } = rides
  return [
    ...(weekdays.length === 0 ? [] : [weekdaysText(weekdays)]),
    ...(hours === null ? [] : [`${clockText(hours.from)}–${clockText(hours.to)}`]),
    ...(minMinutes === 0 ? [] : [t('至少骑行 {{count}} 分钟', { count: minMinutes })]),
    ...(minMetres === 0 ? [] : [t('至少骑行 {{distance}}', { distance: metresText(minMetres) })]),
    ...(minCents === 0 ? [] : [t('实付满 {{yuan}} 元', { yuan: money(minCents) })]),
  ]
}

const delayText = (hours: number): string => (hours === 0 ? t('立即发放') : t('{{count}} 小时后发放', { count: hours }))

/** Custom activities, on the pages that all kinds share. */
export const taskKind: ActivityKindUi<typeof taskTermsSchema, TaskFields> = {
  title: () => t('自定义活动'),
  calls: {
    list: calls.listTaskActivities,
    sums: calls.sumTaskActivities,
    file: calls.exportTaskActivities,
    create: calls.createTaskActivity,
    change: calls.changeTaskActivity,
    switchState: calls.switchTaskActivity,
    versions: calls.taskActivityVersions,
    preview: calls.previewTaskActivity,
  },
  givesRewards: true,
  listPath: '/marketing/custom-activity-task',
  formPath: '/marketing/custom-activity-task-edit',
  fields: taskFields,
  termsOf: taskTermsOf,
  words: (terms) => [aimText(terms), ...rideLines(terms)].join(' · '),
  facts: (terms, names) => [
    [t('目标'), aimText(terms)],
    ...terms.levels.map(
      ({ target, rewards }, index) =>
        [
          t('第 {{n}} 级', { n: index + 1 }),
          `${targetText(terms.measure, target)} · ${rewardsText(rewards, names)}`,
        ] as const,
    ),
    [t('计入的骑行'), rideLines(terms).join(t('；')) || t('不限')],
    [t('重复'), terms.repeats ? t('每期重复') : t('只计一期')],
    [t('发放时间'), delayText(terms.delayHours)],
  ],
  renderPhone: ({ common, terms }) => (
    <>
      <PhoneCard
        title={common.name || t('自定义活动')}
        lines={[aimText(terms), ...rideLines(terms), timeText(common)]}
      />
      <Progress terms={terms} />
    </>
  ),
  renderPreview: (preview, { measure }) => {
    const { data } = taskPreviewSchema.safeParse(preview)
    return (
      data !== undefined && (
        <Facts
          facts={data.levels.map(({ target, reached, costCents }, index) => [
            `${t('第 {{n}} 级', { n: index + 1 })} · ${targetText(measure, target)}`,
            t('{{count}} 次，{{yuan}} 元', { count: reached, yuan: money(costCents) }),
          ])}
        />
      )
    )
  },
  previewTitles: () => [t('期间骑行'), t('达成等级次数')],
}

/** The progress of a rider between the first and the second level. */
function Progress({ terms: { measure, levels } }: { readonly terms: TaskTerms }): ReactNode {
  const most = levels.at(-1)?.target ?? 1
  const first = levels[0]?.target ?? 1
  const shown = Math.min(most, first + (levels.length > 1 ? Math.max(0, Math.floor(first / 3)) : 0))
  const done = levels.length > 1 ? shown : Math.max(0, first - 1)
  return (
    <section className="phone-card">
      <div className="task-progress" aria-label={t('进度')}>
        <strong>
          {t('已完成 {{done}} / {{most}}', { done: targetText(measure, done), most: targetText(measure, most) })}
        </strong>
        <div className="task-bar">
          <i style={{ width: `${Math.round((done / most) * 100)}%` }} />
        </div>
        <ol>
          {levels.map(({ target, rewards }) => (
            <li key={target}>
              <span>
                {target <= done ? '✓ ' : ''}
                {targetText(measure, target)}
              </span>
              <b>
                <RewardNames rewards={rewards} />
              </b>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
