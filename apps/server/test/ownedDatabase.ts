import pg from 'pg'
import { testDatabaseName, withDatabase } from './cluster.ts'

export interface OwnedDatabase {
  readonly name: string
  /** Address as its owner. */
  readonly url: string
  /** Runs SQL as the owner, whom row level security does not bind. */
  readonly query: (sql: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>
  readonly drop: () => Promise<void>
}

export interface OwnedDatabaseOptions {
  readonly clusterUrl: string
  /** The database that it is a copy of; without one it has no table, for a server that makes its own. */
  readonly template?: string | undefined
}

/** A database in the cluster of the tests for a server that is a process of its own. Whoever asks drops it. */
export async function ownedDatabase({ clusterUrl, template }: OwnedDatabaseOptions): Promise<OwnedDatabase> {
  const name = testDatabaseName()
  const url = withDatabase({ url: clusterUrl, database: name })
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
  await query(
    clusterUrl,
    `create database ${name}${template === undefined ? '' : ` template ${template} strategy file_copy`}`,
  )
  return {
    name,
    url,
    query: (sql, values) => query(url, sql, values),
    drop: async () => void (await query(clusterUrl, `drop database if exists ${name} with (force)`)),
  }
}
