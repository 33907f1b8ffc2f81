import Select from 'antd/es/select'
import { useState, type ReactNode } from 'react'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { taskEndpoints, taskNoteMax, type Task } from '@saddle/contract/operations/tasks.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import type { ActionOptions } from '#kit/action/action.ts'
import { tellRefused } from '#kit/action/refused.ts'
import { useAction } from '#kit/action/useAction.ts'
import { DecisionBar, ReasonInput, useReason } from '#kit/form/ReasonInput.tsx'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { isOver, staleTasks } from './list.ts'

interface Props {
  readonly tasks: readonly Task[]
  readonly onDone: () => void
}

interface Many {
  readonly data: { readonly done: readonly number[]; readonly refused: readonly { readonly promot: string }[] }
}

/** Actions on many tasks: reports their number, and the reason for each failure. */
function useMany<E extends typeof taskEndpoints.assignTasks | Endpoint>(
  endpoint: E,
  {
    words,
    onDone,
    ...more
  }: Pick<ActionOptions<E>, 'undo' | 'undone'> & {
    readonly words: (count: number) => string
    readonly onDone: (input: object) => void
  },
) {
  return useAction(endpoint, {
    ...more,
    stale: staleTasks,
    done: (answer) => {
      const { done } = (answer as unknown as Many).data
      return done.length === 0 ? null : words(done.length)
    },
    onDone: (answer, input) => {
      tellRefused((answer as unknown as Many).data.refused)
      onDone(input as object)
    },
  })
}

/** What can be done with the chosen tasks; each button says to how many. */
export function DirectBar({ tasks, onDone }: Props): ReactNode {
  const { held } = usePermissions()
  const note = useReason()
  const follow = (input: object) => {
    // Text typed during the call belongs to the next one.
    const sent = 'note' in input ? input.note : ''
    note.setTyped((typed) => (typed.trim() === sent ? '' : typed))
    onDone()
  }
  const open = tasks.filter((task) => !isOver(task))
  const waiting = tasks.filter(({ review }) => review === 'waiting').map(({ id }) => id)
  const mayDirect = holdsPermission(held, '090901') && open.length > 0
  const mayReview = holdsPermission(held, '090902') && waiting.length > 0
  if (!mayDirect && !mayReview) return null
  return (
    <DecisionBar>
      {mayDirect && <Assign tasks={open} note={note.text} onDone={follow} />}
      <ReasonInput reason={note} label={t('说明（取消与不通过时必填）')} maxLength={taskNoteMax} />
      {mayDirect && <Cancel ids={open.map(({ id }) => id)} note={note.text} onDone={follow} />}
      {mayReview && <Review ids={waiting} note={note.text} onDone={follow} />}
    </DecisionBar>
  )
}

interface ActProps {
  readonly note: string
  readonly onDone: (input: object) => void
}

function Assign({ tasks, note, onDone }: ActProps & { readonly tasks: readonly Task[] }) {
  const [operatorId, setOperatorId] = useState<number | null>(null)
  const ids = tasks.map(({ id }) => id)
  const words = (count: number) => t('已派发 {{count}} 个任务', { count })
  const assign = useMany(taskEndpoints.assignTasks, { words, onDone })
  const urge = useMany(taskEndpoints.prioritiseTasks, {
    words: (count) => t('已将 {{count}} 个任务设为紧急', { count }),
    onDone,
  })
  return (
    <>
      <Workers areaIds={[...new Set(tasks.map(({ areaId }) => areaId))]} value={operatorId} onChange={setOperatorId} />
      <Button
        look="primary"
        busy={assign.isBusy}
        disabled={operatorId === null}
        onClick={() => operatorId !== null && assign.send({ ids, operatorId, note })}
      >
        {t('派发 {{count}} 个任务', { count: ids.length })}
      </Button>
      <Button busy={urge.isBusy} onClick={() => urge.send({ ids, priority: 1 })}>
        {t('设为紧急')}
      </Button>
    </>
  )
}

function Cancel({ ids, note, onDone }: ActProps & { readonly ids: number[] }) {
  const cancel = useMany(taskEndpoints.cancelTasks, {
    words: (count) => t('已取消 {{count}} 个任务', { count }),
    undo: ({ data: { done } }) => ({ ids: done }),
    undone: ({ data: { done } }) => t('已恢复 {{count}} 个任务', { count: done.length }),
    onDone,
  })
  return (
    <Button busy={cancel.isBusy} disabled={note === ''} onClick={() => cancel.send({ ids, note })}>
      {t('取消 {{count}} 个任务', { count: ids.length })}
    </Button>
  )
}

function Review({ ids, note, onDone }: ActProps & { readonly ids: number[] }) {
  const review = useMany(taskEndpoints.reviewTasks, {
    words: (count) => t('已审核 {{count}} 个任务', { count }),
    onDone,
  })
  return (
    <>
      <Button look="primary" busy={review.isBusy} onClick={() => review.send({ ids, decision: 'approved', note })}>
        {t('通过 {{count}} 个任务', { count: ids.length })}
      </Button>
      <Button
        busy={review.isBusy}
        disabled={note === ''}
        onClick={() => review.send({ ids, decision: 'rejected', note })}
      >
        {t('不通过，不计报酬')}
      </Button>
    </>
  )
}

interface WorkersProps {
  /** Only people who may work in every one of them are offered. */
  readonly areaIds: readonly number[]
  readonly value: number | null
  readonly onChange: (operatorId: number | null) => void
  readonly label?: string
}

/** People who may be given the work, those with the fewest open tasks first. */
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
