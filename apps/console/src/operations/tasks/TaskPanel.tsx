import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { taskEndpoints, type Task, type TaskStepEntry } from '@saddle/contract/operations/tasks.ts'
import {
  taskKindLabels,
  taskReviewLabels,
  taskSourceLabels,
  taskStateLabels,
  taskStepLabels,
} from '@saddle/contract/operations/taskWords.ts'
import { call } from '#kit/api/client.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { causeText, stateTones } from '../parts/words.ts'
import { useSend } from '../parts/useSend.ts'
import { BulkBar, Workers } from './BulkBar.tsx'
import { Due } from './TaskTable.tsx'

/** One task: what it is about, what was brought back, and every step that was taken. */
export function TaskPanel({ id, onClose }: { readonly id: number; readonly onClose: () => void }): ReactNode {
  const { data, error, refetch } = useEndpoint(taskEndpoints.taskDetail, { id })
  const detail = data?.data
  return (
    <aside className="page-card work-panel" aria-label={t('任务详情')}>
      <header>
        <strong>
          {detail === undefined ? t('任务') : `${t(taskKindLabels[detail.task.kind])} ${detail.task.number}`}
        </strong>
        <Button look="quiet" onClick={onClose}>
          {t('收起')}
        </Button>
      </header>
      {detail === undefined && error === null && <Loading />}
      {detail === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {detail !== undefined && (
        <>
          <BulkBar tasks={[detail.task]} onDone={() => {}} />
          {detail.isMine && detail.task.doneAt === null && <Transfer task={detail.task} />}
          <Facts task={detail.task} />
          {detail.task.photoIds.length > 0 && (
            <PhotoStrip
              of={['task', id]}
              count={detail.task.photoIds.length}
              load={async (signal) => (await call(taskEndpoints.taskPhotos, { id }, { signal })).data.photos}
            />
          )}
          {detail.parts.length > 0 && (
            <ul className="work-people">
              {detail.parts.map((part) => (
                <li key={part.name} className="work-chip">
                  {part.name} {part.pieces} {part.unit} · {t('{{yuan}} 元', { yuan: money(part.cents) })}
                </li>
              ))}
            </ul>
          )}
          <h3>{t('经过')}</h3>
          <Steps list={detail.steps} />
        </>
      )}
    </aside>
  )
}

/** Whoever has it gives it to somebody else who may work there. */
function Transfer({ task }: { readonly task: Task }) {
  const [operatorId, setOperatorId] = useState<number | null>(null)
  const { send, isPending } = useSend(taskEndpoints.transferTask, {
    invalidates: [taskEndpoints.listTasks, taskEndpoints.taskDetail],
    onSuccess: ({ data }) => {
      setOperatorId(null)
      notify.success({ text: t('已转交给 {{name}}', { name: data.personName ?? '' }) })
    },
  })
  return (
    <div className="work-bar">
      <Workers areaIds={[task.areaId]} value={operatorId} onChange={setOperatorId} label={t('转交给')} />
      <Button
        busy={isPending}
        disabled={operatorId === null}
        onClick={() => operatorId !== null && send({ id: task.id, operatorId })}
      >
        {t('转交这个任务')}
      </Button>
    </div>
  )
}

function Facts({ task }: { readonly task: Task }) {
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      t('状态'),
      <span key="state" className="work-chip" data-tone={stateTones[task.state]}>
        {t(taskStateLabels[task.state])}
      </span>,
    ],
    [
      t('车辆'),
      <Link key="vehicle" to={`/vehicle-info?vehicle=${task.number}`}>
        {task.number}
      </Link>,
    ],
    [t('服务区'), task.areaName],
    [t('来源'), t(taskSourceLabels[task.source])],
    [t('原因'), causeText(task)],
    [t('时限'), <Due key="due" task={task} />],
    [t('目的地'), task.to?.name ?? ''],
    [t('说明'), task.note],
    [t('人员'), task.personName ?? ''],
    [t('电量'), batteryText(task)],
    [t('扫码'), task.scannedNumber ?? ''],
    [t('故障原因'), task.reason ?? ''],
    [t('完成说明'), task.doneNote],
    [t('报酬'), task.state === 'done' ? t('{{yuan}} 元', { yuan: money(task.payCents) }) : ''],
    [t('配件费'), task.partsCents > 0 ? t('{{yuan}} 元', { yuan: money(task.partsCents) }) : ''],
    [
      t('审核'),
      task.review === 'none'
        ? ''
        : [t(taskReviewLabels[task.review]), task.reviewerName ?? '', task.reviewNote].filter(Boolean).join(' · '),
    ],
  ]
  return (
    <dl className="work-facts">
      {facts
        .filter(([, value]) => value !== '')
        .map(([title, value]) => [<dt key={`${title} t`}>{title}</dt>, <dd key={title}>{value}</dd>])}
    </dl>
  )
}

function batteryText({ batteryBefore, batteryAfter, vehicle }: Task): string {
  const percent = (value: number | null) => (value === null ? '--' : `${Math.round(value)}%`)
  if (batteryBefore === null && batteryAfter === null) return percent(vehicle.batteryPercent)
  return `${percent(batteryBefore)} → ${percent(batteryAfter)}`
}

function Steps({ list }: { readonly list: readonly TaskStepEntry[] }) {
  if (list.length === 0) return <p className="work-note">{t('这个任务来自以前的记录，没有逐步的经过。')}</p>
  return (
    <ol className="work-steps">
      {list.map((step) => (
        <li key={step.id}>
          {t(taskStepLabels[step.step], { context: 'step' })} · {step.personName ?? t('系统')}
          <small>
            <time>{dateTime(step.at)}</time>
            {step.note === '' ? '' : ` · ${step.note}`}
          </small>
        </li>
      ))}
    </ol>
  )
}
