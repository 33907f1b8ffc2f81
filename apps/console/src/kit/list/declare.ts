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

/** What reads conditions: a schema of the contract each of whose conditions may be left out. */
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

/** Rows, and cents of each summed field, of everything that meets a filter; null beyond `listSumMax`. */
export interface SumsOfFilter {
  readonly rows: number
  readonly isCut: boolean
  readonly sums: Readonly<Record<string, number>> | null
}

type RowOf<E extends Endpoint> =
  AnswerOf<E> extends { readonly data: { readonly list: readonly (infer Row)[] } } ? Row : never

interface ListOptions<E extends Endpoint, L extends AnyList> {
  /** What `list` of the contract returned. */
  readonly list: L
  /** Its calls: `page`, and `sums` and `file` where it has them. */
  readonly call: E
  readonly sums?: Endpoint
  readonly file?: Endpoint
  /** Titles, kinds and labels of the row's values. */
  readonly fields: Fields<RowOf<E>>
  /** Conditions that are set until somebody takes them off. */
  readonly usual?: Partial<FilterOf<L>>
  /** Absent: by what the contract names first. */
  readonly sort?: Sort
  /** What tells a row from the others; its id, unless told. */
  readonly rowKey?: (row: RowOf<E>) => RowKey
  /** Where two pages show the same call: each keeps its own question, columns and place. Absent: the call's path. */
  readonly name?: string
}

type FilterOf<L extends AnyList> = z.output<L['filter']> extends infer F extends Filter ? F : never

export interface ListDeclaration<Row, F extends Filter> {
  /** One list of the console: what is kept for a person is kept under it. */
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
  /** What may be sorted by, and the direction that comes first. */
  readonly sorts: Readonly<Record<string, Direction>>
  readonly rowKey: (row: Row) => RowKey
}

/** Declares a list of the console by the contract's list and calls; see `useList` and `ListPage`. */
export function listOf<E extends Endpoint, L extends AnyList>(
  options: ListOptions<E, L>,
): ListDeclaration<RowOf<E>, FilterOf<L>> {
  const { list, call, sums, file, fields, usual = {}, sort, rowKey, name } = options
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
