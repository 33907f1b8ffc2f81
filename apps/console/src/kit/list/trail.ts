import { useEffect, useState } from 'react'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { call } from '#kit/api/client.ts'
import { currentSession } from '#kit/session/store.ts'
import type { ListDeclaration, PageOfRows, Filter } from './declare.ts'

/** Where somebody is in a list: kept while they look at one row of it on a page of its own. */
export interface Trail {
  readonly question: string
  readonly base: object
  /** Cursors of the pages that were gone through; `rows` are those of the last one, or of all on a phone. */
  readonly cursors: readonly string[]
  readonly rows: readonly unknown[]
  /** The rows begin at the first page, however many pages they are. */
  readonly isWhole: boolean
  readonly nextCursor: string | null
  /** Of the page that is shown, behind the question mark. */
  readonly search: string
}

interface Kept extends Trail {
  readonly call: Endpoint
  /** How far the list was scrolled, in px. */
  readonly scrollPx: number
}

/** By person and list; in memory alone, because rows are data of people. */
const trails = new Map<string, Kept>()

const keyOf = (name: string): string => `${currentSession()?.opManId ?? ''} ${name}`

/** For tests: as after the page was loaded anew. */
export const forgetTrails = (): void => trails.clear()

/** Remembers where somebody is, for the pages of single rows and for coming back. */
export function useNoteTrail<Row, F extends Filter>(declaration: ListDeclaration<Row, F>, trail: Trail | null): void {
  const { name, call: endpoint } = declaration
  useEffect(() => {
    if (trail === null) return
    const before = trails.get(keyOf(name))
    const scrollPx = before?.question === trail.question ? before.scrollPx : 0
    trails.set(keyOf(name), { ...trail, call: endpoint, scrollPx })
  })
}

/** The cursors that lead to the place where a question was left. */
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
  /** What the list's address had behind the question mark; '' where nobody came from it. */
  readonly search: string
  /** Its place in the whole result, from 1; null where the row is not of the list. */
  readonly position: number | null
  /** Null: there is none. Otherwise leads there, reading another page of the list when it has to. */
  readonly previous: (() => Promise<void>) | null
  readonly next: (() => Promise<void>) | null
}

/**
 * The rows before and after one that is shown on a page of its own, in the order and with the filter of the list that
 * somebody came from, beyond the page of it that was read.
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
