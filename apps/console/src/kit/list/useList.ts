import { useState } from 'react'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import type { ExportFormat } from '@saddle/contract/exported.ts'
import { pageSizes } from '@saddle/contract/list.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { call, type AnswerOf } from '#kit/api/client.ts'
import { useEndpoint, useEndpoints } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { useScope } from '#kit/session/scope.ts'
import type { Filter, ListDeclaration, PageOfRows, RowKey, Sort, SumsOfFilter } from './declare.ts'
import { usePreferences } from './preferences.ts'
import { changeConditions, filterOf, readQuestion, useQuestion, writeQuestion, type Conditions } from './question.ts'
import { placeOf, useNoteTrail } from './trail.ts'
import { usePhone } from './usePhone.ts'
import { useExport, type ExportRead } from './useExport.ts'
import { useTotal, type Total } from './useTotal.ts'

const refreshEveryMs = 60_000

export interface ListOptions<Row> {
  /** Conditions set by the page, e.g. the rider of a detail page; the person cannot change them. */
  readonly fixed?: Filter
  /** Cards with loading on scroll instead of a table with pages. */
  readonly isPhone?: boolean
  /** Depends on the rows of a page, where an open state is awaited. */
  readonly refreshEveryMs?: number | ((rows: readonly Row[]) => number)
  /** What the page has in the address beside the list's query: kept in saved views. */
  readonly view?: { readonly search: string; readonly ask: (search: string) => void }
  /** One of several lists on a page: it cannot use the address, so its query lives as long as the page. */
  readonly isInside?: boolean
}

export interface List<Row, F extends Filter> {
  readonly declaration: Pick<ListDeclaration<Row, F>, 'name' | 'fields' | 'sorts' | 'usual'>
  /** The conditions sent to the server. */
  readonly filter: Partial<F>
  /** The conditions set by the person. */
  readonly conditions: Conditions<F>
  /** Changes conditions; `undefined` removes one. */
  readonly change: (part: Partial<Record<keyof F, unknown>>) => void
  /** Resets all conditions set by the person. */
  readonly clear: () => void
  readonly sort: Sort
  readonly setSort: (sort: Sort) => void
  readonly pageSize: number
  readonly setPageSize: (size: number) => void
  /** Undefined until the first rows are loaded; the previous rows while new ones load. */
  readonly rows: readonly Row[] | undefined
  /** The rows belong to another query, or were read before the failure in `error`. */
  readonly isStale: boolean
  readonly isLoadingMore: boolean
  readonly error: unknown
  readonly retry: () => void
  readonly page: number
  readonly hasNext: boolean
  readonly next: () => void
  readonly previous: () => void
  readonly total: Total | null
  readonly sums: SumsOfFilter | null
  /** As they are now, as far as this page shows them; without those that were never shown. */
  readonly selected: readonly Row[]
  /** The keys of all selected rows, shown or not. */
  readonly selectedKeys: readonly RowKey[]
  readonly choose: (keys: readonly RowKey[]) => void
  readonly keyOf: (row: Row) => RowKey
  readonly isPhone: boolean
  /** The query as the list's query string, without the question mark; null if no address has it. */
  readonly search: string | null
  /** Applies a query string. */
  readonly ask: (search: string) => void
  /** Null if the list has no export. */
  readonly file: {
    readonly isBusy: boolean
    readonly begin: (choices: ExportChoices) => void
  } | null
}

/** The part of a list that its filters need. */
export type FilteredList<F extends Filter> = Pick<
  List<unknown, F>,
  'filter' | 'conditions' | 'change' | 'clear' | 'total' | 'isPhone'
> & { readonly declaration: { readonly usual: Partial<F> } }

type PageAnswer<Row> = { readonly data: PageOfRows<Row> }

