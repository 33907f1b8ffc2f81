import { sql } from 'kysely'
import { systemClock } from '#kit/clock.ts'
import { runCommand } from '#kit/commandCli.ts'
import { withConfiguredDatabase } from '#kit/db/configured.ts'
import type { Database } from '#kit/db/pool.ts'
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
  return withConfiguredDatabase(async (db) => {
    const numbers = await franchisees(db)
    if (!Number.isSafeInteger(agentId) || agentId <= 0 || name === '') {
      console.error('usage: npm run --silent rider:app -- <number of a franchisee> <name of the application> [--off]')
      console.error(numbers)
      return 2
    }
    if (!(await isFranchisee(db, agentId))) {
      console.error(`there is no franchisee ${agentId}; ${numbers}`)
      return 1
    }
    return options.includes('--off') ? await switchOff(db, { agentId, name }) : await giveKey(db, { agentId, name })
  })
}

const shownFranchisees = 20

/** Which numbers there are, in one line. */
async function franchisees(db: Database): Promise<string> {
  const rows = await db.systemRead((kysely) =>
    kysely
      .selectFrom('agent')
      .select(['id', 'company'])
      .orderBy('id')
      .limit(shownFranchisees + 1)
      .compile(),
  )
  if (rows.length === 0) return 'no company has been made yet'
  const named = rows.slice(0, shownFranchisees).map(({ id, company }) => `${id} ${company}`)
  return `the numbers are ${named.join(', ')}${rows.length > shownFranchisees ? ', …' : ''}`
}

async function isFranchisee(db: Database, agentId: number): Promise<boolean> {
  const rows = await db.systemRead((kysely) =>
    kysely.selectFrom('agent').select('id').where('id', '=', agentId).compile(),
  )
  return rows.length === 1
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
  if (rows.length > 0) {
    console.log(`${name} is switched off`)
    return 0
  }
  const apps = await db.systemRead((kysely) =>
    kysely
      .selectFrom('rider_app')
      .select('name')
      .where('agent_id', '=', agentId)
      .orderBy('name')
      .limit(shownFranchisees)
      .compile(),
  )
  const known = apps.length === 0 ? 'it has none' : `it has ${apps.map((app) => app.name).join(', ')}`
  console.error(`franchisee ${agentId} has no application ${name}: ${known}`)
  return 1
}

await runCommand(main)
