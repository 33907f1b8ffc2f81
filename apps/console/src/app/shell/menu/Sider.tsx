import { useEffect, type ReactElement } from 'react'
import { menuRow } from '@saddle/contract/menu.ts'
import { t } from '#kit/i18n/index.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { useStore } from '#kit/store.ts'
import { Brand } from '../header/Brand.tsx'
import { Icon } from '../Icon.tsx'
import { menuNodes, revealRoot, rootOf, setCollapsed, toggleRoot } from './model.ts'
import { SideMenu, TopMenu } from './SideMenu.tsx'
import { unfolded } from './store.ts'

interface SiderProps {
  readonly path: string
  readonly drawer?: boolean
  readonly onGo?: () => void
}

/** The page of the menu that is marked: a hidden page marks the one that it belongs to. */
const entryOf = (path: string): string => menuRow(path)?.entry ?? path

/** The sidebar: brand, menu and the button that folds it; in a drawer it is always unfolded. */
export function Sider({ path, drawer, onGo }: SiderProps): ReactElement {
  const { held } = usePermissions()
  const state = useStore(unfolded)
  const collapsed = state.collapsed && drawer !== true
  const entry = entryOf(path)
  const root = rootOf(entry)
  useEffect(() => {
    if (root !== null) unfolded.set(revealRoot(unfolded.get(), root))
  }, [root])
  const label = collapsed ? t('展开菜单') : t('收起菜单')
  return (
    <aside className="shell-sider" data-collapsed={collapsed}>
      <Brand />
      <SideMenu
        nodes={menuNodes(held)}
        current={entry}
        currentRoot={root}
        collapsed={collapsed}
        open={state.open}
        onToggle={(each) => unfolded.set(toggleRoot(unfolded.get(), each))}
        onGo={onGo ?? (() => undefined)}
      />
      {drawer !== true && (
        <div className="shell-foot">
          <button
            type="button"
            className="shell-button"
            aria-label={label}
            title={label}
            onClick={() => unfolded.set(setCollapsed(state, !state.collapsed))}
          >
            <Icon name="fold" />
            <span>{label}</span>
          </button>
        </div>
      )}
    </aside>
  )
}

/** Brand and menu along the top. */
export function TopBar({ path }: { readonly path: string }): ReactElement {
  const { held } = usePermissions()
  return (
    <div className="shell-topbar">
      <Brand />
      <TopMenu
        nodes={menuNodes(held)}
        current={entryOf(path)}
        currentRoot={rootOf(entryOf(path))}
        onGo={() => undefined}
      />
    </div>
  )
}
