import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { hourMs } from '@saddle/contract/time.ts'
import { createSeededRandom } from '#kit/random.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { field, seedField, startField, type Field } from '../field.fixture.ts'
import { connectPacket, openMqtt, type MqttLine } from './mqtt/mqtt.fixture.ts'
import { createDeviceSecrets } from './secrets.ts'
import { isLong, thorough } from '../../../../../scripts/lib/thorough.mjs'

const rounds = thorough({ normal: 3, long: 40, full: 100 })
const reportsInRound = 300
const { db, owner } = await testDatabase()
let site: Field
const lines: MqttLine[] = []

beforeAll(async () => {
  await seedField(owner)
  site = await startField(db)
})
afterEach(() => {
  for (const line of lines.splice(0)) line.end()
})
afterAll(async () => {
  await site.gateway.close()
})

type Random = ReturnType<typeof createSeededRandom>
const chance = (random: Random, of: number): boolean => random.fraction() < of
const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random.fraction() * values.length)]!

/** An hour of a vehicle that rides in and out of its area, runs flat, is charged, falls, and is left with its lock open. */
function lifeOf(random: Random): object[] {
  const startMs = TEST_START_MS - hourMs
  let lat = 31.69
  let batteryPercent = 40
  // What everybody knew before, so that the first thing heard is not the first thing known.
  const life: object[] = [{ at: startMs, seq: 0, lat, lng: 120.7, batteryPercent, locked: true, signal: 20 }]
  for (let seq = 1; seq < reportsInRound; seq += 1) {
    // The edge of the area is at 31.7 where the longitude is 120.7.
    lat = Math.min(31.705, Math.max(31.69, lat + (random.fraction() - 0.45) * 0.002))
    batteryPercent = chance(random, 0.03) ? 95 : Math.max(5, batteryPercent - Math.floor(random.fraction() * 3))
    const name = pick(random, ['fall', 'fall_cleared', 'tamper', 'illegal_movement', 'low_battery'])
    life.push({
      at: startMs + seq * 10_000,
      seq,
      ...(chance(random, 0.8) ? { lat, lng: 120.7 } : {}),
      ...(chance(random, 0.5) ? { batteryPercent } : {}),
      ...(chance(random, 0.3) ? { locked: chance(random, 0.5) } : {}),
      ...(chance(random, 0.2) ? { signal: Math.floor(random.fraction() * 32) } : {}),
      ...(chance(random, 0.1) ? { alarms: [name] } : {}),
    })
  }
  return life
}

/** Nearly a third comes twice, and everything in another order: not only beside where it was, but from far away too. */
function disorderly(random: Random, life: readonly object[]): object[] {
  const [first, ...rest] = life
  const said = rest.flatMap((one) => (chance(random, 0.3) ? [one, one] : [one]))
  const placed = said.map((one, at) => ({ one, by: at + random.fraction() * (chance(random, 0.2) ? 300 : 10) }))
  return [first ?? {}, ...placed.toSorted((a, b) => a.by - b.by).map(({ one }) => one)]
}

async function tell(life: readonly object[]): Promise<number> {
  const { id, imei } = await site.addVehicle(field.north, { protocol: 'mqtt' })
  const line = await openMqtt({ port: site.gateway.ports.mqtt })
  lines.push(line)
  line.send(
    connectPacket({
      imei,
      password: createDeviceSecrets(site.kit.secrets).deviceSecret({ imei, secretGeneration: 0 }),
    }),
  )
  await line.next()
  let unanswered = 0
  for (const [n, body] of life.entries()) {
    const payload = Buffer.from(JSON.stringify(body))
    const topic = `saddle/v1/${imei}/up/report`
    line.send({ cmd: 'publish', topic, payload, qos: 1, messageId: n + 1, dup: false, retain: false })
    unanswered += 1
    // In batches of many sizes; the first report is known before the second is said.
    for (const allowed = n === 0 ? 0 : (n * 7) % 40; unanswered > allowed; unanswered -= 1) await line.next()
  }
  for (; unanswered > 0; unanswered -= 1) await line.next()
  return id
}

async function outcome(id: number) {
  const {
    version: _v,
    vehicle_id: _i,
    told: _t,
    ...status
  } = await owner.selectFrom('vehicle_status').selectAll().where('vehicle_id', '=', id).executeTakeFirstOrThrow()
  const { state } = await owner.selectFrom('vehicle').select('state').where('id', '=', id).executeTakeFirstOrThrow()
  const track = await owner
    .selectFrom('device_report')
    .select(['occurred_at', 'frame_crc', 'lat', 'lng', 'fix', 'battery_percent', 'locked', 'signal', 'alarms'])
    .where('vehicle_id', '=', id)
    .orderBy('occurred_at')
    .execute()
  const alarms = await owner
    .selectFrom('vehicle_alarm')
    .select('kind')
    .where('vehicle_id', '=', id)
    .where('closed_at', 'is', null)
    .orderBy('kind')
    .execute()
  return { status, state, alarms, track }
}

it(
  'duplicates and disorder change no result: state, facts, track and alarms are those of the reports in their order',
  async () => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
    console.log(`seed ${seed}`)
    const random = createSeededRandom(seed)
    const kinds = new Set<string>()
    for (let round = 0; round < rounds; round += 1) {
      const life = lifeOf(random)
      const [orderly, mixed] = [await tell(life), await tell(disorderly(random, life))]
      const expected = await outcome(orderly)
      expect(expected.track).toHaveLength(reportsInRound)
      expect(await outcome(mixed), `seed ${seed}, round ${round}`).toEqual(expected)
      for (const { kind } of expected.alarms) kinds.add(kind)
      const ever = await owner.selectFrom('vehicle_alarm').select('kind').where('vehicle_id', '=', orderly).execute()
      for (const { kind } of ever) kinds.add(kind)
    }
    // Otherwise little would have been proved.
    expect([...kinds]).toEqual(expect.arrayContaining(['fall', 'low_battery', 'outside_area']))
  },
  isLong ? 1_800_000 : 60_000,
)
