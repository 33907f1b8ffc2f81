import { menuRow } from '@saddle/contract/menu.ts'
import { currentSession } from '#kit/session/store.ts'
import { readStored, writeStored } from '#kit/storage.ts'

const recentMax = 8
const keyOf = (opManId: string): string => `recent-${opManId}`

/** Puts a page to the front of those that the person used last; pages out of the menu do not count. */
export function rememberVisit(path: string): void {
  const opManId = currentSession()?.opManId
  const row = menuRow(path)
  if (opManId === undefined || row === undefined || row.hidden || row.group) return
  writeStored(keyOf(opManId), [path, ...recentPaths().filter((each) => each !== path)].slice(0, recentMax))
}

/** Paths of the pages used last in this browser, the latest first. */
export function recentPaths(): readonly string[] {
  const opManId = currentSession()?.opManId
  const value = opManId === undefined ? null : readStored(keyOf(opManId))
  return Array.isArray(value) ? value.filter((path): path is string => typeof path === 'string') : []
}
