import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from 'kysely'
import type { Packet } from 'mqtt-packet'
import { commandSchema } from '@saddle/contract/fleet/commands.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { TEST_START_MS, sessionCall } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { eventually, field, northScope, seedField, startField, type Field } from '#telemetry/field.fixture.ts'
import { createDeviceSecrets } from '../secrets.ts'
import { connectPacket, openMqtt, type MqttLine } from './mqtt.fixture.ts'

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

async function open(version: 4 | 5 = 4): Promise<MqttLine> {
  const line = await openMqtt({ port: site.gateway.ports.mqtt, version })
  lines.push(line)
  return line
}

const passwordOf = (imei: string): string =>
  createDeviceSecrets(site.kit.secrets).deviceSecret({ imei, secretGeneration: 0 })

async function signedIn(version: 4 | 5 = 4) {
  const vehicle = await site.addVehicle(field.north, { protocol: 'mqtt' })
  const line = await open(version)
  line.send(connectPacket({ imei: vehicle.imei, password: passwordOf(vehicle.imei), version }))
  expect(await line.next()).toMatchObject({ cmd: 'connack', sessionPresent: false })
  return { vehicle, line }
}

function report(imei: string, messageId: number, body: object, qos: 0 | 1 = 1): Packet {
  const payload = Buffer.from(JSON.stringify(body))
  return { cmd: 'publish', topic: `saddle/v1/${imei}/up/report`, payload, qos, messageId, dup: false, retain: false }
}
const at = TEST_START_MS - minuteMs
const reports = (vehicleId: number) =>
  owner.selectFrom('device_report').selectAll().where('vehicle_id', '=', vehicleId).orderBy('occurred_at').execute()
const status = (vehicleId: number) =>
  owner.selectFrom('vehicle_status').selectAll().where('vehicle_id', '=', vehicleId).executeTakeFirstOrThrow()
const held = (imei: string) =>
  owner.selectFrom('unknown_device').selectAll().where('imei', '=', imei).executeTakeFirst()

const operator = sessionCall({ operatorId: 7, agentId: 3, grant: northScope, name: '周可', permissions: ['030101'] })

it('acknowledges a report only after its commit, and stores every column as the device said it', async () => {
  const { vehicle, line } = await signedIn()
  let release = (): void => {}
  const wait = new Promise<void>((resolve) => {
    release = resolve
  })
  const holder = owner.transaction().execute(async (tx) => {
    await tx.selectFrom('vehicle_status').selectAll().where('vehicle_id', '=', vehicle.id).forUpdate().execute()
    const place = { lat: -31.26, lng: 120.72, speedKmh: 17.5, headingDeg: 92, altitudeM: -3 }
    const facts = { batteryPercent: 64, voltageV: 48.2, locked: true, charging: false, signal: -70, odometerM: 5e9 }
    line.send(report(vehicle.imei, 7, { at, ...place, ...facts, odometerM: 1_234_567, alarms: ['fall', 'tamper'] }))
    await eventually(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(owner)
      expect(rows.length).toBeGreaterThan(0)
    })
    expect(line.received).toHaveLength(1)
    await wait
  })
  release()
  await holder
  expect(await line.next()).toMatchObject({ cmd: 'puback', messageId: 7 })
  const [row] = await reports(vehicle.id)
  expect(row).toMatchObject({
    agent_id: 3,
    area_id: 31,
    occurred_at: new Date(at),
    received_at: new Date(TEST_START_MS),
    kind: 'report',
    lat: -31.26,
    lng: 120.72,
    fix: true,
    speed_kmh: 17.5,
    heading_deg: 92,
    altitude_m: -3,
    battery_percent: 64,
    locked: true,
    charging: false,
    signal: -70,
    odometer_m: 1_234_567,
    alarms: ['fall', 'tamper'],
  })
  expect(row?.voltage_v).toBeCloseTo(48.2, 4)
})

