import Select from 'antd/es/select'
import { useState, type ReactNode } from 'react'
import { taskEndpoints, taskNoteMax, type Task } from '@saddle/contract/operations/tasks.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { useSend } from '../parts/useSend.ts'

interface Props {
  readonly tasks: readonly Task[]
  readonly onDone: () => void
}

type Many = { data: { done: readonly number[]; refused: readonly { id: number; promot: string }[] } }

const stale = [taskEndpoints.listTasks, taskEndpoints.taskDetail, taskEndpoints.taskWorkers]
const isOver = ({ state }: Task): boolean => state === 'done' || state === 'cancelled'

/** What can be done with the chosen tasks; each button says to how many. */
export function BulkBar({ tasks, onDone }: Props): ReactNode {
  const { held } = usePermissions()
  const [note, setNote] = useState('')
  const [operatorId, setOperatorId] = useState<number | null>(null)
  const follow =
    (words: (count: number) => string, undo?: (ids: readonly number[]) => void) =>
    ({ data: { done, refused } }: Many, { input }: { readonly input: object }) => {
      if (done.length > 0) {
        const action = undo === undefined ? {} : { action: { label: t('撤销'), run: () => undo(done) } }
        notify.success({ text: words(done.length), ...action })
      }
      const [first] = refused
      if (first !== undefined)
        notify.error({ title: t('{{count}} 个任务未处理', { count: refused.length }), text: first.promot })
      // What was typed while the call was under way belongs to the next one.
      const sent = 'note' in input ? input.note : ''
      setNote((typed) => (typed.trim() === sent ? '' : typed))
      onDone()
    }
  const reopen = useSend(taskEndpoints.reopenTasks, {
    invalidates: stale,
    onSuccess: follow((count) => t('已恢复 {{count}} 个任务', { count })),
  })
  const assign = useSend(taskEndpoints.assignTasks, {
    invalidates: stale,
    onSuccess: follow((count) => t('已派发 {{count}} 个任务', { count })),
  })
  const cancel = useSend(taskEndpoints.cancelTasks, {
    invalidates: stale,
    onSuccess: follow(
      (count) => t('已取消 {{count}} 个任务', { count }),
      (ids) => reopen.send({ ids: [...ids] }),
    ),
  })
  const urge = useSend(taskEndpoints.prioritiseTasks, {
    invalidates: stale,
    onSuccess: follow((count) => t('已将 {{count}} 个任务设为紧急', { count })),
  })
  const review = useSend(taskEndpoints.reviewTasks, {
    invalidates: stale,
    onSuccess: follow((count) => t('已审核 {{count}} 个任务', { count })),
  })
  const open = tasks.filter((task) => !isOver(task)).map(({ id }) => id)
  const waiting = tasks.filter((task) => task.review === 'waiting').map(({ id }) => id)
  const mayDirect = holdsPermission(held, '090901') && open.length > 0
  const mayReview = holdsPermission(held, '090902') && waiting.length > 0
  if (tasks.length === 0 || (!mayDirect && !mayReview)) return null
  const said = note.trim()
  return (
    <div className="work-bar">
      <strong>{t('已选 {{count}} 个任务', { count: tasks.length })}</strong>
      {mayDirect && (
        <>
          <Workers
            areaIds={[...new Set(tasks.map(({ areaId }) => areaId))]}
            value={operatorId}
            onChange={setOperatorId}
          />
          <Button
            look="primary"
            busy={assign.isPending}
            disabled={operatorId === null}
            onClick={() => operatorId !== null && assign.send({ ids: open, operatorId, note: said })}
          >
            {t('派发 {{count}} 个任务', { count: open.length })}
          </Button>
          <Button busy={urge.isPending} onClick={() => urge.send({ ids: open, priority: 1 })}>
            {t('设为紧急')}
          </Button>
        </>
      )}
      <input
        className="filter-keyword"
        value={note}
        maxLength={taskNoteMax}
        aria-label={t('说明（取消与不通过时必填）')}
        placeholder={t('说明（取消与不通过时必填）')}
        onChange={(event) => setNote(event.target.value)}
      />
      {mayDirect && (
        <Button busy={cancel.isPending} disabled={said === ''} onClick={() => cancel.send({ ids: open, note: said })}>
          {t('取消 {{count}} 个任务', { count: open.length })}
        </Button>
      )}
      {mayReview && (
        <>
          <Button
            look="primary"
            busy={review.isPending}
            onClick={() => review.send({ ids: waiting, decision: 'approved', note: said })}
          >
            {t('通过 {{count}} 个任务', { count: waiting.length })}
          </Button>
          <Button
            busy={review.isPending}
            disabled={said === ''}
            onClick={() => review.send({ ids: waiting, decision: 'rejected', note: said })}
          >
            {t('不通过，不计报酬')}
          </Button>
        </>
      )}
    </div>
  )
}

interface WorkersProps {
  /** Whoever is offered may work in each of them. */
  readonly areaIds: readonly number[]
  readonly value: number | null
  readonly onChange: (operatorId: number | null) => void
  readonly label?: string
}

/** Whoever may be given the work, the ones with the least in hand first. */
export function Workers({ areaIds, value, onChange, label = t('派给') }: WorkersProps): ReactNode {
  const { data } = useEndpoint(taskEndpoints.taskWorkers, { areaIds: [...areaIds] }, { quiet: true })
  return (
    <Select<number>
      className="filter-select"
      aria-label={label}
      placeholder={label}
      showSearch={{ optionFilterProp: 'label' }}
      allowClear
      {...(value !== null && { value })}
      options={(data?.data.list ?? []).map((one) => ({
        value: one.operatorId,
        label: t('{{name}}（手上 {{count}} 个）', { name: one.name, count: one.unfinished }),
      }))}
      onChange={(next: number | undefined) => onChange(next ?? null)}
    />
  )
}
