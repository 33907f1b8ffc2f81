import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Client, DatabaseError } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { secretDigest } from '../start/secretCheck.ts'
import { BackupError, manifestFile, tableFile, type Manifest, type TableEntry } from './manifest.ts'
import { backupKey, newSalt, sealWith } from './seal.ts'

const insufficientPrivilege = '42501'
const undefinedTable = '42P01'

/** Makes the folder of a backup. Throws BackupError when something is in it. */
export function prepareFolder(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new BackupError(`${folder} is not empty: a backup goes into a folder of its own.`)
  mkdirSync(join(folder, 'tables'), { recursive: true, mode: 0o700 })
}

/**
 * Writes every row of the database, as of one moment, while others go on working. `url` must be that of a login whom no
 * row policy binds: a dump that a policy has thinned out would look whole.
 */
export async function dumpDatabase(options: {
  url: string
  folder: string
  now: Date
  /** The master secret of the database, and the one before it while it is rotated. */
  secrets: readonly string[]
}): Promise<Manifest> {
  const { url, folder, now } = options
  const client = new Client({ connectionString: url, application_name: 'saddle backup' })
  await client.connect()
  try {
    // With row_security off a statement that a policy would thin out fails instead.
    await client.query('begin isolation level repeatable read, read only; set local row_security = off')
    const manifest = { ...(await describe(client, now)), format: 2 as const, salt: newSalt() }
    const key = backupKey(secretOf(manifest, options.secrets), manifest.salt)
    const tables: TableEntry[] = []
    for (const table of manifest.tables) tables.push(await dumpTable({ client, folder, table, key }))
    await client.query('commit')
    const whole = { ...manifest, tables }
    await writeDurably(manifestFile(folder), `${JSON.stringify(whole, null, 1)}\n`)
    return whole
  } catch (error) {
    if (error instanceof DatabaseError && error.code === undefinedTable)
      throw new BackupError('The database holds no installation yet: there is nothing to back up.')
    if (error instanceof DatabaseError && error.code === insufficientPrivilege)
      throw new BackupError(
        `The login of DATABASE_URL may not read every row (${error.message}): use a superuser or one with BYPASSRLS.`,
      )
    throw error
  } finally {
    await client.end()
  }
}

async function describe(client: Client, now: Date): Promise<Manifest> {
  const rowsOf = async <T extends object>(sql: string): Promise<T[]> => (await client.query<T>(sql)).rows
  const tables = await rowsOf<TableEntry>(`
    select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
      0 as rows, 0 as bytes, '' as sha256
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'
      and (n.nspname, c.relname) <> ('public', 'migration')
    group by 1, 2 order by 1, 2`)
  const hasSecret = tables.some(({ schema, name }) => schema === 'public' && name === 'secret_check')
  const [server] = await rowsOf<{ version: string }>("select current_setting('server_version') as version")
  const [secret] = hasSecret ? await rowsOf<{ digest: string }>('select digest from secret_check') : []
  return {
    format: 1,
    createdAt: now.toISOString(),
    postgres: server?.version ?? '',
    migrations: await rowsOf('select name, checksum from migration order by applied_at, name'),
    partitions: await rowsOf(`
      select n.nspname as schema, c.relname as name, i.inhparent::regclass::text as parent,
        pg_get_expr(c.relpartbound, c.oid) as bound, p.relowner::regrole::text as owner
      from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_namespace n on n.oid = c.relnamespace
        join pg_class p on p.oid = i.inhparent
      where c.relispartition and c.relkind = 'r' order by 1, 2`),
    tables,
    sequences: await rowsOf(`
      select schemaname as schema, sequencename as name, last_value::text as value
      from pg_sequences where last_value is not null order by 1, 2`),
    secretDigest: secret?.digest ?? null,
  }
}

/** The master secret that the rows belong to: the restore asks for the same. */
function secretOf({ secretDigest: digest }: Manifest, secrets: readonly string[]): string {
  const found = secrets.find((secret) => digest === null || secretDigest(secret) === digest)
  if (found === undefined)
    throw new BackupError(
      'The master secret is not the one of this database: set DATA_DIR or SADDLE_SECRET as for its server.',
    )
  return found
}

interface TableDump {
  readonly client: Client
  readonly folder: string
  readonly table: TableEntry
  readonly key: Uint8Array
}

async function dumpTable({ client, folder, table, key }: TableDump): Promise<TableEntry> {
  const { schema, name, columns } = table
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ')
  const from = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`
  const rows = client.query(copyTo(`copy ${from} (${list}) to stdout`))
  const hash = createHash('sha256')
  let bytes = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  const file = createWriteStream(tableFile(folder, table), { mode: 0o600, flush: true })
  await pipeline(rows, createGzip({ level: 3 }), sealWith(key), measure, file)
  return { ...table, rows: rows.rowCount, bytes, sha256: hash.digest('hex') }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
