import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { taskKindLabels, taskOutcomeLabels } from '@saddle/contract/operations/taskWords.ts'
import type { Task } from '@saddle/contract/operations/tasks.ts'
import { type LatLng } from '@saddle/geo/earth.ts'
import { dateTime, distanceText, money } from '#kit/format.ts'
import { PlaceWords } from '#geography/public.ts'
import { t } from '#kit/i18n/index.ts'
import { navigationLinks } from '#kit/map/navigation.ts'
import { notify } from '#kit/notify.ts'
import { Button, OutLink } from '#kit/plain/Button.tsx'
import { Finish } from './Finish.tsx'
import { Report, type Met } from './Report.tsx'
import type { ShownTask } from './shownTask.ts'
import { discardTask, doStep, retryStep, useSteps, type Doing } from './outbox.ts'
import { placeOf } from './rules.ts'
import { causeOf, dueWords, percentOf } from './TaskCard.tsx'
import { useOnline } from './useField.ts'
import { VehicleCommands } from './VehicleCommands.tsx'

interface Props {
  readonly shown: ShownTask
  readonly here: LatLng | null
  readonly now: number
  readonly onClose: () => void
}

/** One task from claim to proof. */
export function TaskPanel({ shown, here, now, onClose }: Props): ReactNode {
  const { task, state, metres } = shown
  const place = here === null ? {} : { place: here }
  const isOnline = useOnline()
  /** Nothing is said to be done that only lies on this phone. */
  const tell = (text: string) => notify.success({ text: isOnline ? text : t('已保存在这台设备上，联网后发送') })
  const keep = async (doing: Omit<Doing, 'task'>): Promise<boolean> => {
    try {
      await doStep({ ...doing, task })
      return true
    } catch {
      notify.error({ text: t('这台设备暂时无法保存，请检查存储空间') })
      return false
    }
  }
  const claim = { kind: 'claim', input: { id: task.id, ...place } } as const
  const release = async (): Promise<void> => {
    if (!(await keep({ kind: 'release', input: { id: task.id } }))) return
    onClose()
    notify.success({
      text: isOnline ? t('已退回 {{number}} 的任务', { number: task.number }) : t('已保存在这台设备上，联网后发送'),
      action: { label: t('撤销'), run: () => void keep(claim) },
    })
  }
  const report = async (met: Met): Promise<void> => {
    const input = { id: task.id, ...place, ...met, seenAt: Date.now() }
    if (!(await keep({ kind: 'report', input }))) return
    tell(t('已报告 {{number}}：{{outcome}}', { number: task.number, outcome: t(taskOutcomeLabels[met.outcome]) }))
    onClose()
  }
  const at = placeOf(task)
  return (
    <section className="field-panel" aria-label={t('任务 {{number}}', { number: task.number })}>
      <header>
        <button type="button" className="field-back" aria-label={t('返回')} onClick={onClose}>
          ‹
        </button>
        <h2>
          {t(taskKindLabels[task.kind])} · {task.number}
        </h2>
        <span className="field-far">{metres === null ? '' : distanceText(metres)}</span>
      </header>
      <Refusals taskId={task.id} />
      {at !== null && (
        <p className="field-where">
          <PlaceWords place={at} />
        </p>
      )}
      <Facts task={task} now={now} />
      <Ways shown={shown} />
      <VehicleCommands number={task.number} vehicleId={task.vehicleId} />
      {state === 'open' && (
        <div className="field-do">
          <Button look="primary" wide onClick={() => void keep(claim)}>
            {t('领取任务')}
          </Button>
        </div>
      )}
      {state === 'claimed' && (
        <div className="field-do">
          <Button look="primary" wide onClick={() => void keep({ kind: 'start', input: { id: task.id, ...place } })}>
            {t('到达现场，开始处理')}
          </Button>
        </div>
      )}
      {state === 'on_site' && (
        <Finish
          task={task}
          onDone={async (brought) => {
            const input = { id: task.id, ...place, ...brought, doneAt: Date.now() }
            if (await keep({ kind: 'complete', input })) {
              tell(t('{{number}} 已完成', { number: task.number }))
              onClose()
            }
          }}
        />
      )}
      {(state === 'claimed' || state === 'on_site') && <Report task={task} onReport={report} />}
      {(state === 'claimed' || state === 'on_site') && (
        <Button wide onClick={() => void release()}>
          {t('退回任务')}
        </Button>
      )}
      <Link to={`/vehicle-info?vehicle=${task.number}`} className="field-link">
        {t('车辆详情')}
      </Link>
    </section>
  )
}

function Facts({ task, now }: { readonly task: Task; readonly now: number }) {
  return (
    <dl className="field-facts">
      <Fact name={t('期限')} value={task.dueAt === null ? '--' : dueWords(task.dueAt, now)} />
      <Fact name={t('电量')} value={percentOf(task.vehicle.batteryPercent)} />
      <Fact name={t('服务区')} value={task.areaName} />
      <Fact name={t('原因')} value={causeOf(task) === '' ? '--' : causeOf(task)} />
      {task.payCents > 0 && <Fact name={t('报酬')} value={t('{{yuan}} 元', { yuan: money(task.payCents) })} />}
      {task.to !== null && <Fact name={t('送到')} value={task.to.name === '' ? '--' : task.to.name} />}
      {task.causeGoneAt !== null && <Fact name={t('提示')} value={t('原因已消失，到达后请先确认')} />}
      {task.outcome !== null && task.outcomeAt !== null && (
        <Fact name={t('现场反馈')} value={`${t(taskOutcomeLabels[task.outcome])} · ${dateTime(task.outcomeAt)}`} />
      )}
    </dl>
  )
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

/** What the server said about something that was done here: shown until the person has decided. */
function Refusals({ taskId }: { readonly taskId: number }) {
  const refused = useSteps().filter((step) => step.taskId === taskId && step.state === 'refused')
  const [busy, setBusy] = useState(false)
  const act = (work: Promise<void>) => {
    setBusy(true)
    void work.catch(() => null).finally(() => setBusy(false))
  }
  return refused.map((step) => (
    <div key={step.id} className="field-refusal" role="alert">
      <p>{t('未被接受：{{reason}}', { reason: step.refusal ?? '' })}</p>
      <div className="field-acts">
        <Button busy={busy} onClick={() => act(retryStep(step))}>
          {t('再次发送')}
        </Button>
        <Button busy={busy} onClick={() => act(discardTask(taskId))}>
          {t('放弃这些操作')}
        </Button>
      </div>
    </div>
  ))
}

/** How to get there, in the map that the phone has. */
function Ways({ shown: { task, state } }: { readonly shown: ShownTask }) {
  const [at, to] = [placeOf(task), task.to]
  if (at === null) return <p className="field-hint">{t('车辆没有上报过位置')}</p>
  const links = navigationLinks(at, task.number)
  const goal = to === null || state !== 'on_site' ? null : navigationLinks(to, to.name)
  return (
    <div className="field-acts">
      <OutLink href={links.amap} className="plain-button">
        {t('高德导航')}
      </OutLink>
      <a href={links.device} className="plain-button">
        {t('用手机地图打开')}
      </a>
      {goal !== null && (
        <OutLink href={goal.amap} className="plain-button">
          {t('导航到目的地')}
        </OutLink>
      )}
    </div>
  )
}
