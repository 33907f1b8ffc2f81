import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely'
import utils from 'pg/lib/utils.js'
import { binaryRows, type CopyType } from './binaryRows.ts'
import type { DB } from './types.ts'
import { unnest } from './unnest.ts'

/** What a value of a PostgreSQL type is in the rows that are written. Instants are milliseconds since 1970. */
interface WrittenTypes {
  bigint: number
  integer: number
  smallint: number
  float8: number
  real: number
  text: string
  date: string
  boolean: boolean
  timestamptz: number
  jsonb: unknown
  bytea: Uint8Array
  'text[]': readonly string[]
  'bigint[]': readonly number[]
}
type WrittenType = keyof WrittenTypes

/** PostgreSQL types whose values can become what the generated type of a column says. */
type TypesFor<S> = [S] extends [number]
  ? 'bigint' | 'integer' | 'smallint' | 'float8' | 'real'
  : [S] extends [string]
    ? 'text' | 'date'
    : [S] extends [boolean]
      ? 'boolean'
      : [S] extends [Date]
        ? 'timestamptz'
        : [S] extends [Buffer]
          ? 'bytea'
          : [S] extends [string[]]
            ? 'text[]' | 'jsonb'
            : [S] extends [number[]]
              ? 'bigint[]' | 'jsonb'
              : 'jsonb'

type Writer<T extends keyof DB, C, Source> = C extends keyof Selectable<DB[T]>
  ? {
      [P in TypesFor<NonNullable<Selectable<DB[T]>[C]>>]: readonly [
        type: P,
        value: (row: Source) => WrittenTypes[P] | Extract<Selectable<DB[T]>[C], null>,
      ]
    }[TypesFor<NonNullable<Selectable<DB[T]>[C]>>]
  : never

/** A column that must have a value may not be left out; one with a default or null may. */
export type WrittenColumns<T extends keyof DB, Source> = {
  readonly [C in keyof Insertable<DB[T]>]: Writer<T, C, Source>
}

export interface ColumnTable<Source> {
  readonly names: readonly string[]
  /** `a, b, c` for the head of an insert. */
  readonly list: RawBuilder<unknown>
  /** The same behind the alias of `unnest`, arrays and JSON with their own type. */
  values(alias: string): RawBuilder<unknown>
  unnest(rows: readonly Source[], alias: string): RawBuilder<unknown>
  /** `insert into … select … from unnest(…)`; what follows (`on conflict`, `returning`) is the caller's. */
  insert(rows: readonly Source[]): RawBuilder<unknown>
  /** `copy <table> (…) from stdin (format binary)`, also into a partition of the table. */
  copy(rows: readonly Source[], partition?: string): { readonly sql: string; readonly chunks: Iterable<Uint8Array> }
}

type Columns<Source> = Readonly<Record<string, readonly [type: WrittenType, value: (row: Source) => unknown]>>

/** Types that `unnest` would take apart, or that it has no array of: they travel as text. */
const asText: ReadonlySet<string> = new Set(['jsonb', 'text[]', 'bigint[]'])

/**
 * Each column of a table that is written, once: its name, its type and its value in a row. From it come the insert of many
 * rows and the COPY. A column that is wrong, missing or null without leave does not compile.
 */
export function columnTable<Source>() {
  return <T extends keyof DB>(table: T, declared: WrittenColumns<T, Source>): ColumnTable<Source> => {
    const columns = declared as unknown as Columns<Source>
    const entries = Object.entries(columns)
    const names = entries.map(([name]) => name)
    const list = sql.join(names.map((name) => sql.ref(name)))
    const travelling = travellingOf(entries)
    const values = (alias: string) =>
      sql.join(
        entries.map(([name, [type]]) => {
          const column = sql.ref(`${alias}.${name}`)
          return asText.has(type) ? sql`${column}::${sql.raw(type)}` : column
        }),
      )
    const unnested = (rows: readonly Source[], alias: string) => unnest<Source>({ rows, alias, columns: travelling })
    return {
      names,
      list,
      values,
      unnest: unnested,
      insert: (rows) =>
        sql`insert into ${sql.table(table)} (${list}) select ${values('written')} from ${unnested(rows, 'written')}`,
      copy: (rows, partition = table) => ({
        sql: `copy ${partition} (${names.join(', ')}) from stdin (format binary)`,
        chunks: binaryRows({ rows, columns: entries.map(([, column]) => copied(column)) }),
      }),
    }
  }
}

/** The columns that an update sets: none has to be named, each is of its column's type. */
type ChangedColumns<T extends keyof DB, Source> = {
  readonly [C in keyof Selectable<DB[T]>]?: Writer<T, C, Source>
}

export interface ChangeTable<Source> {
  /** `update … t set … from unnest(…) where t.key = …`; what follows is the caller's. */
  update(rows: readonly Source[]): RawBuilder<unknown>
}

/** Columns of rows that are there already: how each row is found, and what is set in it. */
export function changeTable<Source>() {
  return <T extends keyof DB, const Key extends keyof Selectable<DB[T]> & string>(
    table: T,
    keys: readonly Key[],
    declared: ChangedColumns<T, Source> & { readonly [K in Key]: unknown },
  ): ChangeTable<Source> => {
    const entries = Object.entries(declared as unknown as Columns<Source>)
    const isKey = (name: string): boolean => keys.some((key) => key === name)
    const changes = entries.flatMap(([name, [type]]) => {
      const value = sql.ref(`written.${name}`)
      return isKey(name) ? [] : [sql`${sql.ref(name)} = ${asText.has(type) ? sql`${value}::${sql.raw(type)}` : value}`]
    })
    const found = keys.map((key) => sql`t.${sql.ref(key)} = written.${sql.ref(key)}`)
    const columns = travellingOf(entries)
    return {
      update: (rows) =>
        sql`update ${sql.table(table)} t set ${sql.join(changes)}
          from ${unnest<Source>({ rows, alias: 'written', columns })} where ${sql.join(found, sql` and `)}`,
    }
  }
}

/** The columns as `unnest` takes them. */
const travellingOf = <Source>(entries: readonly [string, Columns<Source>[string]][]) =>
  Object.fromEntries(
    entries.map(([name, [type, value]]) => [
      name,
      asText.has(type) ? (['text', textOf(type, value)] as const) : ([type, value] as const),
    ]),
  )

function textOf<Source>(type: string, value: (row: Source) => unknown): (row: Source) => unknown {
  return (row) => {
    const written = value(row)
    if (written === null || written === undefined) return null
    return type === 'jsonb' ? JSON.stringify(written) : utils.prepareValue(written)
  }
}

function copied<Source>([type, value]: Columns<Source>[string]): readonly [CopyType, (row: Source) => unknown] {
  if (type !== 'jsonb') return [type, value]
  return [
    type,
    (row) => {
      const json = value(row)
      return json === null || json === undefined ? null : { json: JSON.stringify(json) }
    },
  ]
}
