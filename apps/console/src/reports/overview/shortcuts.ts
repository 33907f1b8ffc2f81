import { isRoutePermitted, menuRow, menuRows, permittedChildren, type MenuRow } from '@saddle/contract/menu.ts'

export interface ShortcutGroup {
  readonly title: string
  readonly pages: readonly MenuRow[]
}

/** Roots of the menu that are pages themselves: all of them are big screens. */
const screens = '大屏'

/** What the person may open, grouped as in the menu. */
export function shortcutGroups(held: ReadonlySet<string>): readonly ShortcutGroup[] {
  const roots = menuRows.filter((row) => row.parent === null && !row.hidden && isRoutePermitted(row.path, held))
  const groups = roots
    .filter((row) => row.group)
    .map((row) => ({ title: row.title, pages: permittedChildren(row.path, held) }))
  return [{ title: screens, pages: roots.filter((row) => !row.group) }, ...groups].filter(
    (group) => group.pages.length > 0,
  )
}

/** Pages used last that may still be opened. */
export function permittedRecents(paths: readonly string[], held: ReadonlySet<string>): readonly MenuRow[] {
  return paths.flatMap((path) => {
    const row = menuRow(path)
    return row !== undefined && !row.hidden && isRoutePermitted(path, held) ? [row] : []
  })
}
