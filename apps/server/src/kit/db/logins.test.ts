import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { silentLog } from '#kit/log.ts'
import { testDatabase } from '#test/database.ts'
import { derivedLogins, prepareLogins } from './logins.ts'

const { url } = await testDatabase()
const logins = await prepareLogins({ url, log: silentLog })

async function connect(address: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  afterAll(() => client.end())
  return client
}
const app = await connect(logins?.app ?? '')
const system = await connect(logins?.system ?? '')

describe('the logins of requests and of background work', () => {
  it('are the same at each start', async () => {
    expect(await prepareLogins({ url, log: silentLog })).toEqual(logins)
    expect(derivedLogins(url)).toEqual(logins)
    const who = async (client: pg.Client) =>
      (await client.query<{ who: string }>('select session_user::text as who')).rows[0]?.who
    expect(await who(app)).toBe('saddle_app_login')
    expect(await who(system)).toBe('saddle_system_login')
  })

  it('gain nothing by giving up their role', async () => {
    await app.query('set role none')
    expect((await app.query('select from rider')).rowCount).toBe(0)
    await expect(app.query('select from retired_key')).rejects.toThrow(/permission denied/)
  })

  it.each([
    'set role saddle_system',
    'set session authorization saddle_system',
    "copy (select 1) to program 'id'",
    "set session_replication_role = 'replica'",
    'alter table audit_record disable trigger all',
    'create role more superuser',
    "select pg_read_file('/etc/passwd')",
    'alter role saddle_app superuser',
  ])('cannot: %s', async (statement) => {
    await expect(app.query(statement)).rejects.toThrow(/permission|must be|owner/)
    await expect(system.query(statement.replace('saddle_system', 'saddle_app'))).rejects.toThrow(
      /permission|must be|owner/,
    )
  })

  it('fall back, with a warning, where the owner may not make them', async () => {
    const bare = new URL(url)
    bare.password = ''
    expect(await prepareLogins({ url: bare.href, log: silentLog })).toBeNull()
  })
})
