import pg from 'pg'
import { inject } from 'vitest'
import { testDatabaseName, withDatabase } from './cluster.ts'

export interface EmptyDatabase {
  /** Address as its owner. */
  readonly url: string
  /** Runs SQL as the owner, whom row level security does not bind. */
  readonly query: (sql: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>
  readonly drop: () => Promise<void>
}

/** A database without any table in the cluster of the tests, for a server that makes its own. Whoever asks drops it. */
export async function emptyDatabase(): Promise<EmptyDatabase> {
  const { url: clusterUrl } = inject('testPostgres')
  const database = testDatabaseName()
  const url = withDatabase({ url: clusterUrl, database })
  const query = async (address: string, sql: string, values: readonly unknown[] = []) => {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    try {
      const { rows } = await client.query<Record<string, unknown>>(sql, [...values])
      return rows
    } finally {
      await client.end()
    }
  }
  await query(clusterUrl, `create database ${database}`)
  return {
    url,
    query: (sql, values) => query(url, sql, values),
    drop: async () => void (await query(clusterUrl, `drop database if exists ${database} with (force)`)),
  }
}
