import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import type { PoolClient } from 'pg'
import { runStatement } from './statement.ts'

/** One connection as Kysely sees it: statements go through the prepared-statement cache, one after the other. */
class ClientConnection implements DatabaseConnection {
  readonly #client: PoolClient
  #last: Promise<unknown> = Promise.resolve()

  constructor(client: PoolClient) {
    this.#client = client
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const run = (): ReturnType<typeof runStatement> =>
      runStatement({ client: this.#client, sql: query.sql, values: query.parameters })
    // Statements that callers start together queue up here; the client itself will stop queueing them one day.
    const answer = this.#last.then(run, run)
    this.#last = answer
    const { rows, command, rowCount } = await answer
    const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE'
    return { rows: rows as R[], ...(changes ? { numAffectedRows: BigInt(rowCount) } : {}) }
  }

  // eslint-disable-next-line require-yield -- the interface asks for a generator
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are read in bounded pages here, not streamed')
  }
}

/** A Kysely that lives as long as one transaction on one connection; `begin` may carry settings along. */
export function kyselyOnClient<DB>(options: { client: PoolClient; begin: string }): Kysely<DB> {
  const { client, begin } = options
  const connection = new ClientConnection(client)
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: async () => {
      await client.query(begin)
    },
    commitTransaction: async () => {
      const { command } = await client.query('commit')
      // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error.
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back because a statement in it had failed')
    },
    rollbackTransaction: async () => {
      await client.query('rollback')
    },
    releaseConnection: async () => {},
    destroy: async () => {},
  }
  return new Kysely<DB>({ dialect: dialectOf(driver) })
}

/** A Kysely that only writes SQL: for statements that are run elsewhere. */
export function compilingKysely<DB>(): Kysely<DB> {
  const refuse = async (): Promise<never> => {
    throw new Error('this Kysely only compiles: end with .compile() and hand the statement back')
  }
  return new Kysely<DB>({
    dialect: dialectOf({
      init: async () => {},
      acquireConnection: refuse,
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
      releaseConnection: async () => {},
      destroy: async () => {},
    }),
  })
}

function dialectOf(driver: Driver): ConstructorParameters<typeof Kysely>[0]['dialect'] {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (kysely: Kysely<unknown>) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}
