import { useState, type ReactNode } from 'react'
import { roleLimits, type GrantRow } from '@saddle/contract/organisation/roles.ts'
import { LeaveGuard } from '#kit/form/LeaveGuard.tsx'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { PermissionTree } from './PermissionTree.tsx'
import type { RoleContent } from './roles.ts'
import '../parts/parts.css'

interface Props {
  readonly initial: RoleContent
  readonly rows: readonly GrantRow[]
  readonly note?: ReactNode
  /** Nothing can be changed. */
  readonly isFixed?: boolean
  readonly action: string
  readonly busy: boolean
  readonly isSaved: boolean
  readonly onSave: (content: RoleContent) => void
}

/** Name, description and permissions of a role. Leaving with unsaved changes asks for confirmation. */
export function RoleEditor({ initial, rows, note, isFixed = false, action, busy, isSaved, onSave }: Props): ReactNode {
  const [name, setName] = useState(initial.name)
  const [description, setDescription] = useState(initial.description)
  const [held, setHeld] = useState<ReadonlySet<string>>(() => new Set(initial.codes))
  const [isTried, setTried] = useState(false)
  const isChanged =
    name !== initial.name || description !== initial.description || !isSame(held, new Set(initial.codes))
  const fault = name.trim() === '' ? t('请填写角色名称') : null
  return (
    <form
      className="role-editor"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (fault === null && !busy && !isFixed) {
          onSave({ name: name.trim(), description: description.trim(), codes: [...held] })
        }
      }}
    >
      {note}
      <div className="role-words">
        <label>
          {t('角色名称')}
          <input
            className="text-input org-search"
            value={name}
            maxLength={roleLimits.name}
            readOnly={isFixed}
            aria-invalid={isTried && fault !== null}
            onChange={(event) => setName(event.target.value)}
          />
          {isTried && fault !== null && <small role="alert">{fault}</small>}
        </label>
        <label>
          {t('说明（选填）')}
          <input
            className="text-input org-search"
            value={description}
            maxLength={roleLimits.description}
            readOnly={isFixed}
            onChange={(event) => setDescription(event.target.value)}
          />
        </label>
      </div>
      <PermissionTree rows={rows} held={held} {...(!isFixed && { onChange: setHeld })} />
      {!isFixed && (
        <div className="role-save">
          <span className="org-soft">{isChanged ? t('有未保存的修改') : ''}</span>
          <Button type="submit" look="primary" busy={busy} disabled={!isChanged}>
            {action}
          </Button>
        </div>
      )}
      <LeaveGuard isDirty={isChanged && !isSaved} isKept={false} />
    </form>
  )
}

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((code) => other.has(code))
