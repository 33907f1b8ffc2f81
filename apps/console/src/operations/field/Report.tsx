import { useState, type ReactNode } from 'react'
import { taskEndpoints, type Task } from '@saddle/contract/operations/tasks.ts'
import { taskOutcomeLabels, taskOutcomes, type TaskOutcome } from '@saddle/contract/operations/taskWords.ts'
import { t } from '#kit/i18n/index.ts'
import { PhotoPicker } from '#kit/photos/PhotoPicker.tsx'
import type { PickedPhoto } from '#kit/photos/shrink.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useOnline } from './useField.ts'

/** What somebody met instead of the vehicle. */
export interface Met {
  readonly outcome: TaskOutcome
  readonly photos: readonly string[]
  readonly note: string
  readonly operatorId?: number
}

interface Props {
  readonly task: Task
  readonly onReport: (met: Met) => Promise<void>
}

const photosMax = 3
const noteMax = 200

/** The task cannot be done here and now: why, with photos, and who goes on with it. */
export function Report({ task, onReport }: Props): ReactNode {
  const [outcome, setOutcome] = useState<TaskOutcome | null>(null)
  const [photos, setPhotos] = useState<readonly PickedPhoto[]>([])
  const [note, setNote] = useState('')
  const [operatorId, setOperatorId] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const send = async (outcome: TaskOutcome) => {
    setBusy(true)
    await onReport({
      outcome,
      photos: photos.map(({ base64 }) => base64),
      note: note.trim(),
      ...(operatorId !== null && { operatorId }),
    })
    setBusy(false)
  }
  return (
    <div className="field-report">
      <h3>{t('无法完成？')}</h3>
      <fieldset className="field-commands" aria-label={t('现场反馈')}>
        {taskOutcomes.map((one) => (
          <Button
            key={one}
            aria-pressed={outcome === one}
            onClick={() => setOutcome((chosen) => (chosen === one ? null : one))}
          >
            {t(taskOutcomeLabels[one])}
          </Button>
        ))}
      </fieldset>
      {outcome !== null && (
        <>
          <PhotoPicker value={photos} onChange={setPhotos} max={photosMax} label={t('现场照片')} />
          <label className="field-note">
            {t('说明（选填）')}
            <textarea value={note} maxLength={noteMax} onChange={(event) => setNote(event.target.value)} />
          </label>
          <Colleague task={task} outcome={outcome} value={operatorId} onChange={setOperatorId} />
          <Button look="primary" wide busy={busy} onClick={() => void send(outcome)}>
            {t('报告“{{outcome}}”', { outcome: t(taskOutcomeLabels[outcome]) })}
          </Button>
        </>
      )}
    </div>
  )
}

interface ColleagueProps {
  readonly task: Task
  readonly outcome: TaskOutcome
  readonly value: number | null
  readonly onChange: (operatorId: number | null) => void
}

/** Who goes on with it. Without a network nobody can be named. */
function Colleague({ task, outcome, value, onChange }: ColleagueProps) {
  const isOnline = useOnline()
  const { data } = useEndpoint(
    taskEndpoints.taskWorkers,
    { areaIds: [task.areaId] },
    { enabled: isOnline, quiet: true },
  )
  const others = data?.data.list.filter(({ operatorId }) => operatorId !== task.assigneeId) ?? []
  return (
    <label className="field-choice">
      {t('接下来')}
      <select
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
      >
        <option value="">
          {outcome === 'needs_help' ? t('任务留在我手上，通知调度人员') : t('任务退回，通知调度人员')}
        </option>
        {others.map(({ operatorId, name, unfinished }) => (
          <option key={operatorId} value={operatorId}>
            {t('转交给 {{name}}（手上 {{count}} 个任务）', { name, count: unfinished })}
          </option>
        ))}
      </select>
    </label>
  )
}
