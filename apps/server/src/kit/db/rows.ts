import { sql, type RawBuilder, type Selectable } from 'kysely'
import { codeOf } from '#kit/codes.ts'
import type { DB } from './types.ts'

/** What the connection hands over for a PostgreSQL type (see `values.ts`). */
interface ComputedTypes {
  bigint: number
  integer: number
  smallint: number
  'double precision': number
  real: number
  numeric: string
  text: string
  uuid: string
  date: string
  boolean: boolean
  timestamptz: Date
  jsonb: unknown
  bytea: Buffer
  'bigint[]': number[]
  'text[]': string[]
}
type ComputedType = keyof ComputedTypes

/** An expression of a select list; the row carries its result under the name that it is declared with. */
export interface Computed<T> {
  readonly expression: RawBuilder<unknown>
  readonly value?: T
}

/**
 * An expression and the PostgreSQL type of its result, which it is cast to: the type of its value in the row follows from
 * that. With `?` behind the type it may be null.
 */
export function computed<P extends ComputedType>(type: P, expression: RawBuilder<unknown>): Computed<ComputedTypes[P]>
export function computed<P extends ComputedType>(
  type: `${P}?`,
  expression: RawBuilder<unknown>,
): Computed<ComputedTypes[P] | null>
export function computed(type: string, expression: RawBuilder<unknown>): Computed<unknown> {
  return { expression: sql`(${expression})::${sql.raw(type.replace('?', ''))}` }
}

/** JSON that the statement builds: its shape cannot be checked, so it is declared beside the expression that builds it. */
export function builtJson<T>(expression: RawBuilder<unknown>): Computed<T> {
  return { expression }
}

type CodeLists = Readonly<Record<string, readonly string[]>>
/** A list of the contract, or its labels by code. */
type CodeList = readonly string[] | Readonly<Record<string, unknown>>
type Codes<R> = { readonly [K in keyof R]?: string extends R[K] ? CodeList : never }
type CodeOf<L> = L extends readonly (infer V)[] ? V : keyof L
type Coded<R, C> = {
  [K in keyof R]: K extends keyof C ? CodeOf<C[K]> | Extract<R[K], null> : R[K]
}
type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S
type Shown<T> = T extends Date ? number : T
type Presented<R> = { [K in keyof R & string as Camel<K>]: Shown<R[K]> }

