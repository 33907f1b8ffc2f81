import Dropdown from 'antd/es/dropdown'
import type { ReactNode } from 'react'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { t } from '#kit/i18n/index.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import './more-menu.css'

export interface MoreAction {
  readonly key: string
  readonly label: string
  readonly run: () => void
  /** The required permission code, as `Permit` takes it; without it the entry is hidden. */
  readonly permission?: string
  /** Why the entry is disabled, shown below its label; null: it is enabled. */
  readonly refusal?: string | null
  readonly isDanger?: boolean
}

/** Further actions of a row: one button with one menu. Renders nothing when there are no actions. */
export function MoreMenu({ label, actions }: { label: string; actions: readonly MoreAction[] }): ReactNode {
  const { held } = usePermissions()
  const offered = actions.filter(({ permission }) => permission === undefined || holdsPermission(held, permission))
  if (offered.length === 0) return null
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      menu={{
        items: offered.map(({ key, label, refusal = null, isDanger = false }) => ({
          key,
          danger: isDanger,
          disabled: refusal !== null,
          label: (
            <span className="more-item">
              {label}
              {refusal !== null && <small>{refusal}</small>}
            </span>
          ),
        })),
        onClick: ({ key, domEvent }) => {
          domEvent.stopPropagation()
          offered.find((action) => action.key === key)?.run()
        },
      }}
    >
      <button
        type="button"
        className="more-button"
        aria-label={t('{{label}}：更多操作', { label })}
        onClick={(event) => event.stopPropagation()}
      >
        ⋯
      </button>
    </Dropdown>
  )
}
