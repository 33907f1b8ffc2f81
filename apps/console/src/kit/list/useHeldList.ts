import { useState } from 'react'
import { pageSizes, type Direction, type Fields } from '@saddle/contract/list.ts'
import { idOf, type RowKey, type Sort } from './declare.ts'
import { readTable, tableOf } from './shownTable.ts'
import { useExport } from './useExport.ts'
import { usePreferences } from './preferences.ts'
import { useSelection, type List } from './useList.ts'
import { usePhone } from './usePhone.ts'

type SortValue = number | string | null
type NoFilter = Readonly<Record<string, never>>

interface HeldOptions<Row> {
  /** The key under which a person's settings for this list are stored. */
  readonly name: string
  readonly fields: Fields<Row>
  /** The sortable values with their first direction. The first one is the default order. */
  readonly sorts: Readonly<Record<string, readonly [Direction, (row: Row) => SortValue]>>
  readonly rowKey?: (row: Row) => RowKey
}

interface HeldDeclaration<Row> {
  readonly name: string
  readonly fields: Fields<Row>
  readonly sorts: Readonly<Record<string, Direction>>
  readonly sort: Sort
  readonly usual: NoFilter
  readonly valueOf: (sort: string) => (row: Row) => SortValue
  readonly rowKey: (row: Row) => RowKey
}

/** Declares a list whose rows are part of a response that the page has read anyway; see `useHeldList`. */
export function heldListOf<Row>({ name, fields, sorts, rowKey }: HeldOptions<Row>): HeldDeclaration<Row> {
  const [first] = Object.entries(sorts)
  if (first === undefined) throw new Error('A list needs an order')
  const [by, [direction]] = first
  return {
    name,
    fields,
    sort: { by, direction },
    sorts: Object.fromEntries(Object.entries(sorts).map(([sort, [direction]]) => [sort, direction])),
    usual: {},
    valueOf: (sort) => sorts[sort]?.[1] ?? (() => null),
    rowKey: rowKey ?? idOf,
  }
}

interface Held<Row> {
  /** Undefined until loaded. */
  readonly rows: readonly Row[] | undefined
  readonly error?: unknown
  readonly retry?: () => void
  /** Cards rather than a table. */
  readonly isPhone?: boolean
  /** The name of the file of all rows in their current order, without its end. */
  readonly fileName?: string
  /** Initially selected rows; only the value of the first render counts. */
  readonly selectedFirst?: readonly Row[]
}

/** Sorts and pages rows that are already loaded, for a `ListCard`: the same table and cards without a call. */
export function useHeldList<Row>(declaration: HeldDeclaration<Row>, held: Held<Row>): List<Row, NoFilter> {
  const { rows: all, error = null, retry = () => undefined, fileName } = held
  const [sort, setSort] = useState(declaration.sort)
  const [askedPage, setPage] = useState(0)
  const [preferences, setPreferences] = usePreferences(declaration.name)
  const isPhone = usePhone(held.isPhone)
  const exporting = useExport()
  const pageSize = preferences.pageSize ?? pageSizes[1]
  const sorted = all?.toSorted(inOrder(declaration.valueOf(sort.by), sort.direction))
  // The number of rows may have dropped since.
  const page = Math.max(0, Math.min(askedPage, Math.ceil((all?.length ?? 0) / pageSize) - 1))
  const from = isPhone ? 0 : page * pageSize
  const rows = sorted?.slice(from, (page + 1) * pageSize)
  const selection = useSelection(declaration.name, rows, declaration.rowKey, held.selectedFirst)
  return {
    declaration,
    filter: {},
    conditions: {},
    change: () => undefined,
    clear: () => undefined,
    sort,
    setSort: (next) => {
      setSort(next)
      setPage(0)
    },
    pageSize,
    setPageSize: (size) => {
      setPreferences({ pageSize: size })
      setPage(0)
    },
    rows,
    isStale: false,
    isLoadingMore: false,
    error,
    retry,
    page,
    hasNext: sorted !== undefined && (page + 1) * pageSize < sorted.length,
    next: () => setPage(page + 1),
    previous: () => setPage(Math.max(0, page - 1)),
    total: all === undefined ? null : { count: all.length, isCut: false },
    sums: null,
    ...selection,
    keyOf: declaration.rowKey,
    isPhone,
    search: null,
    ask: () => undefined,
    file:
      fileName === undefined || sorted === undefined
        ? null
        : {
            isBusy: exporting.isBusy,
            begin: ({ format, leftOut }) =>
              void exporting.start(readTable(fileName, tableOf(declaration.fields, sorted, leftOut), format)),
          },
  }
}

/** Compares by number or by the reader's alphabet; rows without a value come last in both directions. */
function inOrder<Row>(valueOf: (row: Row) => SortValue, direction: Direction) {
  const sign = direction === 'asc' ? 1 : -1
  return (left: Row, right: Row): number => {
    const [a, b] = [valueOf(left), valueOf(right)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b)))
  }
}