/** The columns of a select list and the row that they make. */
export interface Columns<R> {
  /** The select list, where a statement needs it in the middle: `with … select ${order.list} from …`. */
  readonly list: RawBuilder<unknown>
  /** Each column as the list has it, by the name that the row carries. */
  readonly parts: ReadonlyMap<string, RawBuilder<unknown>>
  readonly codeLists: CodeLists
  /** `select <columns> …`: the text begins with `from`. */
  select(text: TemplateStringsArray, ...values: readonly unknown[]): RawBuilder<R>
  /** `… returning <columns>`: the text is an insert, update or delete. */
  returning(text: TemplateStringsArray, ...values: readonly unknown[]): RawBuilder<R>
  /** A statement that has the list in its middle, or more than once. */
  query(build: (list: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<R>
  /** Columns that may be null in the table, but not in what the statement finds: its conditions say so. */
  filled<K extends keyof R>(...names: readonly K[]): Columns<{ [N in keyof R]: N extends K ? NonNullable<R[N]> : R[N] }>
  /** JSON columns, with the shape that the code gives them which writes them. */
  json<J extends { [K in keyof J]: K extends keyof R ? unknown : never }>(): Columns<{
    [N in keyof R]: N extends keyof J ? J[N] : R[N]
  }>
  /** The columns that an outer join may leave without a value. */
  optional(): Columns<{ [K in keyof R]: R[K] | null }>
  /**
   * Narrows texts to the codes that the database's check allows. No statement looks at them: `present` does, and throws
   * RangeError on a code that the list does not have.
   */
  codes<const C extends Codes<R>>(codes: C): Columns<Coded<R, C>>
  /** The row as the contract writes it: camel case, instants in milliseconds, codes checked. */
  present(row: R): Presented<R>
}

export type RowOf<C> = C extends Columns<infer R> ? R : never

type Column<T extends keyof DB> = keyof Selectable<DB[T]> & string
type Entry<T extends keyof DB> = Column<T> | `${Column<T>} as ${string}`
type NameIn<E> = E extends `${string} as ${infer N}` ? N : E
type ColumnIn<E> = E extends `${infer C} as ${string}` ? C : E
type RowOfEntries<T extends keyof DB, E extends string> = {
  [K in E as NameIn<K> & string]: Selectable<DB[T]>[ColumnIn<K> & keyof Selectable<DB[T]>]
}

/**
 * Columns of one table, with the types of the database: `rowOf('rider', 'r', ['id', 'state as rider_state'])`. Without an
 * alias the columns stand alone, for statements over one table.
 */
export function rowOf<T extends keyof DB, const E extends Entry<T>>(
  table: T,
  columns: readonly E[],
): Columns<RowOfEntries<T, E>>
export function rowOf<T extends keyof DB, const E extends Entry<T>>(
  table: T,
  alias: string,
  columns: readonly E[],
): Columns<RowOfEntries<T, E>>
export function rowOf(...args: [string, string | readonly string[], (readonly string[])?]): Columns<unknown> {
  const alias = typeof args[1] === 'string' ? args[1] : null
  const entries = typeof args[1] === 'string' ? (args[2] ?? []) : args[1]
  const parts = new Map<string, RawBuilder<unknown>>()
  for (const entry of entries) {
    const [column = entry, name = column] = entry.split(' as ')
    const part = sql.ref(alias === null ? column : `${alias}.${column}`)
    parts.set(name, name === column ? part : sql`${part} as ${sql.ref(name)}`)
  }
  return columnsOf(parts)
}

/** A row of expressions only: `rowOfValues({ count: computed('bigint', sql`count(*)`) })`. */
export function rowOfValues<const V extends Readonly<Record<string, Computed<unknown>>>>(
  values: V,
): Columns<{ -readonly [K in keyof V]: V[K] extends Computed<infer T> ? T : never }> {
  return columnsOf(
    new Map(Object.entries(values).map(([name, { expression }]) => [name, sql`${expression} as ${sql.ref(name)}`])),
  )
}

type Merged<C> = C extends readonly [Columns<infer A>, ...infer Rest] ? A & Merged<Rest> : unknown
type Flat<R> = { [K in keyof R]: R[K] }
/** Unequal names are left as they are; an equal one is marked, so that the call does not compile. */
type Distinct<C, Seen = never> = C extends readonly [Columns<infer A>, ...infer Rest]
  ? [keyof A & Seen] extends [never]
    ? Distinct<Rest, Seen | keyof A>
    : { 'two columns have one name': keyof A & Seen }
  : unknown

/** The columns of several tables and expressions in one row. Equal names need an alias: `'name as area_name'`. */
export function rowsOf<const C extends readonly Columns<object>[]>(
  ...kinds: C & Distinct<C>
): Columns<Flat<Merged<C>>> {
  const parts = new Map<string, RawBuilder<unknown>>()
  const codeLists: Record<string, readonly string[]> = {}
  for (const kind of kinds) {
    for (const [name, part] of kind.parts) parts.set(name, part)
    Object.assign(codeLists, kind.codeLists)
  }
  return columnsOf(parts, codeLists)
}

function columnsOf<R>(parts: ReadonlyMap<string, RawBuilder<unknown>>, codeLists: CodeLists = {}): Columns<R> {
  const list = sql.join([...parts.values()])
  const camels = [...parts.keys()].map((name) => [name, camelCase(name), codeLists[name]] as const)
  // The columns of another type are the same columns.
  const retyped = <T>(codes: CodeLists) => columnsOf<T>(parts, codes)
  return {
    list,
    parts,
    codeLists,
    select: (text, ...values) => sql`select ${list} ${sql(text, ...values)}`,
    returning: (text, ...values) => sql`${sql(text, ...values)} returning ${list}`,
    query: (build) => sql`${build(list)}`,
    filled: () => retyped(codeLists),
    json: () => retyped(codeLists),
    optional: () => retyped(codeLists),
    codes: (codes) => retyped({ ...codeLists, ...listsOf(codes) }),
    present: (row) => {
      const shown: Record<string, unknown> = {}
      for (const [name, camel, codes] of camels)
        shown[camel] = shownValue((row as Record<string, unknown>)[name], codes)
      return shown as Presented<R>
    },
  }
}

function listsOf(codes: Readonly<Record<string, CodeList | undefined>>): CodeLists {
  return Object.fromEntries(
    Object.entries(codes).map(([name, list = []]) => [name, Array.isArray(list) ? list : Object.keys(list)]),
  )
}

function shownValue(value: unknown, codes: readonly string[] | undefined): unknown {
  if (value instanceof Date) return value.getTime()
  return codes !== undefined && typeof value === 'string' ? codeOf(codes, value) : value
}

function camelCase(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** How many rows there are: `countRow.select`from …``. */
export const countRow = rowOfValues({ count: computed('bigint', sql`count(*)`) })