/** The state and actions of a declared list. */
export function useList<Row, F extends Filter>(
  declaration: ListDeclaration<Row, F>,
  options: ListOptions<Row> = {},
): List<Row, F> {
  const isInside = options.isInside === true
  const [{ conditions, sort }, setQuestion] = useQuestion(declaration, { isInside })
  const [preferences, setPreferences] = usePreferences(declaration.name)
  const isPhone = usePhone(options.isPhone)
  const filter: Partial<F> = { ...filterOf(declaration.usual, conditions), ...options.fixed }
  const pageSize = preferences.pageSize ?? pageSizes[isInside ? 0 : 1]
  const { scopeKey } = useScope()
  const question = JSON.stringify([filter, sort, pageSize, scopeKey])
  const pages = useCursors(declaration.name, question)
  const base = { filter, sort: sort.by, direction: sort.direction, pageSize }
  const read = usePageRows<Row>(declaration.call, {
    base,
    question,
    cursors: isPhone ? [undefined, ...pages.cursors] : [pages.cursors.at(-1)],
    refreshEveryMs: options.refreshEveryMs ?? refreshEveryMs,
  })
  const total = useTotal(question, read.first, read.isOld)
  const selection = useSelection(question, read.rows, declaration.rowKey)
  const exporting = useExport()
  const canExport = useIsPermitted(declaration.file)
  const search = writeQuestion(declaration, { conditions, sort }).toString()
  useNoteTrail(
    declaration,
    read.last === undefined || read.rows === undefined || read.isOld
      ? null
      : {
          question,
          base,
          cursors: pages.cursors,
          rows: read.rows,
          isWhole: isPhone,
          nextCursor: read.last.nextCursor,
          search,
        },
  )
  const nextCursor = read.isOld ? null : (read.last?.nextCursor ?? null)
  return {
    declaration,
    filter,
    conditions,
    change: (part) => setQuestion({ conditions: changeConditions(declaration.usual, conditions, part), sort }),
    clear: () => setQuestion({ conditions: {}, sort }),
    sort,
    setSort: (next) => setQuestion({ conditions, sort: next }),
    pageSize,
    setPageSize: (size) => setPreferences({ pageSize: size }),
    rows: read.rows,
    isStale: read.isOld || read.error !== null,
    isLoadingMore: read.isLoadingMore,
    error: read.error,
    retry: read.retry,
    page: pages.cursors.length,
    hasNext: nextCursor !== null,
    next: () => nextCursor !== null && pages.push(nextCursor),
    previous: pages.pop,
    total,
    sums: useSums(declaration.sums, filter, read.rows !== undefined && !read.isOld),
    ...selection,
    keyOf: declaration.rowKey,
    search: isInside ? null : (options.view?.search ?? search),
    ask: options.view?.ask ?? ((text) => setQuestion(readQuestion(declaration, new URLSearchParams(text)))),
    isPhone,
    file:
      declaration.file === null || !canExport
        ? null
        : {
            isBusy: exporting.isBusy,
            begin: (choices) => void exporting.start(readFile(declaration.file as Endpoint, { ...base, ...choices })),
          },
  }
}

/** Whether the person has permission for a call. */
function useIsPermitted(endpoint: Endpoint | null): boolean {
  const { held } = usePermissions()
  const codes = endpoint?.permission
  return !Array.isArray(codes) || codes.some((code: string) => holdsPermission(held, code))
}

/** The cursors of the visited pages; a new query starts at the first page, going back at the last position. */
function useCursors(name: string, question: string) {
  const [state, setState] = useState(() => ({ question, cursors: placeOf(name, question) }))
  const current = state.question === question ? state : { question, cursors: placeOf(name, question) }
  if (state !== current) setState(current)
  const put = (cursors: readonly string[]) => setState({ question, cursors })
  return {
    cursors: current.cursors,
    push: (cursor: string) => put([...current.cursors, cursor]),
    pop: () => put(current.cursors.slice(0, -1)),
  }
}

interface Reading<Row> {
  readonly base: object
  readonly question: string
  readonly cursors: readonly (string | undefined)[]
  readonly refreshEveryMs: number | ((rows: readonly Row[]) => number)
}

