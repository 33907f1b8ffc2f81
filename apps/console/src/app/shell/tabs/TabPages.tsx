import { Activity, useEffect, useLayoutEffect, type ReactElement, type ReactNode, type RefObject } from 'react'
import { Route, Routes, UNSAFE_RouteContext as RouteContext } from 'react-router'
import { menuRow } from '@saddle/contract/menu.ts'
import { tabKey, type Tab } from './rules.ts'

interface TabPagesProps {
  readonly list: readonly Tab[]
  readonly active: string
  /** The scrolling element, shared by all tabs; each tab's scroll position is stored here. */
  readonly scroller: RefObject<HTMLElement | null>
  readonly renderPage: (path: string) => ReactNode
}

/** How far each opened page was scrolled, in px. */
const offsets = new Map<string, number>()

/**
 * One page per tab. A hidden page that may be kept alive keeps its state, its filters and its scroll position, and sees
 * the address of its own tab; its effects are paused. Any other page ends when its tab is left.
 */
export function TabPages({ list, active, scroller, renderPage }: TabPagesProps): ReactElement {
  useEffect(() => {
    const element = scroller.current
    const onScroll = (): void => void offsets.set(active, element?.scrollTop ?? 0)
    element?.addEventListener('scroll', onScroll, { passive: true })
    return () => element?.removeEventListener('scroll', onScroll)
  }, [active, scroller])
  useEffect(() => {
    const open = new Set(list.map(tabKey))
    for (const key of offsets.keys()) if (!open.has(key)) offsets.delete(key)
  }, [list])
  return (
    <>
      {list
        .filter((tab) => tabKey(tab) === active || menuRow(tab.path)?.keepAlive === true)
        .map((tab) => (
          <Activity key={tabKey(tab)} mode={tabKey(tab) === active ? 'visible' : 'hidden'}>
            <TabPage tab={tab} scroller={scroller} renderPage={renderPage} />
          </Activity>
        ))}
    </>
  )
}

/** A tab's page belongs to its own address, not to the route that the frame stands under. */
const atTheRoot = { outlet: null, matches: [], isDataRoute: false }

function TabPage(props: Pick<TabPagesProps, 'scroller' | 'renderPage'> & { readonly tab: Tab }): ReactElement {
  const { tab, scroller, renderPage } = props
  const key = tabKey(tab)
  useLayoutEffect(() => {
    restoreOffset(scroller.current, key)
  }, [key, scroller])
  return (
    <div className="shell-page" data-path={tab.path}>
      <RouteContext value={atTheRoot}>
        <Routes location={{ pathname: tab.path, search: tab.search }}>
          <Route path="*" element={renderPage(tab.path)} />
        </Routes>
      </RouteContext>
    </div>
  )
}

function restoreOffset(element: HTMLElement | null, key: string): void {
  if (element !== null) element.scrollTop = offsets.get(key) ?? 0
}
