import type { z } from 'zod'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import type { AnyList, Direction, Fields } from '@saddle/contract/list.ts'
import type { AnswerOf } from '#kit/api/client.ts'

export type Filter = Readonly<Record<string, unknown>>
export type RowKey = number | string

export interface Sort {
  readonly by: string
  readonly direction: Direction
}

/** The parser of conditions: a schema of the contract with only optional conditions. */
interface FilterSchema<F extends Filter> {
  safeParse(value: unknown): { readonly success: true; readonly data: F } | { readonly success: false }
}

/** One page of rows, as the contract's `list` answers. */
export interface PageOfRows<Row> {
  readonly list: readonly Row[]
  readonly nextCursor: string | null
  /** Only with the first page. */
  readonly count: number | null
  readonly isCountCut: boolean
}

/** Row count, and cents of each summed field, of all rows that match a filter; null above `listSumMax`. */
export interface SumsOfFilter {
  readonly rows: number
  readonly isCut: boolean
  readonly sums: Readonly<Record<string, number>> | null
}

type RowOf<E extends Endpoint> =
  AnswerOf<E> extends { readonly data: { readonly list: readonly (infer Row)[] } } ? Row : never

interface ListOptions<E extends Endpoint, L extends AnyList> {
  /** The return value of the contract's `list`. */
  readonly list: L
  /** Its calls: `page`, and optionally `sums` and `file`. */
  readonly call: E
  readonly sums?: Endpoint
  readonly file?: Endpoint
  /** Titles, kinds and labels of the row's values. */
  readonly fields: Fields<RowOf<E>>
  /** Default conditions, until the person removes them. */
  readonly usual?: Partial<FilterOf<L>>
  /** Absent: the first sort of the contract. */
  readonly sort?: Sort
  /** Identifies a row; default: its id. */
  readonly rowKey?: (row: RowOf<E>) => RowKey
  /** For two pages with the same call: each keeps its own query, columns and position. Absent: the call's path. */
  readonly name?: string
}

/** Lists whose rows have no id must say what identifies a row. */
type KeyOf<Row> = Row extends { readonly id: RowKey } ? unknown : { readonly rowKey: (row: Row) => RowKey }

type FilterOf<L extends AnyList> = z.output<L['filter']> extends infer F extends Filter ? F : never

export interface ListDeclaration<Row, F extends Filter> {
  /** The key of the list, under which a person's settings are stored. */
  readonly name: string
  readonly call: Endpoint
  readonly sums: Endpoint | null
  readonly file: Endpoint | null
  readonly filter: FilterSchema<F>
  readonly fields: Fields<Row>
  /** Conditions that stay out of the address, such as a phone number. */
  readonly secret: readonly string[]
  readonly usual: Partial<F>
  readonly sort: Sort
  /** The sortable values, and the first direction of each. */
  readonly sorts: Readonly<Record<string, Direction>>
  readonly rowKey: (row: Row) => RowKey
}

/** Declares a list of the console by the contract's list and calls; see `useList` and `ListPage`. */
export function listOf<E extends Endpoint, L extends AnyList>(
  options: ListOptions<E, L> & KeyOf<RowOf<E>>,
): ListDeclaration<RowOf<E>, FilterOf<L>> {
  const { list, call, sums, file, fields, usual = {}, sort, rowKey, name }: ListOptions<E, L> = options
  const [first] = Object.entries(list.sorts)
  if (first === undefined) throw new Error('A list needs an order')
  return {
    name: name ?? call.path,
    call,
    sums: sums ?? null,
    file: file ?? null,
    // The contract's list takes object schemas only.
    filter: list.filter as unknown as FilterSchema<FilterOf<L>>,
    fields,
    secret: list.secret,
    usual,
    sort: sort ?? { by: first[0], direction: first[1] },
    sorts: list.sorts,
    rowKey: rowKey ?? idOf,
  }
}

export function idOf(row: unknown): RowKey {
  const id = (row as { readonly id?: unknown }).id
  if (typeof id === 'number' || typeof id === 'string') return id
  throw new Error('The rows of this list have no id: name a rowKey')
}
