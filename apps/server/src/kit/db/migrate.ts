import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, type QueryResult } from 'pg'
import type { Log } from '../log.ts'
import { lockNumbers } from './lockNumbers.ts'

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url))

/** The parts of `up` run one after the other, each as one query. */
export type Migration = {
  name: string
  up: readonly SqlFile[]
  check: string
  checksum: string
  /** Checksums of earlier wordings that leave the same schema. */
  former: readonly string[]
}
type SqlFile = { path: string; sql: string }

/** A migration that cannot be applied, or a database that does not fit the code; the message says which and why. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/** The folder with the schema as a new database gets it, and the name by which a database remembers it. */
const BASELINE = 'baseline'
const DOMAIN = /^\d{2}-[a-z]+$/
/** In this order within a domain: what tables are built on, the tables, what is built on them. */
const BASELINE_PARTS = ['base.sql', 'tables.sql', 'functions.sql']
const NAME = /^\d{12}-[a-z0-9]+(?:-[a-z0-9]+)*$/
/** Documentation, next to the migrations. */
const DOCUMENTS = new Set(['README.md', 'schema.sql'])

/** Reads the baseline and the steps after it, in order. Throws MigrationError on a folder that is neither. */
export function readMigrations(folder: string = MIGRATIONS_FOLDER): Migration[] {
  const names = readdirSync(folder).filter((name) => !DOCUMENTS.has(name))
  const steps = names.filter((name) => name !== BASELINE).toSorted()
  const baseline = names.includes(BASELINE) ? [readBaseline(join(folder, BASELINE))] : []
  return [...baseline, ...steps.map((name) => readStep({ folder, name }))]
}

function readBaseline(folder: string): Migration {
  const domains = readdirSync(folder)
    .filter((name) => !DOCUMENTS.has(name))
    .toSorted()
  const misnamed = domains.find((name) => !DOMAIN.test(name))
  if (misnamed !== undefined) throw new MigrationError(`${misnamed} is not a domain of the baseline (nn-word)`)
  const read = (part: string): SqlFile[] =>
    domains
      .map((domain) => join(domain, part))
      .filter((path) => existsSync(join(folder, path)))
      .map((path) => ({ path, sql: readSql(join(folder, path)) }))
  const up = domains.flatMap((domain) =>
    BASELINE_PARTS.flatMap((part) => read(part).filter(({ path }) => path.startsWith(domain))),
  )
  const check = read('check.sql')
    .map(({ sql }) => sql)
    .join('\n')
  return { name: BASELINE, up, check, checksum: checksumOf([...up.map(({ sql }) => sql), check]), former: [] }
}

function readStep(options: { folder: string; name: string }): Migration {
  const { folder, name } = options
  if (!NAME.test(name)) throw new MigrationError(`${name} is not a migration's name (yyyymmddhhmm-words)`)
  for (const file of ['up.sql', 'check.sql', 'why.md']) {
    if (!existsSync(join(folder, name, file))) throw new MigrationError(`migration ${name} has no ${file}`)
  }
  const up = readSql(join(folder, name, 'up.sql'))
  const check = readSql(join(folder, name, 'check.sql'))
  const formerPath = join(folder, name, 'former.txt')
  const former = existsSync(formerPath) ? readSql(formerPath).trim().split('\n') : []
  return { name, up: [{ path: 'up.sql', sql: up }], check, checksum: checksumOf([up, check]), former }
}

/** Line ends differ between checkouts and mean nothing. */
const readSql = (path: string): string => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
const checksumOf = (texts: readonly string[]): string => createHash('sha256').update(texts.join('\0')).digest('hex')

/**
 * Brings the database to the code's state and returns the names of what was applied. Every migration runs in one
 * transaction together with its check; an edited, failed or unknown one throws MigrationError and changes nothing.
 * Several processes may call this at once: one works, the others wait.
 */
export async function migrate(options: {
  url: string
  log: Log
  folder?: string
  /** Of a schema as it once was: these and no others. */
  only?: readonly string[]
}): Promise<string[]> {
  const { only } = options
  const migrations = readMigrations(options.folder).filter(({ name }) => only === undefined || only.includes(name))
  const client = new Client({ connectionString: options.url, application_name: 'saddle migrate' })
  client.on('error', (err) => options.log.warn({ err }, 'the connection of the migrations broke'))
  await client.connect()
  try {
    await client.query("set lock_timeout = '10min'; set client_min_messages = warning")
    await client.query('select pg_advisory_lock($1)', [lockNumbers.migrations])
    const pending = await findPending({ client, migrations })
    for (const migration of pending) {
      const startedAt = performance.now()
      await apply({ client, migration })
      options.log.info(
        { migration: migration.name, ms: Math.round(performance.now() - startedAt) },
        'migration applied',
      )
    }
    return pending.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/** Names of the migrations that this version would apply. Throws MigrationError as `migrate` does. */
export async function pendingMigrations(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url, application_name: 'saddle migrate' })
  await client.connect()
  try {
    return (await findPending({ client, migrations: readMigrations() })).map(({ name }) => name)
  } finally {
    await client.end()
  }
}

async function findPending(options: { client: Client; migrations: readonly Migration[] }): Promise<Migration[]> {
  const { client, migrations } = options
  const table = await client.query<{ there: boolean }>("select to_regclass('public.migration') is not null as there")
  if (table.rows[0]?.there !== true) return [...migrations]
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migration')
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  const known = new Set(migrations.map((migration) => migration.name))
  const unknown = [...applied.keys()].find((name) => !known.has(name))
  if (unknown !== undefined) {
    throw new MigrationError(
      `the database has migration ${unknown}, which this version does not know: it was used by a newer version, ` +
        'or by one from before the baseline',
    )
  }
  for (const { name, checksum, former } of migrations) {
    const used = applied.get(name)
    if (used !== undefined && used !== checksum && !former.includes(used)) {
      throw new MigrationError(`migration ${name} was edited after it was applied; put it back and write a new one`)
    }
  }
  return migrations.filter((migration) => !applied.has(migration.name))
}

async function apply(options: { client: Client; migration: Migration }): Promise<void> {
  const { client, migration } = options
  const { name, up, check, checksum } = migration
  try {
    await client.query('begin')
    for (const { path, sql } of up) await runFile({ client, path, sql })
    await assertCheck({ client, check })
    await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new MigrationError(`migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

async function runFile(options: { client: Client; path: string; sql: string }): Promise<void> {
  try {
    await options.client.query(options.sql)
  } catch (error) {
    throw new Error(`${options.path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** Every row of every statement of check.sql must say `ok`; a check without rows checks nothing and fails. */
async function assertCheck(options: { client: Client; check: string }): Promise<void> {
  // The simple protocol answers several statements with a list, which the types do not know.
  const answer = (await options.client.query(options.check)) as QueryResult | QueryResult[]
  const rows = (Array.isArray(answer) ? answer : [answer]).flatMap((result) => result.rows as Record<string, unknown>[])
  if (rows.length === 0) throw new Error('its check.sql returned no row')
  const wrong = rows.filter((row) => row['ok'] !== true)
  if (wrong.length > 0) throw new Error(`its check.sql found: ${JSON.stringify(wrong.slice(0, 10))}`)
}
