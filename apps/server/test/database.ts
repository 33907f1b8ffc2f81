import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll } from 'vitest'
import { derivedLogins } from '#kit/db/logins.ts'
import { openDatabase, type Database } from '#kit/db/pool.ts'
import type { DB } from '#kit/db/types.ts'
import { columnTypes } from '#kit/db/values.ts'
import { createLog } from '#kit/log.ts'
import { testDatabaseName, withDatabase } from './cluster.ts'
import { testCluster } from './testCluster.ts'

export type TestDatabase = {
  db: Database
  /** Address of this database as its owner, for code that opens its own connections. */
  url: string
  /** Kysely as the owner (a superuser, whom row level security does not bind), for seeding and looking. */
  owner: Kysely<DB>
}

/**
 * A fresh, migrated database of the calling test file, dropped after its last test. Call it at the top of a file
 * (within a hook nothing would be dropped): `const { db, owner } = await testDatabase()`.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const { url: clusterUrl, template } = await testCluster()
  const name = testDatabaseName()
  await asOwner(clusterUrl, `create database ${name} template ${template} strategy file_copy`)
  const url = withDatabase({ url: clusterUrl, database: name })
  const logins = derivedLogins(url)
  const db = openDatabase({ url, logins, log: createLog({ level: 'error' }), appConnections: 5, systemConnections: 3 })
  const ownerPool = new pg.Pool({ connectionString: url, max: 2, types: columnTypes })
  ownerPool.on('error', () => {})
  const owner = new Kysely<DB>({ dialect: new PostgresDialect({ pool: ownerPool }) })
  afterAll(async () => {
    await Promise.all([db.close(), owner.destroy()])
    await asOwner(clusterUrl, `drop database if exists ${name} with (force)`)
  })
  return { db, url, owner }
}

async function asOwner(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
