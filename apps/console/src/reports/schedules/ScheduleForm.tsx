import type { ReactNode } from 'react'
import { exportFormatLabels, exportFormats } from '@saddle/contract/exported.ts'
import { dimensionLabels, type Dimension } from '@saddle/contract/reports/metrics.ts'
import {
  reportScheduleEndpoints,
  scheduledReport,
  scheduleFrequencies,
  scheduleFrequencyLabels,
  scheduleSpanLabels,
  scheduleSpans,
  weekdayLabels,
  type Schedule,
  type ScheduledReport,
  type ScheduleFrequency,
  type ScheduleSpan,
} from '@saddle/contract/reports/schedules.ts'
import { useAreaNames } from '#kit/areaNames.ts'
import { FormDrawer } from '#kit/form/FormDialog.tsx'
import { choice, many, select } from '#kit/form/choiceFields.tsx'
import { text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { hourText } from '../calendar/words.ts'
import { staleSchedules } from './stale.ts'

interface Props {
  readonly report: ScheduledReport
  /** Null: a new one. */
  readonly schedule: Schedule | null
  readonly onClose: () => void
}

const usualHour = 8
const monthDays = 28
const dayHours = 24

/** When a report is made, of what, and for whom. */
export function ScheduleForm({ report: shown, schedule, onClose }: Props): ReactNode {
  const report = schedule?.report ?? shown
  const { data, isPending } = useEndpoint(reportScheduleEndpoints.listReportReceivers, {})
  const areaNames = useAreaNames()
  const { hasAreas, title: name } = scheduledReport(report)
  const title = t(name)
  const own = {
    title: schedule === null ? t('新建定时发送') : t('修改定时发送'),
    fields: fieldsOf({
      report,
      schedule,
      title,
      people: data?.data.list ?? [],
      isLoading: isPending,
      areas: hasAreas ? [...areaNames].map(([value, label]) => ({ value, label })) : null,
    }),
    submit: t('保存定时发送'),
    stale: staleSchedules,
    done: () => t('已保存定时发送'),
    onClose,
  }
  const about = <p>{t('报表：{{title}}', { title })}</p>
  return schedule === null ? (
    <FormDrawer
      {...own}
      call={reportScheduleEndpoints.createReportSchedule}
      about={report}
      input={(inputs) => ({ report, ...inputOf(inputs) })}
    >
      {about}
    </FormDrawer>
  ) : (
    <FormDrawer
      {...own}
      call={reportScheduleEndpoints.changeReportSchedule}
      about={schedule.id}
      input={(inputs) => ({
        id: schedule.id,
        report,
        ...inputOf(inputs),
        ...(schedule.channels !== null && { channels: schedule.channels }),
      })}
    >
      {about}
    </FormDrawer>
  )
}

interface Inputs {
  readonly name: string
  readonly by: Dimension
  readonly span: ScheduleSpan
  readonly frequency: ScheduleFrequency
  readonly weekday: number
  readonly monthDay: number
  readonly hour: number
  readonly format: (typeof exportFormats)[number]
  readonly areaIds: number[]
  readonly receiverIds: number[]
}

const inputOf = ({ frequency, weekday, monthDay, areaIds, ...inputs }: Inputs) => ({
  ...inputs,
  frequency,
  weekday: frequency === 'weekly' ? weekday : null,
  monthDay: frequency === 'monthly' ? monthDay : null,
  ...(areaIds.length > 0 && { areaIds }),
})

interface Of {
  readonly report: ScheduledReport
  readonly schedule: Schedule | null
  readonly title: string
  readonly people: readonly { readonly id: number; readonly name: string }[]
  readonly isLoading: boolean
  /** Null: the report has none. */
  readonly areas: readonly { readonly value: number; readonly label: string }[] | null
}

function fieldsOf({ report, schedule, title, people, isLoading, areas }: Of) {
  return {
    name: text({ label: t('名称'), initial: schedule?.name ?? title }),
    frequency: choice<ScheduleFrequency>({
      label: t('频率'),
      initial: schedule?.frequency ?? 'daily',
      options: scheduleFrequencies.map((value) => ({ value, label: t(scheduleFrequencyLabels[value]) })),
    }),
    weekday: select<number>({
      label: t('每周的哪一天'),
      hint: t('频率为每周时有效'),
      initial: schedule?.weekday ?? 1,
      options: weekdayLabels.map((label, index) => ({ value: index + 1, label: t(label) })),
    }),
    monthDay: select<number>({
      label: t('每月的哪一天'),
      hint: t('频率为每月时有效'),
      initial: schedule?.monthDay ?? 1,
      options: Array.from({ length: monthDays }, (_, index) => ({ value: index + 1, label: String(index + 1) })),
    }),
    hour: select<number>({
      label: t('发送时间'),
      hint: t('按本公司报表的时区'),
      initial: schedule?.hour ?? usualHour,
      options: Array.from({ length: dayHours }, (_, value) => ({ value, label: hourText(value) })),
    }),
    span: select<ScheduleSpan>({
      label: t('时间范围'),
      initial: schedule?.span ?? 'yesterday',
      options: scheduleSpans.map((value) => ({ value, label: t(scheduleSpanLabels[value]) })),
    }),
    by: select<Dimension>({
      label: t('分组'),
      initial: schedule?.by ?? 'day',
      options: scheduledReport(report).groups.map((value) => ({ value, label: t(dimensionLabels[value]) })),
    }),
    areaIds: many<number>({
      label: t('服务区'),
      hint: areas === null ? t('财务对账按加盟商，不分服务区') : t('不选：接收人能看到的全部服务区'),
      initial: schedule?.areaIds ?? [],
      options: areas ?? [],
    }),
    format: choice<(typeof exportFormats)[number]>({
      label: t('格式'),
      initial: schedule?.format ?? 'xlsx',
      options: exportFormats.map((value) => ({ value, label: exportFormatLabels[value] })),
    }),
    receiverIds: many<number>({
      label: t('接收人'),
      hint: t('没有此报表权限的人不会收到文件'),
      initial: schedule?.receiverIds ?? [],
      isLoading,
      options: people.map(({ id, name }) => ({ value: id, label: name })),
    }),
  }
}