/** The rows of one or several pages; the previous rows stay while new ones load, and when loading fails. */
function usePageRows<Row>(endpoint: Endpoint, { base, question, cursors, refreshEveryMs: every }: Reading<Row>) {
  const inputs = cursors.map((cursor) => (cursor === undefined ? base : { ...base, cursor }))
  const answers = useEndpoints(endpoint, inputs, {
    quiet: true,
    refetchIntervalMs:
      typeof every === 'number' ? every : (answer) => every((answer as PageAnswer<Row> | undefined)?.data.list ?? []),
  })
  const arrived = answers.map(({ data }) => (data as PageAnswer<Row> | undefined)?.data)
  const isWhole = arrived.every((page) => page !== undefined)
  const pages = arrived.filter((page) => page !== undefined)
  const [kept, setKept] = useState<{ question: string; pages: readonly PageOfRows<Row>[] } | null>(null)
  const isNew = kept === null || kept.question !== question || !samePages(kept.pages, pages)
  if (isWhole && isNew) setKept({ question, pages })
  const shown = isWhole ? { question, pages } : kept
  const failed = answers.find(({ error }) => error !== null)
  return {
    first: shown?.pages[0],
    last: shown?.pages.at(-1),
    rows: useMerged(shown?.pages),
    isOld: !isWhole && (shown === null || shown.question !== question || answers.length === 1),
    isLoadingMore: !isWhole && shown?.question === question && answers.length > 1,
    error: failed?.error ?? null,
    retry: () => {
      for (const answer of answers) if (answer.error !== null || answer.data === undefined) void answer.refetch()
    },
  }
}

const samePages = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.length === right.length && left.every((page, index) => page === right[index])

/** Returns the same array for the same pages, so that nothing is rendered again. */
function useMerged<Row>(pages: readonly PageOfRows<Row>[] | undefined): readonly Row[] | undefined {
  const [merged, setMerged] = useState<{ of: readonly PageOfRows<Row>[]; rows: readonly Row[] } | null>(null)
  if (pages === undefined) return undefined
  if (merged !== null && samePages(merged.of, pages)) return merged.rows
  const rows = pages.flatMap(({ list }) => list)
  setMerged({ of: pages, rows })
  return rows
}

/** Requested after the rows, because rows have priority. */
function useSums(endpoint: Endpoint | null, filter: Filter, isReady: boolean): SumsOfFilter | null {
  const { data } = useEndpoint(endpoint ?? noSums, { filter }, { enabled: endpoint !== null && isReady, quiet: true })
  return (data as { readonly data: SumsOfFilter } | undefined)?.data ?? null
}

/** Placeholder for lists without sums; never called. */
const noSums = { method: 'GET', path: '' } as unknown as Endpoint

/** The selection belongs to its query: a new query starts empty. Rows that were shown once stay known. */
export function useSelection<Row>(
  question: string,
  rows: readonly Row[] | undefined,
  keyOf: (row: Row) => RowKey,
  first: readonly Row[] = [],
) {
  const [state, setState] = useState(() => {
    const known = new Map(first.map((row) => [keyOf(row), row]))
    return { question, keys: [...known.keys()] as readonly RowKey[], known }
  })
  const { keys, known } = state.question === question ? state : { keys: nothing, known: new Map<RowKey, Row>() }
  const shown = () => (rows ?? []).map((row) => [keyOf(row), row] as const)
  const all = new Map(keys.length === 0 ? [] : [...known, ...shown()])
  const rowsOf = (chosen: readonly RowKey[], from: ReadonlyMap<RowKey, Row>) =>
    chosen.flatMap((key) => (from.has(key) ? [[key, from.get(key) as Row] as const] : []))
  return {
    selected: rowsOf(keys, all).map(([, row]) => row),
    selectedKeys: keys,
    choose: (next: readonly RowKey[]) =>
      setState({ question, keys: next, known: new Map(rowsOf(next, new Map([...known, ...shown()]))) }),
  }
}

const nothing: readonly RowKey[] = []

/** How a file is wanted. */
interface ExportChoices {
  readonly format: ExportFormat
  readonly leftOut: readonly string[]
}

const readFile =
  (endpoint: Endpoint, base: object): ExportRead =>
  async (at) => {
    const { pageSize: _pageSize, ...asked } = base as { pageSize?: number }
    const answer: AnswerOf<Endpoint> = await call(endpoint, { ...asked, ...at }, { quiet: true })
    return (answer as { readonly data: Awaited<ReturnType<ExportRead>> }).data
  }
