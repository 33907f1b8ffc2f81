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
  /** The code that it needs, as `Permit` takes it; who does not hold it does not see it. */
  readonly permission?: string
  /** Why it cannot be done now, said below its label; null: it can. */
  readonly refusal?: string | null
  readonly isDanger?: boolean
}

/** What else can be done with a row: one button, one menu. Nothing is shown where nothing can be done. */
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
