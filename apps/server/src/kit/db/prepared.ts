import type { CompiledQuery, Kysely } from 'kysely'
import { compilingKysely } from './transaction.ts'
import type { DB } from './types.ts'

/** Stands for a value while a query is written; no value of the database is one. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

type Slots<V> = { readonly [K in keyof V]: V[K] }

/**
 * Writes a query once and fills in its values on each use: for hot reads, where building and printing the tree costs
 * more than running it. Values may only be bound, never looked at, while the query is written.
 */
export function prepareQuery<V extends object, R>(options: {
  readonly values: readonly (keyof V & string)[]
  readonly build: (kysely: Kysely<DB>, values: Slots<V>) => { compile(): CompiledQuery<R> }
}): (values: V) => CompiledQuery<R> {
  const slots = Object.fromEntries(options.values.map((name) => [name, new Slot(name)])) as unknown as Slots<V>
  const template = options.build(compilingKysely<DB>(), slots).compile()
  return (values) => ({
    ...template,
    parameters: template.parameters.map((value) => (value instanceof Slot ? Reflect.get(values, value.name) : value)),
  })
}
