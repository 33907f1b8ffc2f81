import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { taskEndpoints, taskShownPhotosMax, type Task, type TaskStepEntry } from '@saddle/contract/operations/tasks.ts'
import {
  taskCheckLabels,
  taskKindLabels,
  taskOutcomeLabels,
  taskReviewLabels,
  taskSourceLabels,
  taskStateLabels,
  taskStepLabels,
} from '@saddle/contract/operations/taskWords.ts'
import { PlaceWords } from '#geography/public.ts'
import { useAction } from '#kit/action/useAction.ts'
import { call } from '#kit/api/client.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { causeText, stateTones } from '../parts/words.ts'
import { DirectBar, Workers } from './DirectBar.tsx'
import { Due } from './Due.tsx'
import { isOver, staleTasks } from './list.ts'
import { placeOf } from './taskLayers.ts'

const TaskPlaceMap = lazy(() => loadChunk(() => import('./TaskPlaceMap.tsx')))

interface Props {
  readonly id: number
  readonly onDecided: () => void
}

/** One task: what it is about, what was brought back, and every step that was taken. */
export function TaskPanel({ id, onDecided }: Props): ReactNode {
  const { data, error, refetch } = useEndpoint(taskEndpoints.taskDetail, { id })
  const detail = data?.data
  if (detail === undefined) {
    return (
      <DetailPanel label={t('任务详情')} title={t('任务')}>
        {error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </DetailPanel>
    )
  }
  const { task } = detail
  const photoCount = task.photoIds.length + detail.steps.reduce((sum, step) => sum + step.photoIds.length, 0)
  const shownPhotos = Math.min(photoCount, taskShownPhotosMax)
  // After a review on to the next one; what is handed out or called off stays in sight.
  const after = () => task.review === 'waiting' && onDecided()
  return (
    <DetailPanel
      label={t('任务详情')}
      title={
        <span className="work-title">
          {t(taskKindLabels[task.kind])} {task.number}{' '}
          <Mark tone={stateTones[task.state]}>{t(taskStateLabels[task.state])}</Mark>
        </span>
      }
      {...((!isOver(task) || task.review === 'waiting') && { foot: <DirectBar tasks={[task]} onDone={after} /> })}
    >
      {detail.isMine && task.doneAt === null && <Transfer task={task} />}
      <TaskFacts task={task} />
      {!isOver(task) && placeOf(task) !== null && (
        <div className="task-place">
          <Suspense fallback={null}>
            <TaskPlaceMap task={task} />
          </Suspense>
        </div>
      )}
      {shownPhotos > 0 && (
        <PhotoStrip
          of={['task', id]}
          count={shownPhotos}
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
    </DetailPanel>
  )
}

/** The assignee hands it over to somebody else who may work there. */
function Transfer({ task }: { readonly task: Task }) {
  const [operatorId, setOperatorId] = useState<number | null>(null)
  const { send, isBusy } = useAction(taskEndpoints.transferTask, {
    stale: staleTasks,
    done: ({ data }) => t('已转交给 {{name}}', { name: data.personName ?? '' }),
    onDone: () => setOperatorId(null),
  })
  return (
    <div className="work-bar">
      <Workers areaIds={[task.areaId]} value={operatorId} onChange={setOperatorId} label={t('转交给')} />
      <Button
        busy={isBusy}
        disabled={operatorId === null}
        onClick={() => operatorId !== null && send({ id: task.id, operatorId })}
      >
        {t('转交这个任务')}
      </Button>
    </div>
  )
}

function TaskFacts({ task }: { readonly task: Task }) {
  const at = placeOf(task)
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      t('车辆'),
      <Link key="vehicle" to={`/vehicle-info?vehicle=${task.number}`}>
        {task.number}
      </Link>,
    ],
    [t('服务区'), task.areaName],
    [t('位置'), at === null ? '' : <PlaceWords key="place" place={at} />],
    [t('来源'), t(taskSourceLabels[task.source])],
    [t('原因'), causeText(task)],
    [t('时限'), <Due key="due" task={task} />],
    [t('目的地'), task.to?.name ?? ''],
    [t('说明'), task.note],
    [t('人员'), task.personName ?? ''],
    [t('电量'), batteryText(task)],
    [t('扫码'), task.scannedNumber ?? ''],
    [
      t('现场反馈'),
      task.outcome === null || task.outcomeAt === null
        ? ''
        : `${t(taskOutcomeLabels[task.outcome])} · ${dateTime(task.outcomeAt)}`,
    ],
    [t('检查正常'), task.checksFine.map((check) => t(taskCheckLabels[check])).join(t('、'))],
    [t('检查不正常'), task.checksFailed.map((check) => t(taskCheckLabels[check])).join(t('、'))],
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
  return <Facts facts={facts.filter(([, value]) => value !== '')} />
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
