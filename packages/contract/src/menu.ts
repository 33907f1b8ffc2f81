import { dailyRows } from './menu/dailyRows.ts'
import { managementRows } from './menu/managementRows.ts'
import type { MenuRow } from './menu/row.ts'

export type { MenuIcon, MenuRow } from './menu/row.ts'

/**
 * Every route of the product (specification, section 2): the one source of menu, guards, breadcrumbs,
 * tab titles and the permission tree. Order is the menu's order.
 */
const rows = [...dailyRows, ...managementRows] as const

export const menuRows: readonly MenuRow[] = rows

type Rows = (typeof rows)[number]
export type RoutePath = Rows['path']
/** Paths that show a page of their own: neither a group nor a mere redirect. */
export type PagePath = Exclude<Rows, { readonly group: true } | { readonly redirect: string }>['path']

const byPath = new Map<string, MenuRow>(menuRows.map((row) => [row.path, row]))

export function menuRow(path: string): MenuRow | undefined {
  return byPath.get(path)
}

/** The row and its ancestors, outermost first. */
export function menuTrail(path: string): readonly MenuRow[] {
  const row = byPath.get(path)
  if (row === undefined) return []
  return row.parent === null ? [row] : [...menuTrail(row.parent), row]
}

/** True when row and group both share an entry with the held codes, or ask for none (section 6). */
export function isRoutePermitted(path: string, held: ReadonlySet<string>): boolean {
  const trail = menuTrail(path)
  if (trail.length === 0) return false
  // A page that is open to everyone is so whatever its group asks for: the group's code decides of the menu alone.
  if (trail.at(-1)?.permission === null) return true
  return trail.every((row) => row.permission === null || row.permission.some((code) => held.has(code)))
}

/** Visible pages of a group, in menu order. */
export function permittedChildren(groupPath: string, held: ReadonlySet<string>): readonly MenuRow[] {
  return menuRows.filter((row) => row.parent === groupPath && !row.hidden && isRoutePermitted(row.path, held))
}

/** Where a path leads: its own redirect, or a group's first permitted page; null when it has a page itself. */
export function redirectOf(path: string, held: ReadonlySet<string>): string | null {
  const row = byPath.get(path)
  if (row === undefined) return null
  if (row.redirect !== undefined && isRoutePermitted(row.redirect, held)) return row.redirect
  if (row.group) return permittedChildren(path, held)[0]?.path ?? '/404'
  return row.redirect === undefined ? null : '/404'
}
