import type { PagePath } from '@saddle/contract/menu.ts'
import type { BuiltPath } from './pages.ts'

/**
 * Pages of the menu that have not been built. The type asks for exactly these: a path that is built as well,
 * or one that stands in neither list, does not compile.
 */
const absent: Readonly<Record<Exclude<PagePath, BuiltPath>, true>> = {
  '/production/voltage-scheme': true,
}

export const absentPages: ReadonlySet<string> = new Set(Object.keys(absent))
