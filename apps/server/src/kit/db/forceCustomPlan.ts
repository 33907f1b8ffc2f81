import type { CompiledQuery } from 'kysely'

const queries = new WeakSet<object>()

/**
 * Has the database plan the statement for its very values each time, a millisecond or so, instead of keeping one plan for
 * all: for lists whose best way depends on what is asked for, and on how many areas somebody may see.
 */
export function forceCustomPlan<R>(query: CompiledQuery<R>): CompiledQuery<R> {
  queries.add(query)
  return query
}

export const isPlannedAnew = (query: CompiledQuery): boolean => queries.has(query)
