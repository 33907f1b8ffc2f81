import Modal from 'antd/es/modal'
import Select from 'antd/es/select'
import { useState, type ReactNode } from 'react'
import { taskBatchMax, taskEndpoints, taskNoteMax } from '@saddle/contract/operations/tasks.ts'
import {
  taskKindLabels,
  taskKinds,
  taskPriorities,
  taskPriorityLabels,
  type TaskKind,
  type TaskPriority,
} from '@saddle/contract/operations/taskWords.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useSend } from '../parts/useSend.ts'
import { Workers } from './BulkBar.tsx'

/** Tasks for vehicles by their numbers, as they are pasted or typed. */
export default function NewTasks({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [text, setText] = useState('')
  const [kind, setKind] = useState<TaskKind>('inspect')
  const [priority, setPriority] = useState<TaskPriority>(2)
  const [note, setNote] = useState('')
  const [assigneeId, setAssigneeId] = useState<number | null>(null)
  const numbers = [...new Set(text.split(/[\s,，;；]+/).filter((one) => one !== ''))]
  const { send, isPending } = useSend(taskEndpoints.createTasks, {
    invalidates: [taskEndpoints.listTasks],
    onSuccess: ({ data }) => {
      if (data.created.length > 0)
        notify.success({ text: t('已创建 {{count}} 个任务', { count: data.created.length }) })
      const [first] = data.refused
      if (first !== undefined) {
        const title = t('{{count}} 辆车没有创建', { count: data.refused.length })
        notify.error({ title, text: `${first.vehicle}：${first.promot}` })
      }
      onClose()
    },
  })
  const isTooMany = numbers.length > taskBatchMax
  return (
    <Modal open title={t('新建任务')} width={520} footer={null} onCancel={onClose}>
      <form
        className="work-form"
        onSubmit={(event) => {
          event.preventDefault()
          const own = assigneeId === null ? {} : { assigneeId }
          if (numbers.length > 0 && !isTooMany) send({ numbers, kind, priority, note: note.trim(), ...own })
        }}
      >
        <label>
          {t('车辆编号，每行一个')}
          <textarea value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        {isTooMany && <p role="alert">{t('一次最多 {{count}} 辆', { count: taskBatchMax })}</p>}
        <div className="work-pair">
          <label>
            {t('类型')}
            <Select<TaskKind>
              className="filter-select"
              value={kind}
              options={taskKinds.map((value) => ({ value, label: t(taskKindLabels[value]) }))}
              onChange={setKind}
            />
          </label>
          <label>
            {t('优先级')}
            <Select<TaskPriority>
              className="filter-select"
              value={priority}
              options={taskPriorities.map((value) => ({ value, label: t(taskPriorityLabels[value]) }))}
              onChange={setPriority}
            />
          </label>
        </div>
        <label>
          {t('派给（选填）')}
          <Workers areaIds={[]} value={assigneeId} onChange={setAssigneeId} />
        </label>
        <label>
          {t('说明（选填）')}
          <input
            className="filter-keyword"
            value={note}
            maxLength={taskNoteMax}
            onChange={(event) => setNote(event.target.value)}
          />
        </label>
        <div className="work-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={isPending} disabled={numbers.length === 0 || isTooMany}>
            {t('为 {{count}} 辆车创建任务', { count: numbers.length })}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
