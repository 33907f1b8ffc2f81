import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testDatabase } from '#test/database.ts'
import { silentLog } from '../log.ts'
import { takeTurnToStart } from '../start/onlyServer.ts'
import { seekLeadership } from './leader.ts'

const { owner, url } = await testDatabase()
const leading = new Set<string>()
/** The most that ever led at once. */
let most = 0
const stops = new Map<string, () => Promise<void>>()
afterAll(async () => {
  await Promise.all([...stops.values()].map((stop) => stop()))
})

function seek(name: string, task: 'jobs' | 'mqttBroker' = 'jobs'): void {
  const lead = () => {
    leading.add(name)
    most = Math.max(most, leading.size)
    return async () => {
      await Promise.resolve()
      leading.delete(name)
    }
  }
  stops.set(name, seekLeadership({ url, log: silentLog, task, lead, graceMs: 2_500 }))
}

const waitMs = { timeout: 60_000 }

it('is one process at a time, and goes over to another one when it stops or loses the database', async () => {
  for (const name of ['a', 'b', 'c']) seek(name)
  await expect.poll(() => leading.size, waitMs).toBe(1)
  const [leader = ''] = leading
  await stops.get(leader)?.()
  stops.delete(leader)
  expect(leading.has(leader)).toBe(false)
  await expect.poll(() => leading.size, waitMs).toBe(1)
  const [next = ''] = leading
  await sql`select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and application_name = 'saddle jobs'
      and pg_stat_activity.datname = current_database()`.execute(owner)
  await expect.poll(() => leading.has(next), waitMs).toBe(false)
  await expect.poll(() => leading.size, waitMs).toBe(1)
  expect(most).toBe(1)
})

it('of the reader of an outside broker lets further processes start', async () => {
  seek('reader', 'mqttBroker')
  await expect.poll(() => leading.has('reader'), waitMs).toBe(true)
  const letOthersStart = await takeTurnToStart(url)
  await letOthersStart()
})
