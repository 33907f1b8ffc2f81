// Writes apps/server/src/kit/db/types.ts from a freshly migrated database; with --verify only compares.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { becomeProjectNode, projectEnvironment, ROOT } from './lib/node24.mjs'

const TYPES_FILE = join(ROOT, 'apps', 'server', 'src', 'kit', 'db', 'types.ts')
const HEADER = '// Generated from the database by `npm run db:types`. Do not edit.\n'

// What kit/db/values.ts turns columns into.
const TYPE_MAPPING = { int8: 'number', date: 'string' }

function run(command, args, env = {}) {
  const result = spawnSync(command, args, { cwd: ROOT, env: projectEnvironment(env), encoding: 'utf8' })
  if (result.status !== 0)
    throw new Error(`${command} failed: ${result.stderr || result.stdout || result.error?.message}`)
}

async function generate(file) {
  const { prepareTestCluster, testDatabaseName, withDatabase } = await import('../apps/server/test/cluster.ts')
  const { Client } = createRequire(join(ROOT, 'apps', 'server', 'package.json'))('pg')
  const cluster = await prepareTestCluster()
  const owner = new Client({ connectionString: cluster.url })
  await owner.connect()
  // A copy, because nobody can copy the template while somebody is connected to it.
  const database = testDatabaseName()
  await owner.query(`create database ${database} template ${cluster.template}`)
  try {
    run(
      join(ROOT, 'node_modules', '.bin', 'kysely-codegen'),
      [
        '--dialect=postgres',
        `--out-file=${file}`,
        `--type-mapping=${JSON.stringify(TYPE_MAPPING)}`,
        '--log-level=warn',
      ],
      { DATABASE_URL: withDatabase({ url: cluster.url, database }) },
    )
  } finally {
    await owner.query(`drop database if exists ${database} with (force)`)
    await owner.end()
    await cluster.stop()
  }
  const body = readFileSync(file, 'utf8').replace(/^\/\*\*[\s\S]*?\*\/\s*/, '')
  writeFileSync(file, HEADER + body)
  run(join(ROOT, 'node_modules', '.bin', 'oxfmt'), [file])
  return readFileSync(file, 'utf8')
}

async function main() {
  const folder = join(ROOT, '.cache', `db-types-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  try {
    const generated = await generate(join(folder, 'types.ts'))
    if (!process.argv.includes('--verify')) {
      writeFileSync(TYPES_FILE, generated)
    } else if (generated !== readFileSync(TYPES_FILE, 'utf8')) {
      console.error('apps/server/src/kit/db/types.ts does not fit the migrations: run npm run db:types')
      process.exitCode = 1
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (!becomeProjectNode()) await main()
