import { sql } from 'kysely'
import { computed, rowOfValues, type Computed } from '#kit/db/rows.ts'

/** Whole numbers that a statement has summed up under these names. */
export function countsOf<const N extends string>(alias: string, names: readonly N[]) {
  const entries = names.map((name) => [name, computed('bigint', sql.ref(`${alias}.${name}`))])
  return rowOfValues(Object.fromEntries(entries) as Record<N, Computed<number>>)
}
