import { sql, type RawBuilder } from 'kysely'

/** Name of a column → its PostgreSQL type and the value of a row in it. */
export type UnnestColumns<R> = Readonly<Record<string, readonly [type: string, value: (row: R) => unknown]>>

/**
 * `unnest($1::bigint[], …) as alias (a, …)`: many rows as one parameter for each column, so that the statement's text
 * does not depend on their number and stays prepared. Instants are given as milliseconds since 1970 and type
 * `timestamptz`. Names, types and alias are written into the statement: constants of the code, never input.
 */
export function unnest<R>(options: {
  rows: readonly R[]
  alias: string
  columns: UnnestColumns<R>
}): RawBuilder<unknown> {
  const entries = Object.entries(options.columns)
  const arrays = entries.map(([, [type, value]]) => {
    const read = type === 'timestamptz' ? (row: R) => instant(value(row)) : value
    return sql`${options.rows.map(read)}::${sql.raw(type)}[]`
  })
  const names = sql.raw(`${options.alias} (${entries.map(([name]) => name).join(', ')})`)
  return sql`unnest(${sql.join(arrays)}) as ${names}`
}

function instant(value: unknown): string | null {
  return typeof value === 'number' ? new Date(value).toISOString() : null
}
