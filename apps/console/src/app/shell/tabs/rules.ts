import { maxOpenTabs } from '@saddle/contract/constants.ts'
import { menuRow } from '@saddle/contract/menu.ts'

/** An opened page. A new query in the same page stays in its tab; a page about one thing has a tab for each thing. */
export interface Tab {
  readonly path: string
  readonly search: string
}

export interface Tabs {
  readonly list: readonly Tab[]
  /** Key of the tab that is shown. */
  readonly active: string
}

/** Pages about one thing, by the parameter that names it. */
const things: Readonly<Record<string, string>> = {
  '/vehicle-info': 'vehicle',
  '/user-order-detail': 'order',
  '/user-info-detail': 'rider',
  '/user-worksheet-detail': 'ticket',
}

/** The thing that a tab is about, as its address names it; null: it is a page. */
export function thingOf({ path, search }: Tab): string | null {
  const name = things[path]
  const named = name === undefined ? null : new URLSearchParams(search).get(name)
  return named === null || named === '' ? null : named
}

/** Two addresses with the same key share a tab. */
export function tabKey(tab: Tab): string {
  const thing = thingOf(tab)
  return thing === null ? tab.path : `${tab.path}?${thing}`
}

/** The result of a tab action, or the warning why it is not possible. */
export type TabsAfter = { readonly tabs: Tabs } | { readonly warning: '左侧没有标签' | '右侧没有标签' }

/** Activates the tab of the route; at the limit the oldest tab is closed. */
export function openTab(tabs: Tabs, tab: Tab): Tabs {
  const key = tabKey(tab)
  const known = tabs.list.findIndex((each) => tabKey(each) === key)
  if (known !== -1) {
    if (tabs.active === key && tabs.list[known]?.search === tab.search) return tabs
    return { list: tabs.list.with(known, tab), active: key }
  }
  const kept = tabs.list.length >= maxOpenTabs ? tabs.list.slice(tabs.list.length - maxOpenTabs + 1) : tabs.list
  return { list: [...kept, tab], active: key }
}

/** Only one of several can be closed; closing the active one leads to its right neighbour, else to its left one. */
export function closeTab(tabs: Tabs, key: string): Tabs {
  const at = tabs.list.findIndex((tab) => tabKey(tab) === key)
  if (at === -1 || tabs.list.length < 2) return tabs
  const list = tabs.list.toSpliced(at, 1)
  if (tabs.active !== key) return { list, active: tabs.active }
  const next = list[at] ?? list[at - 1]
  return { list, active: next === undefined ? tabs.active : tabKey(next) }
}

export function closeLeft(tabs: Tabs, key: string): TabsAfter {
  const at = tabs.list.findIndex((tab) => tabKey(tab) === key)
  if (at <= 0) return { warning: '左侧没有标签' }
  return { tabs: keep(tabs, tabs.list.slice(at), key) }
}

export function closeRight(tabs: Tabs, key: string): TabsAfter {
  const at = tabs.list.findIndex((tab) => tabKey(tab) === key)
  if (at === -1 || at === tabs.list.length - 1) return { warning: '右侧没有标签' }
  return { tabs: keep(tabs, tabs.list.slice(0, at + 1), key) }
}

/** Closes all tabs but the home page. */
export function closeAll(home: string): Tabs {
  return { list: [{ path: home, search: '' }], active: home }
}

function keep(tabs: Tabs, list: readonly Tab[], fallback: string): Tabs {
  return { list, active: list.some((tab) => tabKey(tab) === tabs.active) ? tabs.active : fallback }
}

/** The tabs of this window before it was loaded anew, if it belongs to the same person. */
export function readTabs(text: string | null, operatorId: string): Tabs {
  const none: Tabs = { list: [], active: '' }
  if (text === null || operatorId === '') return none
  try {
    const stored = JSON.parse(text) as { readonly of?: unknown; readonly list?: unknown }
    if (stored.of !== operatorId || !Array.isArray(stored.list)) return none
    return { list: stored.list.filter((tab) => isTab(tab)).slice(0, maxOpenTabs), active: '' }
  } catch {
    return none
  }
}

function isTab(value: unknown): value is Tab {
  if (typeof value !== 'object' || value === null || !('path' in value) || !('search' in value)) return false
  const { path, search } = value
  return typeof path === 'string' && typeof search === 'string' && menuRow(path) !== undefined
}
