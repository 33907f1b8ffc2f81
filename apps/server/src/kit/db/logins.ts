import { createHmac } from 'node:crypto'
import { Client, DatabaseError, escapeIdentifier, escapeLiteral } from 'pg'
import type { Log } from '../log.ts'
import { lockNumbers } from './lockNumbers.ts'

/** Addresses of the logins that requests and background work connect as. */
export interface Logins {
  readonly app: string
  readonly system: string
}

const logins = {
  app: { name: 'saddle_app_login', role: 'saddle_app' },
  system: { name: 'saddle_system_login', role: 'saddle_system' },
} as const

/** The addresses that `prepareLogins` makes; null where the owner's address has no password to derive theirs from. */
export function derivedLogins(url: string): Logins | null {
  const { password } = new URL(url)
  if (password === '') return null
  const addressOf = (name: string): string => {
    const address = new URL(url)
    address.username = name
    address.password = createHmac('sha256', password).update(name).digest('base64url')
    return address.href
  }
  return { app: addressOf(logins.app.name), system: addressOf(logins.system.name) }
}

/**
 * Makes a login for each of the two roles, a member of that role alone: whoever gets SQL of their own into a request gains
 * nothing by giving its role up, becomes no other and reaches no program of the machine. Null when the owner may make no
 * roles: connections then take their role at the start, and `set role none` gives them the owner's rights back.
 */
export async function prepareLogins(options: { url: string; log: Log }): Promise<Logins | null> {
  const { url, log } = options
  const addresses = derivedLogins(url)
  if (addresses === null) return withoutLogins(log, 'DATABASE_URL has no password')
  if (await canConnect(addresses)) return addresses
  const client = new Client({ connectionString: url, application_name: 'saddle logins' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [lockNumbers.logins])
    await makeLogin({ client, ...logins.app, url: addresses.app })
    await makeLogin({ client, ...logins.system, url: addresses.system })
    await client.query('commit')
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    return withoutLogins(log, error.message)
  } finally {
    await client.end()
  }
  return (await canConnect(addresses)) ? addresses : withoutLogins(log, 'the server does not take their passwords')
}

async function makeLogin(options: {
  readonly client: Client
  readonly name: string
  readonly role: string
  readonly url: string
}): Promise<void> {
  const { client, name, role, url } = options
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name])
  const login = escapeIdentifier(name)
  if (rowCount === 0) await client.query(`create role ${login} login in role ${escapeIdentifier(role)}`)
  await client.query(`alter role ${login} login password ${escapeLiteral(new URL(url).password)}`)
}

function withoutLogins(log: Log, reason: string): null {
  log.warn(
    { reason },
    'requests and background work have no logins of their own: set DATABASE_APP_URL and DATABASE_SYSTEM_URL, see operations.md',
  )
  return null
}

async function canConnect({ app, system }: Logins): Promise<boolean> {
  for (const url of [app, system]) {
    const client = new Client({ connectionString: url, application_name: 'saddle logins' })
    client.on('error', () => {})
    try {
      await client.connect()
    } catch (error) {
      if (error instanceof DatabaseError) return false
      throw error
    } finally {
      await client.end().catch(() => {})
    }
  }
  return true
}
