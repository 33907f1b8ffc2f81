import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { dimensionLabels } from '@saddle/contract/reports/metrics.ts'
import {
  deliveryFields,
  deliveryList,
  deliveryStateLabels,
  reportScheduleEndpoints,
  scheduledReport,
  scheduleFields,
  scheduleList,
  scheduleSpanLabels,
  scheduleStateLabels,
  weekdayLabels,
  type Delivery,
  type DeliveryState,
  type Schedule,
  type ScheduledReport,
} from '@saddle/contract/reports/schedules.ts'
import { useAction } from '#kit/action/useAction.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Segments } from '#kit/plain/Segments.tsx'
import { exportCentrePath } from '#kit/list/useExport.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'
import { Sheet } from '#kit/ui/Sheet.tsx'
import { hourText } from '../calendar/words.ts'
import { ScheduleForm } from './ScheduleForm.tsx'
import { staleSchedules } from './stale.ts'

const schedules = listOf({
  list: scheduleList,
  call: reportScheduleEndpoints.listReportSchedules,
  file: reportScheduleEndpoints.exportReportSchedules,
  fields: scheduleFields,
})
const deliveries = listOf({
  list: deliveryList,
  call: reportScheduleEndpoints.listReportDeliveries,
  file: reportScheduleEndpoints.exportReportDeliveries,
  fields: deliveryFields,
})

type View = 'schedules' | 'deliveries'

/** Reports that are sent regularly, and what was sent. */
export function SchedulesSheet({
  report,
  onClose,
}: {
  readonly report: ScheduledReport
  readonly onClose: () => void
}) {
  const [view, setView] = useState<View>('schedules')
  const [edited, edit] = useState<Schedule | 'new' | null>(null)
  return (
    <Sheet label={t('定时发送')} onClose={onClose} isWide>
      <div className="report-source">
        <p>
          {t('到点后按每位接收人自己的权限与范围生成文件，存入其')}
          <Link to={exportCentrePath}>{t('导出中心')}</Link>
          {t('，并以站内通知和邮件告知。')}
        </p>
        <div className="report-source-tools">
          <Segments
            label={t('内容')}
            options={[
              { value: 'schedules', label: t('定时报表') },
              { value: 'deliveries', label: t('发送记录') },
            ]}
            value={view}
            onChange={setView}
          />
          {view === 'schedules' && <Button onClick={() => edit('new')}>{t('新建定时发送')}</Button>}
        </div>
        {view === 'schedules' ? <Schedules onEdit={edit} /> : <Deliveries />}
      </div>
      {edited !== null && (
        <ScheduleForm report={report} schedule={edited === 'new' ? null : edited} onClose={() => edit(null)} />
      )}
    </Sheet>
  )
}

function Schedules({ onEdit }: { readonly onEdit: (schedule: Schedule) => void }): ReactNode {
  const list = useList(schedules, { isInside: true })
  return (
    <ListCard
      list={list}
      label={t('定时报表')}
      columns={columnsOf(onEdit)}
      rowName={({ name }) => name}
      empty={t('还没有定时发送的报表')}
    />
  )
}

/** `每周一 08:00` */
function whenText({ frequency, weekday, monthDay, hour }: Schedule): string {
  const time = hourText(hour)
  if (frequency === 'weekly') return `${t('每周')} ${t(weekdayLabels[(weekday ?? 1) - 1] ?? '')} ${time}`
  return frequency === 'monthly' ? t('每月 {{day}} 日 {{time}}', { day: monthDay ?? 1, time }) : `${t('每天')} ${time}`
}

const columnsOf = (onEdit: (schedule: Schedule) => void) => (): readonly ColumnSpec<Schedule>[] => [
  { key: 'name', card: 'head' },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={state === 'active' ? 'good' : 'off'}>{t(scheduleStateLabels[state])}</Mark>,
  },
  {
    key: 'report',
    render: ({ report, by }) => `${t(scheduledReport(report).title)} · ${t(dimensionLabels[by])}`,
  },
  { key: 'span', render: ({ span }) => t(scheduleSpanLabels[span]) },
  { key: 'frequency', render: whenText },
  { key: 'receivers', render: ({ receivers }) => receivers.join('、') },
  'nextAt',
  { key: 'lastAt', isOptional: true },
  { key: 'createdBy', isOptional: true },
  { key: 'createdAt', isOptional: true },
  { key: 'acts', title: t('操作'), render: (row) => <Acts schedule={row} onEdit={onEdit} /> },
]

function Acts({ schedule, onEdit }: { readonly schedule: Schedule; readonly onEdit: (one: Schedule) => void }) {
  const [isAsking, ask] = useState(false)
  const stale = staleSchedules
  const { id, state } = schedule
  const toggled = useAction(reportScheduleEndpoints.switchReportSchedule, {
    stale,
    done: ({ data }) => (data.state === 'active' ? t('已启用') : t('已暂停')),
    undo: (_, { id: own }) => ({ id: own, state }),
  })
  const removed = useAction(reportScheduleEndpoints.removeReportSchedule, { stale, done: () => t('已删除') })
  if (isAsking) {
    return (
      <span className="report-source-tools">
        {t('发送记录一并删除，不可恢复。')}
        <Button look="quiet" disabled={removed.isBusy} onClick={() => removed.send({ id })}>
          {t('确认删除')}
        </Button>
        <Button look="quiet" onClick={() => ask(false)}>
          {t('取消')}
        </Button>
      </span>
    )
  }
  return (
    <span className="report-source-tools">
      <Button look="quiet" onClick={() => onEdit(schedule)}>
        {t('修改')}
      </Button>
      <Button
        look="quiet"
        disabled={toggled.isBusy}
        onClick={() => toggled.send({ id, state: state === 'active' ? 'paused' : 'active' })}
      >
        {state === 'active' ? t('暂停') : t('启用')}
      </Button>
      <Button look="quiet" onClick={() => ask(true)}>
        {t('删除')}
      </Button>
    </span>
  )
}

const tones: Readonly<Record<DeliveryState, Tone>> = { making: 'info', ready: 'good', forbidden: 'warn', failed: 'bad' }

function Deliveries(): ReactNode {
  const list = useList(deliveries, { isInside: true })
  return <ListCard list={list} label={t('发送记录')} columns={deliveryColumns} empty={t('还没有发送过')} />
}

const deliveryColumns = (): readonly ColumnSpec<Delivery>[] => [
  { key: 'dueAt', card: 'head', sort: 'due' },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={tones[state]}>{t(deliveryStateLabels[state])}</Mark>,
  },
  'name',
  'operatorName',
  'firstDay',
  'lastDay',
  { key: 'endedAt', isOptional: true },
]