it('repeats and disorder change no result, also when the gateway has forgotten the first one', async () => {
  const { vehicle, line } = await signedIn(5)
  const early = { at, lat: 31.2, lng: 120.7, batteryPercent: 50 }
  const late = { at: at + 10_000, lat: 31.201, lng: 120.701, batteryPercent: 49 }
  const old = Array.from({ length: 100 }, (_, n) => ({ at: at - 1_000 - n, batteryPercent: 51 }))
  for (const [n, body] of [late, early, late, ...old, early, ...old].entries()) {
    line.send(report(vehicle.imei, n + 1, body))
  }
  for (let n = 0; n < 204; n += 1) expect(await line.next()).toMatchObject({ cmd: 'puback' })
  expect(await reports(vehicle.id)).toHaveLength(102)
  expect(await status(vehicle.id)).toMatchObject({ lat: 31.201, battery_percent: 49 })
})

it('lets in neither an outsider, nor a wrong secret, nor a device of another protocol, and holds them for review', async () => {
  const known = await site.addVehicle(field.north, { protocol: 'mqtt' })
  const omni = await site.addVehicle()
  for (const [imei, password, returnCode, reason] of [
    ['869999999999999', passwordOf('869999999999999'), 5, 'unknown'],
    [known.imei, passwordOf(omni.imei), 4, 'secret'],
    [omni.imei, passwordOf(omni.imei), 5, 'protocol'],
  ] as const) {
    const line = await open()
    line.send(connectPacket({ imei, password }))
    line.send(report(imei, 1, { at, batteryPercent: 3 }))
    expect(await line.next()).toMatchObject({ cmd: 'connack', returnCode })
    await line.closed
    expect(line.received).toHaveLength(1)
    await eventually(async () => expect(await held(imei)).toMatchObject({ reason, protocol: 'mqtt' }))
  }
  expect(await reports(known.id)).toEqual([])
})

it('hears nobody but itself: no foreign topic is granted, none is stored', async () => {
  const other = await site.addVehicle(field.south, { protocol: 'mqtt' })
  const { vehicle, line } = await signedIn()
  const topics = [`saddle/v1/${other.imei}/down/command`, '#', `saddle/v1/${vehicle.imei}/down/command`]
  line.send({ cmd: 'subscribe', messageId: 3, subscriptions: topics.map((topic) => ({ topic, qos: 1 as const })) })
  expect(await line.next()).toMatchObject({ cmd: 'suback', granted: [0x80, 0x80, 1] })
  line.send({ cmd: 'pingreq' })
  expect(await line.next()).toMatchObject({ cmd: 'pingresp' })
  line.send(report(other.imei, 4, { at, batteryPercent: 3 }))
  await line.closed
  expect(await reports(other.id)).toEqual([])
})

it('a device may ask for all of its own topics, and hears its configuration and its commands by that', async () => {
  const { vehicle, line } = await signedIn(5)
  await site.fleet.vehicles.configure({ vehicleId: vehicle.id, settings: { reportSeconds: 15 } })
  const own = `saddle/v1/${vehicle.imei}`
  const filters = [`${own}/#`, 'saddle/v1/+/down/command', `${own}/#/x`, '$share/a/saddle/v1/#']
  line.send({ cmd: 'subscribe', messageId: 3, subscriptions: filters.map((topic) => ({ topic, qos: 1 as const })) })
  expect(await line.next()).toMatchObject({ cmd: 'suback', granted: [1, 0x87, 0x8f, 0x87] })
  expect(await line.next()).toMatchObject({ cmd: 'publish', topic: `${own}/config`, retain: true })
  await site.fleet.handlers.lockVehicle({ vehicleId: vehicle.id, kind: 'unlock', reason: '' }, operator)
  expect(await line.next()).toMatchObject({ cmd: 'publish', topic: `${own}/down/command` })
})

it('says truthfully that a session ends with its line, whatever the device asks for', async () => {
  const vehicle = await site.addVehicle(field.north, { protocol: 'mqtt' })
  const word = { imei: vehicle.imei, password: passwordOf(vehicle.imei), version: 5 as const }
  for (let turn = 0; turn < 2; turn += 1) {
    const line = await open(5)
    line.send({ ...connectPacket(word), clean: false, properties: { sessionExpiryInterval: 86_400 } })
    const connack = await line.next()
    expect(connack).toMatchObject({ cmd: 'connack', sessionPresent: false, properties: { sessionExpiryInterval: 0 } })
    expect(connack).not.toHaveProperty('properties.wildcardSubscriptionAvailable')
    line.end()
  }
})

