import { maxOpenTabs } from '@saddle/contract/constants.ts'

/** An opened page. One tab per path: a new query in the same page stays in its tab. */
export interface Tab {
  readonly path: string
  readonly search: string
}

export interface Tabs {
  readonly list: readonly Tab[]
  readonly active: string
}

/** The result of a tab action, or the warning why it is not possible. */
export type TabsAfter = { readonly tabs: Tabs } | { readonly warning: '左侧没有标签' | '右侧没有标签' }

/** Activates the tab of the route; at the limit the oldest tab is closed. */
export function openTab(tabs: Tabs, tab: Tab): Tabs {
  const known = tabs.list.findIndex((each) => each.path === tab.path)
  if (known !== -1) {
    if (tabs.active === tab.path && tabs.list[known]?.search === tab.search) return tabs
    return { list: tabs.list.with(known, tab), active: tab.path }
  }
  const kept = tabs.list.length >= maxOpenTabs ? tabs.list.slice(tabs.list.length - maxOpenTabs + 1) : tabs.list
  return { list: [...kept, tab], active: tab.path }
}

/** Only one of several can be closed; closing the active one leads to its right neighbour, else to its left one. */
export function closeTab(tabs: Tabs, path: string): Tabs {
  const at = tabs.list.findIndex((tab) => tab.path === path)
  if (at === -1 || tabs.list.length < 2) return tabs
  const list = tabs.list.toSpliced(at, 1)
  if (tabs.active !== path) return { list, active: tabs.active }
  return { list, active: (list[at] ?? list[at - 1])?.path ?? tabs.active }
}

export function closeLeft(tabs: Tabs, path: string): TabsAfter {
  const at = tabs.list.findIndex((tab) => tab.path === path)
  if (at <= 0) return { warning: '左侧没有标签' }
  return { tabs: keep(tabs, tabs.list.slice(at), path) }
}

export function closeRight(tabs: Tabs, path: string): TabsAfter {
  const at = tabs.list.findIndex((tab) => tab.path === path)
  if (at === -1 || at === tabs.list.length - 1) return { warning: '右侧没有标签' }
  return { tabs: keep(tabs, tabs.list.slice(0, at + 1), path) }
}

/** Closes all tabs but the home page. */
export function closeAll(home: string): Tabs {
  return { list: [{ path: home, search: '' }], active: home }
}

function keep(tabs: Tabs, list: readonly Tab[], fallback: string): Tabs {
  return { list, active: list.some((tab) => tab.path === tabs.active) ? tabs.active : fallback }
}
