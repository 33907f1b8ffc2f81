import { isRoutePermitted, menuRow, menuRows, permittedChildren, type MenuRow } from '@saddle/contract/menu.ts'

export interface ShortcutGroup {
  readonly group: MenuRow
  readonly pages: readonly MenuRow[]
}

/** What the person may open, grouped as in the menu; roots that are pages themselves stand in a group of their own. */
export function shortcutGroups(held: ReadonlySet<string>): readonly ShortcutGroup[] {
  const groups: ShortcutGroup[] = []
  for (const row of menuRows) {
    if (row.parent !== null || row.hidden || !isRoutePermitted(row.path, held)) continue
    const pages = row.group ? permittedChildren(row.path, held) : [row]
    if (pages.length > 0) groups.push({ group: row, pages })
  }
  return groups
}

/** Pages used last that may still be opened. */
export function permittedRecents(paths: readonly string[], held: ReadonlySet<string>): readonly MenuRow[] {
  return paths.flatMap((path) => {
    const row = menuRow(path)
    return row !== undefined && !row.hidden && isRoutePermitted(path, held) ? [row] : []
  })
}
