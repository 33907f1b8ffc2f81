import {
  isRoutePermitted,
  menuRows,
  menuTrail,
  permittedChildren,
  redirectOf,
  type MenuRow,
} from '@saddle/contract/menu.ts'

/** A root of the menu with the pages that the operator may open; a root without children is a page itself. */
export interface MenuNode {
  readonly row: MenuRow
  readonly children: readonly MenuRow[]
  /** Where a click on the root leads. */
  readonly to: string
}

/** The menu of section 6: permitted, not hidden, in the order of the contract; a group without a page is left out. */
export function menuNodes(held: ReadonlySet<string>): readonly MenuNode[] {
  const nodes: MenuNode[] = []
  for (const row of menuRows) {
    if (row.parent !== null || row.hidden || !isRoutePermitted(row.path, held)) continue
    const children = permittedChildren(row.path, held)
    if (row.group && children.length === 0) continue
    nodes.push({ row, children, to: redirectOf(row.path, held) ?? row.path })
  }
  return nodes
}

/** The root that a page stands under, itself when it is a root; null for a page outside the menu. */
export function rootOf(path: string): string | null {
  return menuTrail(path)[0]?.path ?? null
}

/** Which pages of the menu are open, and what was open before it collapsed. */
export interface Unfolded {
  readonly collapsed: boolean
  readonly open: readonly string[]
  readonly remembered: readonly string[]
}

/** Opening a sub-menu closes the other roots; opening an open one closes it. */
export function toggleRoot(state: Unfolded, root: string): Unfolded {
  return { ...state, open: state.open.includes(root) ? [] : [root] }
}

/** Opens the root of a page. Nothing opens in a collapsed menu. */
export function revealRoot(state: Unfolded, root: string): Unfolded {
  if (state.collapsed) return { ...state, remembered: [root] }
  return state.open.includes(root) ? state : { ...state, open: [root] }
}

/** Collapsing remembers the open sub-menus, and unfolding restores them (section 2). */
export function setCollapsed(state: Unfolded, collapsed: boolean): Unfolded {
  if (state.collapsed === collapsed) return state
  if (collapsed) return { collapsed, open: [], remembered: state.open }
  return { collapsed, open: state.remembered, remembered: [] }
}