const faultsOf = async () => {
  const { values } = await site.metrics.malformed.get()
  return Object.fromEntries(values.map(({ labels, value }) => [`${labels.protocol} ${labels.fault}`, value]))
}

describe('what a maker gets wrong', () => {
  const publication = (topic: string, messageId: number, payload: string | Buffer): Packet => ({
    cmd: 'publish',
    topic,
    payload,
    qos: 1,
    messageId,
    dup: false,
    retain: false,
  })

  it('is told by reason codes of MQTT 5, counted by fault, and said in the log once a minute', async () => {
    const { vehicle, line } = await signedIn(5)
    const warn = vi.spyOn(site.kit.log, 'warn')
    const before = await faultsOf()
    const own = `saddle/v1/${vehicle.imei}`
    line.send(publication(`${own}/up/report`, 1, 'hello'))
    line.send(publication('foo/bar', 2, '{}'))
    line.send(publication(`${own}/down/command`, 3, '{}'))
    line.send(report(vehicle.imei, 4, { at, batteryPercent: 44 }))
    line.send(publication(`${own}/up/report`, 5, Buffer.alloc(17_000, ' ')))
    for (const [messageId, reasonCode] of [
      [1, 0x99],
      [2, 0x90],
      [3, 0x87],
      [5, 0x99],
      [4, 0],
    ]) {
      // The stored report is acknowledged after its commit.
      expect(await line.next()).toMatchObject({ cmd: 'puback', messageId, reasonCode })
    }
    const after = await faultsOf()
    const counted = (fault: string) => (after[`mqtt ${fault}`] ?? 0) - (before[`mqtt ${fault}`] ?? 0)
    expect(['payload', 'topic', 'not_authorized'].map(counted)).toEqual([2, 1, 1])
    const told = warn.mock.calls.filter(([said]) => (said as { imei?: string }).imei === vehicle.imei)
    expect(told).toMatchObject([[{ fault: 'payload', reason: 'the payload is not JSON' }, expect.anything()]])
    warn.mockRestore()
  })

  it.each([
    [
      'a packet longer than the platform takes',
      0x95,
      (imei: string) => [`saddle/v1/${imei}/up/report`, 21_000] as const,
    ],
    ['a topic of another vehicle', 0x87, () => ['saddle/v1/861234567999999/up/report', 10] as const],
  ])('%s ends the line with a reason', async (_, reasonCode, of) => {
    const { vehicle, line } = await signedIn(5)
    const [topic, length] = of(vehicle.imei)
    line.send(publication(topic, 1, Buffer.alloc(length, ' ')))
    expect(await line.next()).toMatchObject({ cmd: 'disconnect', reasonCode })
    await line.closed
  })

  it('is told before the line ends when it goes on', async () => {
    const { vehicle, line } = await signedIn(5)
    for (let n = 1; n <= 21; n += 1) line.send(publication(`saddle/v1/${vehicle.imei}/up/report`, n, '{'))
    await line.closed
    expect(line.received.at(-1)).toMatchObject({ cmd: 'disconnect', reasonCode: 0x99 })
  })

  it('is acknowledged without a reason by MQTT 3.1.1, which has no word for it', async () => {
    const { vehicle, line } = await signedIn(4)
    line.send(publication(`saddle/v1/${vehicle.imei}/up/report`, 1, 'hello'))
    expect(await line.next()).toMatchObject({ cmd: 'puback', messageId: 1, length: 2 })
  })
})

it('the later connection of a device takes the place of the earlier', async () => {
  const { vehicle, line } = await signedIn(5)
  const second = await open(5)
  second.send(connectPacket({ imei: vehicle.imei, password: passwordOf(vehicle.imei), version: 5 }))
  expect(await second.next()).toMatchObject({ cmd: 'connack', reasonCode: 0 })
  expect(await line.next()).toMatchObject({ cmd: 'disconnect', reasonCode: 0x8e })
  await line.closed
})

