import type { ReactNode } from 'react'
import { taskCheckLabels, taskChecks, type TaskCheck, type TaskKind } from '@saddle/contract/operations/taskWords.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'

/** What was looked at so far: in order or not. */
export type Checked = Readonly<Partial<Record<TaskCheck, boolean>>>

export const isWholeChecked = (kind: TaskKind, value: Checked): boolean =>
  taskChecks[kind].every((check) => value[check] !== undefined)

export const listOfChecked = (value: Checked) =>
  Object.entries(value).map(([check, isFine]) => ({ check: check as TaskCheck, isFine }))

interface Props {
  readonly kind: TaskKind
  readonly value: Checked
  readonly onChange: (value: Checked) => void
}

/** What has to be looked at before a task of this kind is finished. */
export function Checks({ kind, value, onChange }: Props): ReactNode {
  const checks: readonly TaskCheck[] = taskChecks[kind]
  const set = (check: TaskCheck, isFine: boolean) => onChange({ ...value, [check]: isFine })
  return (
    <>
      <h3>{t('检查')}</h3>
      <ul className="field-checks">
        {checks.map((check) => (
          <li key={check}>
            <fieldset aria-label={t(taskCheckLabels[check])}>
              <span>{t(taskCheckLabels[check])}</span>
              <button type="button" aria-pressed={value[check] === true} onClick={() => set(check, true)}>
                {t('是')}
              </button>
              <button
                type="button"
                data-answer="no"
                aria-pressed={value[check] === false}
                onClick={() => set(check, false)}
              >
                {t('否')}
              </button>
            </fieldset>
          </li>
        ))}
      </ul>
      {!isWholeChecked(kind, value) && (
        <Button wide onClick={() => onChange(Object.fromEntries(checks.map((check) => [check, value[check] ?? true])))}>
          {t('其余都正常')}
        </Button>
      )}
    </>
  )
}
