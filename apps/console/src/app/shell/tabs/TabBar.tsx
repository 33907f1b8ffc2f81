import { useRef, useState, type MouseEvent, type ReactElement } from 'react'
import { createPortal } from 'react-dom'
import { Link, useNavigate } from 'react-router'
import { menuRow } from '@saddle/contract/menu.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { useStore } from '#kit/store.ts'
import { Icon } from '../Icon.tsx'
import { EntryList, useClickBeside, type MenuEntry } from '../parts/MenuButton.tsx'
import {
  closeAll,
  closeLeft,
  closeRight,
  closeTab,
  tabKey,
  thingOf,
  type Tab,
  type Tabs,
  type TabsAfter,
} from './rules.ts'
import { openTabs } from './store.ts'

const homePath = '/log'

interface At {
  readonly key: string
  readonly x: number
  readonly y: number
}

/** The opened pages as a row of tabs; the right-click menu closes several at once. */
export function TabBar(): ReactElement {
  const tabs = useStore(openTabs)
  const navigate = useNavigate()
  const [menu, setMenu] = useState<At | null>(null)
  const become = (next: Tabs): void => {
    openTabs.set(next)
    const active = next.list.find((tab) => tabKey(tab) === next.active)
    if (active !== undefined && next.active !== tabs.active) void navigate(active.path + active.search)
  }
  const settle = (after: TabsAfter): void => {
    if ('warning' in after) notify.warning({ text: t(after.warning) })
    else become(after.tabs)
  }
  const entries = (key: string): readonly MenuEntry[] => [
    { key: 'current', label: t('关闭当前'), onSelect: () => become(closeTab(tabs, key)) },
    { key: 'right', label: t('关闭右侧'), onSelect: () => settle(closeRight(tabs, key)) },
    { key: 'left', label: t('关闭左侧'), onSelect: () => settle(closeLeft(tabs, key)) },
    { key: 'all', label: t('全部关闭'), apart: true, onSelect: () => become(closeAll(homePath)) },
  ]
  const openMenu = (event: MouseEvent, key: string): void => {
    event.preventDefault()
    setMenu({ key, x: event.clientX, y: event.clientY })
  }
  return (
    <nav className="shell-tabs" aria-label={t('已打开的页面')}>
      <ul>
        {tabs.list.map((tab) => (
          <li key={tabKey(tab)} className="shell-tab" data-active={tabKey(tab) === tabs.active}>
            <TabFace
              tab={tab}
              active={tabKey(tab) === tabs.active}
              onMenu={(event) => openMenu(event, tabKey(tab))}
              onClose={tabs.list.length > 1 ? () => become(closeTab(tabs, tabKey(tab))) : null}
            />
          </li>
        ))}
      </ul>
      {menu !== null && <TabMenu at={menu} entries={entries(menu.key)} onClose={() => setMenu(null)} />}
    </nav>
  )
}

function TabFace(props: {
  readonly tab: Tab
  readonly active: boolean
  readonly onMenu: (event: MouseEvent) => void
  readonly onClose: (() => void) | null
}): ReactElement {
  const { tab, active, onMenu, onClose } = props
  const thing = thingOf(tab)
  const page = t(menuRow(tab.path)?.title ?? tab.path)
  const title = thing === null ? page : `${page} ${thing}`
  return (
    <>
      <Link
        to={tab.path + tab.search}
        aria-current={active ? 'page' : undefined}
        onContextMenu={onMenu}
        onAuxClick={(event) => {
          if (event.button === 1) onClose?.()
        }}
      >
        {title}
      </Link>
      {onClose !== null && (
        <button type="button" aria-label={t('关闭 {{title}}', { title })} onClick={onClose}>
          <Icon name="close" size={12} />
        </button>
      )}
    </>
  )
}

function TabMenu(props: {
  readonly at: At
  readonly entries: readonly MenuEntry[]
  readonly onClose: () => void
}): ReactElement {
  const { at, entries, onClose } = props
  const root = useRef<HTMLDivElement>(null)
  useClickBeside(root, true, onClose)
  return createPortal(
    <div
      ref={(element) => {
        root.current = element
        element?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
      }}
      className="shell shell-pop shell-pop-free"
      style={{ left: `min(${at.x}px, calc(100vw - 180px))`, top: at.y }}
    >
      <EntryList label={t('标签操作')} entries={entries} onClose={onClose} />
    </div>,
    document.body,
  )
}
