import { AsyncLocalStorage } from 'node:async_hooks'
import type { PoolClient } from 'pg'
import type { Pools } from './readDatabase.ts'
import { runStatement, type ScopeSettings, type StatementResult } from './statement.ts'

/** What begins a transaction that may see an exported snapshot. */
export const beginSnapshot = 'begin isolation level repeatable read read only'

interface Read {
  readonly sql: string
  readonly values: readonly unknown[]
  readonly scope: ScopeSettings
  readonly isKept?: boolean
}

/** The moment at which all reads of some work see the database. */
export interface Snapshot {
  /** Under which other transactions may see the same. */
  readonly id: string
  /** Of the database that has it. */
  readonly pools: Pools
  readonly read: (read: Read) => Promise<StatementResult>
}

interface Held {
  readonly client: PoolClient
  readonly pools: Pools
}

/** Keeps which snapshot the running work reads from. */
export function createSnapshots() {
  const current = new AsyncLocalStorage<Snapshot>()
  return {
    running: (): Snapshot | null => current.getStore() ?? null,
    /** Runs work in a snapshot that this connection holds. */
    run: async <T>({ client, pools }: Held, work: () => Promise<T>): Promise<T> => {
      await client.query(beginSnapshot)
      try {
        const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id')
        const [row] = rows
        if (row === undefined) throw new Error('a snapshot without a name')
        let last: Promise<unknown> = Promise.resolve()
        const read = (asked: Read): Promise<StatementResult> => {
          const run = (): Promise<StatementResult> => runStatement({ client, ...asked })
          // Reads that are begun together wait for each other here: the client takes one at a time.
          const answer = last.then(run, run)
          last = answer
          return answer
        }
        return await current.run({ id: row.id, pools, read }, work)
      } finally {
        await client.query('rollback')
      }
    },
  }
}
