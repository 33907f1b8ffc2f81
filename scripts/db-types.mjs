// Writes apps/server/src/kit/db/types.ts and apps/server/migrations/schema.sql from a freshly migrated database; with
// --verify only compares.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { becomeProjectNode, projectEnvironment, ROOT } from './lib/node24.mjs'
import { printSchema } from './lib/schema-sql.mjs'

const TYPES_FILE = join(ROOT, 'apps', 'server', 'src', 'kit', 'db', 'types.ts')
const SCHEMA_FILE = join(ROOT, 'apps', 'server', 'migrations', 'schema.sql')
const HEADER = '// Generated from the database by `npm run db:types`. Do not edit.\n'

// What kit/db/values.ts turns columns into.
const TYPE_MAPPING = { int8: 'number', date: 'string' }

function run(command, args, env = {}) {
  const result = spawnSync(command, args, { cwd: ROOT, env: projectEnvironment(env), encoding: 'utf8' })
  if (result.status !== 0)
    throw new Error(`${command} failed: ${result.stderr || result.stdout || result.error?.message}`)
}

/** A copy of the migrated template, because nobody can copy a template while somebody is connected to it. */
async function withMigratedDatabase(work) {
  const { prepareTestCluster, testDatabaseName, withDatabase } = await import('../apps/server/test/cluster.ts')
  const { Client } = createRequire(join(ROOT, 'apps', 'server', 'package.json'))('pg')
  const cluster = await prepareTestCluster()
  const owner = new Client({ connectionString: cluster.url })
  await owner.connect()
  const database = testDatabaseName()
  await owner.query(`create database ${database} template ${cluster.template}`)
  const url = withDatabase({ url: cluster.url, database })
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work({ url, client })
  } finally {
    await client.end()
    await owner.query(`drop database if exists ${database} with (force)`)
    await owner.end()
    await cluster.stop()
  }
}

function generateTypes({ url, file }) {
  run(
    join(ROOT, 'node_modules', '.bin', 'kysely-codegen'),
    ['--dialect=postgres', `--out-file=${file}`, `--type-mapping=${JSON.stringify(TYPE_MAPPING)}`, '--log-level=warn'],
    { DATABASE_URL: url },
  )
  const body = readFileSync(file, 'utf8').replace(/^\/\*\*[\s\S]*?\*\/\s*/, '')
  writeFileSync(file, HEADER + body)
  run(join(ROOT, 'node_modules', '.bin', 'oxfmt'), [file])
  return readFileSync(file, 'utf8')
}

async function main() {
  const folder = join(ROOT, '.cache', `db-types-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  try {
    const files = await withMigratedDatabase(async ({ url, client }) => [
      [TYPES_FILE, generateTypes({ url, file: join(folder, 'types.ts') })],
      [SCHEMA_FILE, await printSchema(client)],
    ])
    for (const [file, generated] of files) {
      if (!process.argv.includes('--verify')) writeFileSync(file, generated)
      else if (!existsSync(file) || generated !== readFileSync(file, 'utf8')) {
        console.error(`${relative(ROOT, file)} does not fit the migrations: run npm run db:types`)
        process.exitCode = 1
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (!becomeProjectNode()) await main()
