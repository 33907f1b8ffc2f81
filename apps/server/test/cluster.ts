import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { prepareLogins } from '#kit/db/logins.ts'
import { MIGRATIONS_FOLDER, migrate, readMigrations } from '#kit/db/migrate.ts'
import { createLog } from '#kit/log.ts'
import { startEmbedded } from '#kit/postgres/embedded.ts'

export type TestCluster = {
  /** Address of the cluster's database `saddle`, as owner; other databases are reached by `withDatabase`. */
  url: string
  template: string
  stop(): Promise<void>
}

const TEMPLATE_PREFIX = 'saddle_template_'
const TEST_PREFIX = 'saddle_test_'
const SETUP_LOCK_NUMBER = 7_233_352

/** The same address with another database name. */
export function withDatabase(options: { url: string; database: string }): string {
  const address = new URL(options.url)
  address.pathname = `/${options.database}`
  return address.href
}

/** Name for a database that only lives while this process does; see `dropStale`. */
export function testDatabaseName(): string {
  return `${TEST_PREFIX}${process.pid}_${createHash('sha256').update(`${performance.now()}${Math.random()}`).digest('hex').slice(0, 10)}`
}

/**
 * Starts (or joins) the throw-away cluster of this checkout and user, and makes the migrated template database, named
 * by the content of the migrations so that an edited migration makes a new one.
 */
export async function prepareTestCluster(): Promise<TestCluster> {
  const log = createLog({ level: 'error' })
  const owner = `${process.getuid?.() ?? 0}:${MIGRATIONS_FOLDER}`
  const dataDir = join(tmpdir(), `saddle-test-${createHash('sha256').update(owner).digest('hex').slice(0, 12)}`)
  const postgres = await startEmbedded({ dataDir, log, durable: false })
  try {
    await closeRoles(postgres.url)
    const template = await prepareTemplate(postgres.url)
    await prepareLogins({ url: postgres.url, log })
    return { url: postgres.url, template, stop: () => postgres.stop() }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

/** For a short time these roles could log in themselves; the first migration demands that they cannot. */
async function closeRoles(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      "select rolname as name from pg_roles where rolname in ('saddle_app', 'saddle_system') and rolcanlogin",
    )
    for (const { name } of rows) await client.query(`alter role ${name} nologin`)
  } finally {
    await client.end()
  }
}

async function prepareTemplate(url: string): Promise<string> {
  const contents = readMigrations().map(({ name, checksum }) => `${name} ${checksum}`)
  const template = TEMPLATE_PREFIX + createHash('sha256').update(contents.join('\n')).digest('hex').slice(0, 16)
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [SETUP_LOCK_NUMBER])
    await dropStale({ client, template })
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
    if (rowCount === 0) await createTemplate({ client, url, template })
    return template
  } finally {
    await client.end()
  }
}

async function createTemplate(options: { client: Client; url: string; template: string }): Promise<void> {
  const { client, url, template } = options
  // Renamed when complete, so that a run that was killed leaves no half-migrated template behind.
  const draft = testDatabaseName()
  await client.query(`create database ${draft}`)
  await migrate({ url: withDatabase({ url, database: draft }), log: createLog({ level: 'error' }) })
  await client.query(`alter database ${draft} rename to ${template}`)
}

/** Drops databases of processes that are gone, and templates of other migrations that nobody else's run may need. */
async function dropStale(options: { client: Client; template: string }): Promise<void> {
  const { client, template } = options
  const { rows } = await client.query<{ name: string }>(
    "select datname as name from pg_database where datname like 'saddle\\_t%' and datname <> $1",
    [template],
  )
  const keepers = await client.query("select from pg_stat_activity where application_name = 'saddle keeper'")
  const isAlone = (keepers.rowCount ?? 0) <= 1
  for (const { name } of rows) {
    const isStale = name.startsWith(TEMPLATE_PREFIX) ? isAlone : isOfDeadProcess(name)
    if (isStale) await client.query(`drop database if exists ${name} with (force)`)
  }
}

function isOfDeadProcess(name: string): boolean {
  const pid = Number(name.slice(TEST_PREFIX.length).split('_')[0])
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
