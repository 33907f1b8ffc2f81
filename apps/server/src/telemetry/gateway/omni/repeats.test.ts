import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { sql } from 'kysely'
import { minuteMs } from '@saddle/contract/time.ts'
import type { OmniBody } from '@saddle/device-protocols/omni/codec.ts'
import { testDatabase } from '#test/database.ts'
import { eventually, openLine, seedField, signIn, startField, type Field, type Line } from '#telemetry/field.fixture.ts'
import { awayMs } from './repeats.ts'

const { db, owner } = await testDatabase()
/** Two gateways on one database: the second knows nothing of what the first one heard, as after a kill. */
let before: Field
let after: Field
const lines: Line[] = []

beforeAll(async () => {
  await seedField(owner)
  before = await startField(db)
  after = await startField(db)
})
afterEach(() => {
  for (const line of lines.splice(0)) line.end()
})
afterAll(async () => {
  await Promise.all([before.gateway.close(), after.gateway.close()])
})

async function connected(site: Field, imei: string): Promise<Line> {
  const line = await openLine({ port: site.gateway.ports.omni, imei })
  lines.push(line)
  line.say(signIn)
  return line
}

async function say(line: Line, message: OmniBody): Promise<void> {
  line.say(message)
  expect(await line.next()).toMatchObject({ instruction: 'ack', of: message.instruction })
}

const kindsOf = async (vehicleId: number): Promise<string[]> =>
  (
    await owner
      .selectFrom('device_report')
      .select('kind')
      .where('vehicle_id', '=', vehicleId)
      .where('kind', '!=', 'Q0')
      .orderBy('received_at')
      .execute()
  ).map(({ kind }) => kind)

it('what was stored but not acknowledged before a kill is acknowledged and stored once', async () => {
  const { id, imei } = await before.addVehicle()
  const messages: OmniBody[] = [
    { instruction: 'E0', code: 7 },
    { instruction: 'E0', code: 8 },
    { instruction: 'W0', alarm: 2 },
    { instruction: 'L1', result: 0, userId: 4_711, timestamp: 1_795_000_000, ridingTimeMin: 3 },
  ]
  for (const site of [before, after, after]) {
    const line = await connected(site, imei)
    for (const message of messages) await say(line, message)
  }
  expect((await kindsOf(id)).toSorted()).toEqual(['E0', 'E0', 'L1', 'W0'])
})

it('an alarm that was over in between, or comes much later, has happened again', async () => {
  const { id, imei } = await before.addVehicle()
  const fall: OmniBody = { instruction: 'W0', alarm: 2 }
  for (const alarm of [2, 6, 2]) {
    before.kit.clock.advance(1_000)
    await say(await connected(before, imei), { instruction: 'W0', alarm })
  }
  expect(await kindsOf(id)).toHaveLength(3)
  before.kit.clock.advance(awayMs + 1)
  await say(await connected(before, imei), fall)
  expect(await kindsOf(id)).toHaveLength(4)
})

it('what is said again while the first one waits for its commit is one, and answered twice', async () => {
  const { id, imei } = await before.addVehicle()
  const line = await connected(before, imei)
  await owner.transaction().execute(async (tx) => {
    await tx.selectFrom('vehicle_status').selectAll().where('vehicle_id', '=', id).forUpdate().execute()
    line.say({ instruction: 'E0', code: 9 }, { instruction: 'E0', code: 9 })
    await eventually(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(owner)
      expect(rows.length).toBeGreaterThan(0)
    })
  })
  for (let n = 0; n < 2; n += 1) expect(await line.next()).toMatchObject({ instruction: 'ack', of: 'E0' })
  expect(await kindsOf(id)).toEqual(['E0'])
  before.kit.clock.advance(3 * minuteMs)
  await say(line, { instruction: 'E0', code: 9 })
  expect(await kindsOf(id), 'later it is another one').toEqual(['E0', 'E0'])
})
