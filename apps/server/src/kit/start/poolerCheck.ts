import { Client } from 'pg'
import type { Logins } from '../db/logins.ts'
import { sessionSettings } from '../db/pool.ts'
import { StartRefusal } from './refusal.ts'

const roles = [
  ['app', 'saddle_app'],
  ['system', 'saddle_system'],
] as const satisfies readonly (readonly [keyof Logins, string])[]

/**
 * Throws StartRefusal unless every session behind the pooler begins with the settings of its role: a connection through a
 * pooler cannot set them for itself, because its next transaction may have another session.
 */
export async function assertPooled(logins: Logins): Promise<void> {
  for (const [login, role] of roles) {
    const client = new Client({ connectionString: logins[login], application_name: 'saddle pooler' })
    client.on('error', () => {})
    await client.connect()
    try {
      const { rows } = await client.query<{ is_right: boolean }>(
        `select ${sessionSettings(role)
          .map(([name, value]) => (name === 'role' ? `current_user = '${value}'` : `current_setting('${name}') <> '0'`))
          .join(' and ')} as is_right`,
      )
      if (rows[0]?.is_right !== true) throw new StartRefusal(refusalOf(role, new URL(logins[login]).username))
    } finally {
      await client.end().catch(() => {})
    }
  }
}

const refusalOf = (role: 'saddle_app' | 'saddle_system', login: string): string =>
  `Sessions behind the pooler do not begin with the settings of ${role}. Run as the owner of the database, then reconnect the pooler: ${loginSettings(role, login)}`

/** What gives a login the settings that its connections would have set for themselves. */
export const loginSettings = (role: 'saddle_app' | 'saddle_system', login: string): string =>
  sessionSettings(role)
    .map(([name, value]) => `alter role ${login} set ${name} = '${value}';`)
    .join(' ')
