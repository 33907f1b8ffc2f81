import { resolve } from 'node:path'
import { sql } from 'kysely'
import { systemClock } from '#kit/clock.ts'
import { loadConfig } from '#kit/config.ts'
import { openDatabase, type Database } from '#kit/db/pool.ts'
import { createLog, silentLog } from '#kit/log.ts'
import { startEmbedded } from '#kit/postgres/embedded.ts'
import { secureRandom } from '#kit/random.ts'
import { addApp } from './store.ts'

/**
 * `npm run --silent rider:app -- <franchisee> <name>` gives an application of riders its key, which is shown this once; the
 * same name again gets a new one, and the old one is worth nothing from then on. With `--off` the application is switched
 * off.
 */
async function main(): Promise<number> {
  const [agent = '', name = '', ...options] = process.argv.slice(2)
  const agentId = Number(agent)
  if (!Number.isSafeInteger(agentId) || agentId <= 0 || name === '') {
    console.error('usage: npm run --silent rider:app -- <number of a franchisee> <name of the application> [--off]')
    return 2
  }
  const config = loadConfig(process.env, [])
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbedded({ dataDir: resolve(config.dataDir), log: createLog({ level: 'silent' }) })
      : null
  const db = openDatabase({ url: embedded?.url ?? config.databaseUrl ?? '', log: silentLog, systemConnections: 1 })
  try {
    return options.includes('--off') ? await switchOff(db, { agentId, name }) : await giveKey(db, { agentId, name })
  } finally {
    await db.close()
    await embedded?.stop()
  }
}

type App = { readonly agentId: number; readonly name: string }

async function giveKey(db: Database, app: App): Promise<number> {
  const kit = { clock: systemClock, random: secureRandom }
  console.log(await db.system((tx) => addApp(kit, tx, app)))
  return 0
}

async function switchOff(db: Database, { agentId, name }: App): Promise<number> {
  const { rows } = await db.system((tx) =>
    sql`update rider_app set state = 'disabled' where agent_id = ${agentId} and name = ${name} returning id`.execute(
      tx,
    ),
  )
  console.log(rows.length === 0 ? `franchisee ${agentId} has no application ${name}` : `${name} is switched off`)
  return rows.length === 0 ? 1 : 0
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}
