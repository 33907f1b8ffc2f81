import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayMs } from '@saddle/contract/time.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { eventually, openLine, positionAt, seedField, startField, type Field } from '../field.fixture.ts'

const { db, owner } = await testDatabase()
let site: Field

beforeAll(async () => {
  await seedField(owner)
  site = await startField(db)
})
afterAll(async () => {
  await site.gateway.close()
})

const days = async () =>
  (
    await sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'device_report_day' and c.relkind = 'r' order by 1`.execute(owner)
  ).rows.map(({ name }) => name)
const nameOf = (ms: number) => `d${new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')}`
const span = (firstMs: number, count: number) => Array.from({ length: count }, (_, n) => nameOf(firstMs + n * dayMs))
const stored = async () =>
  (await owner.selectFrom('device_report').select('occurred_at').orderBy('occurred_at').execute()).map((row) =>
    row.occurred_at.getTime(),
  )

it('days are made ahead, and dropped whole when they are kept no longer', async () => {
  expect(await days()).toEqual(span(TEST_START_MS - 7 * dayMs, 10))
  const { imei } = await site.addVehicle()
  const line = await openLine({ port: site.gateway.ports.omni, imei })
  const first = TEST_START_MS - 5 * dayMs
  line.say(positionAt(first, 31.2, 120.7), positionAt(TEST_START_MS, 31.2001, 120.7))
  await eventually(async () => expect(await stored()).toEqual([first, TEST_START_MS]))
  line.end()

  // Seven days are kept: the first report is in the eighth only after three more days.
  site.kit.clock.advance(2 * dayMs)
  await site.gateway.tick()
  expect(await stored()).toEqual([first, TEST_START_MS])
  site.kit.clock.advance(dayMs)
  await site.gateway.tick()
  expect(await stored()).toEqual([TEST_START_MS])
  expect(await days()).toEqual(span(TEST_START_MS + 3 * dayMs - 7 * dayMs, 10))

  // After a month of standing still.
  site.kit.clock.advance(30 * dayMs)
  await site.gateway.tick()
  expect([await stored(), (await days()).length]).toEqual([[], 10])
})
