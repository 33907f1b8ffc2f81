import type { ReactElement } from 'react'
import { t } from '#kit/i18n/index.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { ChatButton } from '#support/ChatButton.tsx'
import { Icon } from '../Icon.tsx'
import type { Device } from '../layout/device.ts'
import { ScopeSelectors } from '../scope/ScopeSelectors.tsx'
import { Crumbs } from './Crumbs.tsx'
import { ExportWatch } from './ExportWatch.tsx'
import { SettingsMenu } from './SettingsMenu.tsx'

// Loaded behind the page: nobody waits for it.
const Bell = onDemand(
  () => import('#notices/bell/Bell.tsx'),
  () => {},
)

interface HeaderProps {
  readonly path: string
  readonly device: Device
  readonly onMenu: (() => void) | null
  readonly onFind: () => void
  readonly onKeys: () => void
}

/** Header: breadcrumbs, scope selectors and user menu. */
export function Header({ path, device, onMenu, onFind, onKeys }: HeaderProps): ReactElement {
  const narrow = device === 'mobile'
  return (
    <div className="shell-header">
      {onMenu !== null && (
        <button type="button" className="shell-button" aria-label={t('打开菜单')} onClick={onMenu}>
          <Icon name="menu" />
        </button>
      )}
      <Crumbs path={path} />
      <button
        type="button"
        className="shell-button shell-find"
        aria-label={`${t('查找页面、车辆、订单…')} Ctrl K`}
        onClick={onFind}
      >
        <Icon name="search" size={16} />
        <span>{t('查找页面、车辆、订单…')}</span>
        <kbd>Ctrl K</kbd>
      </button>
      {!narrow && <ScopeSelectors />}
      <ExportWatch />
      <Bell />
      <ChatButton place="header" />
      <SettingsMenu onKeys={onKeys} />
    </div>
  )
}
