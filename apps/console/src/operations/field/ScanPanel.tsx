import { useState, type ReactNode } from 'react'
import type { Task } from '@saddle/contract/operations/tasks.ts'
import { taskKindLabels } from '@saddle/contract/operations/taskWords.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import type { ShownTask } from './shownTask.ts'
import { Scanner } from '#kit/scan/Scanner.tsx'
import { ScannedVehicle } from './VehicleCommands.tsx'

interface Props {
  readonly shown: readonly ShownTask[]
  readonly onChoose: (task: Task) => void
}

/** Which tasks the vehicle before me has. */
export function ScanPanel({ shown, onChoose }: Props): ReactNode {
  const [number, setNumber] = useState<string | null>(null)
  const found = shown.filter(({ task }) => task.number === number)
  return (
    <section className="field-panel" aria-label={t('扫码')}>
      <Scanner onNumber={setNumber} isOpen />
      {number !== null && found.length === 0 && (
        <p role="alert">{t('车辆 {{number}} 没有您可以处理的任务', { number })}</p>
      )}
      {number !== null && <ScannedVehicle key={number} number={number} />}
      <div className="field-acts">
        {found.map(({ task }) => (
          <Button key={task.id} look="primary" onClick={() => onChoose(task)}>
            {t('{{number}} 的{{kind}}任务', { number: task.number, kind: t(taskKindLabels[task.kind]) })}
          </Button>
        ))}
      </div>
    </section>
  )
}
