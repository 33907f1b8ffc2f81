import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Client, DatabaseError } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { migrate, MIGRATIONS_FOLDER, readMigrations } from '../db/migrate.ts'
import type { Log } from '../log.ts'
import { BackupError, tableFile, type Manifest, type TableEntry } from './manifest.ts'
import { backupKey, openWith } from './seal.ts'

const insufficientPrivilege = '42501'

/** Reads every file once: throws BackupError when one is missing or not as it was written. */
export async function checkFiles(folder: string, { tables }: Manifest): Promise<void> {
  for (const table of tables) {
    const hash = createHash('sha256')
    try {
      await pipeline(createReadStream(tableFile(folder, table)), hash)
    } catch {
      throw new BackupError(`${tableFile(folder, table)} is missing from the backup.`)
    }
    if (hash.digest('hex') !== table.sha256)
      throw new BackupError(`${tableFile(folder, table)} is damaged: it is not what was written.`)
  }
}

/** Throws BackupError unless this version knows the schema of the backup. */
export function checkSchema({ migrations }: Manifest, folder: string = MIGRATIONS_FOLDER): void {
  const known = new Map(readMigrations(folder).map(({ name, checksum }) => [name, checksum]))
  const unknown = migrations.find(({ name, checksum }) => known.get(name) !== checksum)
  if (unknown !== undefined)
    throw new BackupError(
      `This version does not know the migration ${unknown.name} of the backup: restore it with the version that made it, or a newer one.`,
    )
}

/**
 * Fills an empty database with a backup, in one transaction. Its schema is made by the migrations that the backup was
 * made under; the next start runs the newer ones.
 */
export async function loadDatabase(options: {
  url: string
  folder: string
  manifest: Manifest
  /** The master secret of the backup; one of format 1 is not sealed. */
  secret?: string | undefined
  log: Log
}): Promise<void> {
  const { url, folder, manifest, log } = options
  const key = keyOf(manifest, options.secret)
  const client = new Client({ connectionString: url, application_name: 'saddle restore' })
  await client.connect()
  try {
    await assertEmpty(client)
    await migrate({ url, log, only: manifest.migrations.map(({ name }) => name) })
    // A superuser acts as either role without being a member, and may be none after the restore.
    await client.query('grant saddle_app, saddle_system to current_user with admin option')
    await client.query('begin')
    // Triggers and foreign keys held when the rows were first written, and would note each of them anew.
    await client.query('set local session_replication_role = replica')
    await makePartitions(client, manifest)
    await emptyTables(client, manifest)
    for (const table of manifest.tables) await loadTable({ client, folder, table, key })
    for (const { schema, name, value } of manifest.sequences)
      await client.query('select setval(format($$%I.%I$$, $1::text, $2::text)::regclass, $3::bigint)', [
        schema,
        name,
        value,
      ])
    await client.query('commit')
    await client.query('analyze')
  } catch (error) {
    if (error instanceof DatabaseError && error.code === insufficientPrivilege)
      throw new BackupError(`A restore needs a superuser of PostgreSQL (${error.message}).`)
    throw error
  } finally {
    await client.end()
  }
}

async function assertEmpty(client: Client): Promise<void> {
  const { rows } = await client.query<{ n: number }>(`
    select count(*)::integer as n from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname = 'public'`)
  if (rows[0]?.n !== 0) throw new BackupError('The database is not empty: a restore fills an empty one only.')
}

async function makePartitions(client: Client, { partitions }: Manifest): Promise<void> {
  for (const { schema, name, parent, bound, owner } of partitions) {
    const { rows } = await client.query('select to_regclass(format($$%I.%I$$, $1::text, $2::text)) as there', [
      schema,
      name,
    ])
    if ((rows[0] as { there: string | null }).there !== null) continue
    const table = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`
    await client.query(`create table ${table} partition of ${parent} ${bound}; alter table ${table} owner to ${owner}`)
  }
}

/** Migrations put first rows into some tables; the backup has them as they are now. Tables that it does not know stay empty. */
async function emptyTables(client: Client, { tables }: Manifest): Promise<void> {
  const names = tables.map(({ schema, name }) => `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`)
  await client.query(`truncate ${names.join(', ')} cascade`)
}

function keyOf({ format, salt }: Manifest, secret: string | undefined): Uint8Array | null {
  if (format === 1) return null
  if (salt === undefined || secret === undefined) throw new BackupError('A sealed backup needs its master secret.')
  return backupKey(secret, salt)
}

interface TableLoad {
  readonly client: Client
  readonly folder: string
  readonly table: TableEntry
  readonly key: Uint8Array | null
}

async function loadTable({ client, folder, table, key }: TableLoad): Promise<void> {
  const { schema, name, columns, rows } = table
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ')
  const into = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`
  const stream = client.query(copyFrom(`copy ${into} (${list}) from stdin`))
  const file = createReadStream(tableFile(folder, table))
  await (key === null ? pipeline(file, createGunzip(), stream) : pipeline(file, openWith(key), createGunzip(), stream))
  if (stream.rowCount !== rows)
    throw new BackupError(`${schema}.${name}: the backup has ${rows} rows and ${stream.rowCount} were read in.`)
}
