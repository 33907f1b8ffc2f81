import { createHmac } from 'node:crypto'
import { Client, DatabaseError, escapeIdentifier, escapeLiteral } from 'pg'
import type { Log } from '../log.ts'

/** Addresses of the logins that requests and background work connect as. */
export interface Logins {
  readonly app: string
  readonly system: string
}

const roles = { app: 'saddle_app', system: 'saddle_system' } as const
// Any fixed number will do: it names our lock among the database's advisory locks.
const lockNumber = 7_233_362

/** The addresses that `prepareLogins` makes; null where the owner's address has no password to derive theirs from. */
export function derivedLogins(url: string): Logins | null {
  const { password } = new URL(url)
  if (password === '') return null
  const addressOf = (role: string): string => {
    const address = new URL(url)
    address.username = role
    address.password = createHmac('sha256', password).update(`login of ${role}`).digest('base64url')
    return address.href
  }
  return { app: addressOf(roles.app), system: addressOf(roles.system) }
}

/**
 * Makes logins of the two roles, so that a connection of requests has no rights but those of `saddle_app`: whoever gets
 * SQL of their own into it can drop no role, become no other and reach no program of the machine. Null when the owner
 * may not change these roles: connections then take their role at the start, and `set role none` gives them the owner's
 * rights back.
 */
export async function prepareLogins(options: { url: string; log: Log }): Promise<Logins | null> {
  const { url, log } = options
  const logins = derivedLogins(url)
  if (logins === null) return withoutLogins(log, 'DATABASE_URL has no password')
  if (await canConnect(logins)) return logins
  const client = new Client({ connectionString: url, application_name: 'saddle logins' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [lockNumber])
    for (const [name, role] of Object.entries(roles)) {
      const password = new URL(logins[name === 'app' ? 'app' : 'system']).password
      await client.query(`alter role ${escapeIdentifier(role)} login password ${escapeLiteral(password)}`)
    }
    await client.query('commit')
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    return withoutLogins(log, error.message)
  } finally {
    await client.end()
  }
  return (await canConnect(logins)) ? logins : withoutLogins(log, 'the server does not take their passwords')
}

function withoutLogins(log: Log, reason: string): null {
  log.warn(
    { reason },
    'saddle_app and saddle_system have no logins of their own: set DATABASE_APP_URL and DATABASE_SYSTEM_URL, see operations.md',
  )
  return null
}

async function canConnect(logins: Logins): Promise<boolean> {
  for (const url of [logins.app, logins.system]) {
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
