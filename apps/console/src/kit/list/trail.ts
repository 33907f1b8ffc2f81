import { useEffect, useState } from 'react'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { call } from '#kit/api/client.ts'
import { currentSession } from '#kit/session/store.ts'
import type { ListDeclaration, PageOfRows, Filter } from './declare.ts'

/** A person's position in a list, kept while they view one row on its own page. */
export interface Trail {
  readonly question: string
  readonly base: object
  /** Cursors of the visited pages; `rows` are those of the last page, or of all pages on a phone. */
  readonly cursors: readonly string[]
  readonly rows: readonly unknown[]
  /** The rows start at the first page, however many pages they span. */
  readonly isWhole: boolean
  readonly nextCursor: string | null
  /** Query string of the page that is shown, without the question mark. */
  readonly search: string
}

interface Kept extends Trail {
  readonly call: Endpoint
  /** The list's scroll position, in px. */
  readonly scrollPx: number
}

/** By person and list; only in memory, because rows contain personal data. */
const trails = new Map<string, Kept>()

const keyOf = (name: string): string => `${currentSession()?.opManId ?? ''} ${name}`

/** For tests: the state after a page reload. */
export const forgetTrails = (): void => trails.clear()

/** Remembers the position in a list, for the pages of single rows and for the way back. */
export function useNoteTrail<Row, F extends Filter>(declaration: ListDeclaration<Row, F>, trail: Trail | null): void {
  const { name, call: endpoint } = declaration
  useEffect(() => {
    if (trail === null) return
    const before = trails.get(keyOf(name))
    const scrollPx = before?.question === trail.question ? before.scrollPx : 0
    trails.set(keyOf(name), { ...trail, call: endpoint, scrollPx })
  })
}

/** The cursors that lead back to the last position of a query. */
export function placeOf(name: string, question: string): readonly string[] {
  const kept = trails.get(keyOf(name))
  return kept?.question === question ? kept.cursors : []
}

export function noteScroll(name: string, scrollPx: number): void {
  const kept = trails.get(keyOf(name))
  if (kept !== undefined) trails.set(keyOf(name), { ...kept, scrollPx })
}

export const scrollOf = (name: string): number => trails.get(keyOf(name))?.scrollPx ?? 0

export interface Steps {
  /** The list's query string without the question mark; '' if the person did not come from the list. */
  readonly search: string
  /** Its position in the whole result, from 1; null if the row is not in the list. */
  readonly position: number | null
  /** Goes to that row and reads another page of the list if necessary; null: there is no such row. */
  readonly previous: (() => Promise<void>) | null
  readonly next: (() => Promise<void>) | null
}

/**
 * The previous and next row of a row on its own page, in the order and with the filter of the list that
 * the person came from, also across the pages of that list.
 */
export function useListTrail<Row, F extends Filter>(
  { name, rowKey }: ListDeclaration<Row, F>,
  { isShown, go }: { readonly isShown: (row: Row) => boolean; readonly go: (row: Row) => void },
): Steps {
  const [kept, setKept] = useState(() => trails.get(keyOf(name)))
  const rows = (kept?.rows ?? []) as readonly Row[]
  const index = rows.findIndex(isShown)
  if (kept === undefined || index < 0) return { search: kept?.search ?? '', position: null, previous: null, next: null }
  const move = (next: Kept, row: Row | undefined) => {
    trails.set(keyOf(name), next)
    setKept(next)
    if (row !== undefined) go(row)
  }
  const read = async (cursor: string | undefined): Promise<PageOfRows<Row>> => {
    const answer = await call(kept.call, { ...kept.base, ...(cursor !== undefined && { cursor }) })
    return (answer as { readonly data: PageOfRows<Row> }).data
  }
  const pageSize = (kept.base as { readonly pageSize: number }).pageSize
  const { cursors, nextCursor, isWhole } = kept
  const neighbour = (row: Row | undefined) => (row === undefined ? null : () => Promise.resolve(go(row)))
  const onward = async () => {
    if (nextCursor === null) return
    const page = await read(nextCursor)
    const known = new Set(rows.map(rowKey))
    const fresh = isWhole ? [...rows, ...page.list.filter((row) => !known.has(rowKey(row)))] : page.list
    move({ ...kept, cursors: [...cursors, nextCursor], rows: fresh, nextCursor: page.nextCursor }, page.list[0])
  }
  const back = async () => {
    const before = cursors.slice(0, -1)
    const page = await read(before.at(-1))
    move({ ...kept, cursors: before, rows: page.list, nextCursor: page.nextCursor }, page.list.at(-1))
  }
  return {
    search: kept.search,
    position: (isWhole ? 0 : cursors.length * pageSize) + index + 1,
    previous: neighbour(rows[index - 1]) ?? (!isWhole && cursors.length > 0 ? back : null),
    next: neighbour(rows[index + 1]) ?? (nextCursor === null ? null : onward),
  }
}