it('a malformed payload is acknowledged and counted, a packet without end is not waited for', async () => {
  const { vehicle, line } = await signedIn()
  line.send({ ...report(vehicle.imei, 9, {}), payload: Buffer.from('{') } as Packet)
  expect(await line.next()).toMatchObject({ cmd: 'puback', messageId: 9 })
  // PUBLISH of 200 MB that never comes.
  line.raw(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x64, 0, 5]))
  line.raw(Buffer.alloc(40_000))
  await line.closed
  expect(await reports(vehicle.id)).toEqual([])
})

it('a command waits for the subscription and is confirmed by the device', async () => {
  const { vehicle, line } = await signedIn()
  const { data } = await site.fleet.handlers.lockVehicle(
    { vehicleId: vehicle.id, kind: 'unlock', reason: '' },
    operator,
  )
  const queued = commandSchema.parse(data)
  line.send({
    cmd: 'subscribe',
    messageId: 1,
    subscriptions: [{ topic: `saddle/v1/${vehicle.imei}/down/command`, qos: 1 }],
  })
  expect(await line.next()).toMatchObject({ cmd: 'suback', granted: [1] })
  const asked = await line.next()
  if (asked.cmd !== 'publish') throw new Error('no publish')
  expect(JSON.parse(String(asked.payload))).toMatchObject({ id: String(queued.id), command: 'unlock' })
  const stateOf = async () =>
    (await owner.selectFrom('vehicle_command').select('state').where('id', '=', queued.id).executeTakeFirstOrThrow())
      .state
  expect(await stateOf()).toBe('sent')
  line.send({ cmd: 'puback', messageId: asked.messageId ?? 0 })
  await eventually(async () => expect(await stateOf()).toBe('acknowledged'))
  const payload = Buffer.from(JSON.stringify({ id: String(queued.id), at: TEST_START_MS, state: 'done' }))
  const topic = `saddle/v1/${vehicle.imei}/up/ack`
  line.send({ cmd: 'publish', topic, payload, qos: 1, messageId: 2, dup: false, retain: false })
  expect(await line.next()).toMatchObject({ cmd: 'puback', messageId: 2 })
  expect(await stateOf()).toBe('confirmed')
  expect(await status(vehicle.id)).toMatchObject({ locked: false })
})

it('a jump that no vehicle makes does not move it, until it is said again and again', async () => {
  const { vehicle, line } = await signedIn()
  const there = (n: number) => ({ at: at + n * 2_000, lat: 31.23, lng: 120.7 })
  line.send(report(vehicle.imei, 1, { at, lat: 31.2, lng: 120.7 }))
  line.send(report(vehicle.imei, 2, there(1)))
  for (let n = 0; n < 2; n += 1) expect(await line.next()).toMatchObject({ cmd: 'puback' })
  expect(await status(vehicle.id)).toMatchObject({ lat: 31.2 })
  expect((await reports(vehicle.id)).map(({ lat, fix }) => [lat, fix])).toEqual([
    [31.2, true],
    [31.23, false],
  ])
  line.send(report(vehicle.imei, 3, there(2)))
  line.send(report(vehicle.imei, 4, there(3)))
  for (let n = 0; n < 2; n += 1) await line.next()
  expect(await status(vehicle.id)).toMatchObject({ lat: 31.23 })
})

it('an unpaced flood ends in back-pressure: everything is stored and nothing falls over', async () => {
  const { vehicle, line } = await signedIn()
  const count = 30_000
  for (let n = 0; n < count; n += 1) line.send(report(vehicle.imei, 1, { at: at - n, batteryPercent: 50 }, 0))
  line.send(report(vehicle.imei, 2, { at: at + 1, batteryPercent: 51 }))
  expect(await line.next()).toMatchObject({ cmd: 'puback', messageId: 2 })
  const { n } = await owner
    .selectFrom('device_report')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('vehicle_id', '=', vehicle.id)
    .executeTakeFirstOrThrow()
  expect(Number(n)).toBe(count + 1)
})
