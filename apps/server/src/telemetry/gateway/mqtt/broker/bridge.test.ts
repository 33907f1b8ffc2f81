import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { Aedes, type AedesPublishPacket } from 'aedes'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { commandSchema, type CommandKind } from '@saddle/contract/fleet/commands.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { TEST_START_MS, sessionCall } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { eventually, field, northScope, seedField, startField, type Field } from '#telemetry/field.fixture.ts'
import { disconnectedAfterMs } from '#telemetry/gateway/disconnected.ts'
import { connectPacket, openMqtt, type MqttLine } from '../mqtt.fixture.ts'

const { db, owner, url } = await testDatabase()

/** Somebody's broker, on a port of its own; what the platform has acknowledged to it, by topic. */
async function startBroker(port = 0, broker?: Aedes) {
  const aedes = broker ?? (await Aedes.createBroker())
  const acknowledged: string[] = []
  aedes.on('ack', (packet, client) => {
    if (client.id === 'saddle-gateway') acknowledged.push((packet as AedesPublishPacket).topic)
  })
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    aedes.handle(socket)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    aedes,
    acknowledged,
    port: (server.address() as AddressInfo).port,
    /** The network to it breaks; what it keeps, it keeps. */
    async cut() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => aedes.close(() => resolve()))
      server.close()
    },
  }
}
type Broker = Awaited<ReturnType<typeof startBroker>>

let broker: Broker
let site: Field
const ends: (() => void)[] = []

async function start(): Promise<Field> {
  const started = await startField(db, { MQTT_BROKER_URL: `mqtt://platform:secret@127.0.0.1:${broker.port}` })
  await connected(started)
  return started
}
const connected = (started: Field) =>
  eventually(async () => {
    await started.gateway.tick()
    expect(await started.registry.getSingleMetricAsString('saddle_gateway_broker_connected')).toMatch(/ 1$/)
  })

beforeAll(() => seedField(owner))
beforeEach(async () => {
  broker = await startBroker()
})
afterEach(async () => {
  for (const end of ends.splice(0)) end()
  await site.gateway.close()
  await broker.close()
})

/** A vehicle that speaks to the broker, as it would to the gateway. */
async function device(imei: string): Promise<MqttLine> {
  const line = await openMqtt({ port: broker.port })
  ends.push(line.end)
  const will = { topic: `saddle/v1/${imei}/up/offline`, payload: Buffer.from('{"reason":"lost"}') }
  line.send({ ...connectPacket({ imei, password: 'the broker knows it' }), will: { ...will, qos: 1, retain: false } })
  expect(await line.next()).toMatchObject({ cmd: 'connack', returnCode: 0 })
  return line
}
let messageId = 0
function say(line: MqttLine, imei: string, kind: string, body: object | string): void {
  messageId += 1
  const payload = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  line.send({
    cmd: 'publish',
    topic: `saddle/v1/${imei}/up/${kind}`,
    payload,
    qos: 1,
    messageId,
    dup: false,
    retain: false,
  })
}
const reports = async (vehicleId: number) =>
  (await owner.selectFrom('device_report').select('battery_percent').where('vehicle_id', '=', vehicleId).execute()).map(
    (row) => row.battery_percent,
  )
const stateOf = async (id: number) =>
  (await owner.selectFrom('vehicle_command').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

const operator = sessionCall({ operatorId: 7, agentId: 3, grant: northScope, name: '周可', permissions: ['030101'] })
async function order(vehicleId: number, kind: CommandKind) {
  const given = kind === 'set_parameters' ? { parameters: { reportSeconds: 15 } } : {}
  const { data } = await site.fleet.handlers.lockVehicle({ vehicleId, kind, reason: '', ...given }, operator)
  return commandSchema.parse(data).id
}

it('acknowledges to the broker only after the commit', async () => {
  site = await start()
  const { id, imei } = await site.addVehicle(field.north, { protocol: 'mqtt' })
  const line = await device(imei)
  await owner.transaction().execute(async (tx) => {
    await tx.selectFrom('vehicle_status').selectAll().where('vehicle_id', '=', id).forUpdate().execute()
    say(line, imei, 'report', { at: TEST_START_MS - 1_000, batteryPercent: 64 })
    await eventually(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(owner)
      expect(rows.length).toBeGreaterThan(0)
    })
    expect(broker.acknowledged).toEqual([])
  })
  await eventually(() => expect(broker.acknowledged).toEqual([`saddle/v1/${imei}/up/report`]))
  expect(await reports(id)).toEqual([64])
})

it('what is said while the platform is away is kept by the broker and taken in when it is back', async () => {
  site = await start()
  const { id, imei } = await site.addVehicle(field.north, { protocol: 'mqtt' })
  const line = await device(imei)
  say(line, imei, 'report', { at: TEST_START_MS - minuteMs, batteryPercent: 1 })
  await eventually(async () => expect(await reports(id)).toEqual([1]))
  await site.gateway.close()
  for (let n = 2; n <= 50; n += 1) say(line, imei, 'report', { at: TEST_START_MS - minuteMs + n, batteryPercent: n })
  for (let n = 1; n <= 50; n += 1) expect(await line.next()).toMatchObject({ cmd: 'puback' })
  site = await start()
  await eventually(async () => expect(await reports(id)).toHaveLength(50))
  expect((await reports(id)).toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(
    Array.from({ length: 50 }, (_, n) => n + 1),
  )
})

it('several gateways share a broker: one at a time reads, and another goes on where it stopped', async () => {
  const env = { MQTT_BROKER_URL: `mqtt://platform:secret@127.0.0.1:${broker.port}`, CLUSTER: 'true', DATABASE_URL: url }
  const sites = await Promise.all([startField(db, env), startField(db, env)])
  const reader = () =>
    eventually(async () => {
      const connected: Field[] = []
      for (const one of sites) {
        await one.gateway.tick()
        const gauge = await one.registry.getSingleMetricAsString('saddle_gateway_broker_connected')
        if (gauge.endsWith(' 1')) connected.push(one)
      }
      expect(connected).toHaveLength(1)
      return connected[0]!
    })
  const first = await reader()
  site = sites.find((one) => one !== first)!
  const { id, imei } = await site.addVehicle(field.north, { protocol: 'mqtt' })
  const line = await device(imei)
  const sayNext = (n: number) => say(line, imei, 'report', { at: TEST_START_MS - minuteMs + n, batteryPercent: n })
  const stored = (upTo: number) =>
    eventually(async () =>
      expect((await reports(id)).toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(
        Array.from({ length: upTo }, (_, n) => n + 1),
      ),
    )
  for (let n = 1; n <= 10; n += 1) sayNext(n)
  await first.gateway.close()
  for (let n = 11; n <= 20; n += 1) sayNext(n)
  sites.splice(sites.indexOf(first), 1)
  expect(await reader()).toBe(site)
  await stored(20)

  // Its lock is lost while it runs: what it had not acknowledged is read again, and stored once.
  const second = await startField(db, env)
  sites.push(second)
  await sql`select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and application_name = 'saddle mqttBroker'
      and pg_stat_activity.datname = current_database()`.execute(owner)
  for (let n = 21; n <= 30; n += 1) sayNext(n)
  await stored(30)
  await reader()
  await second.gateway.close()
}, 60_000)

it('a broker that breaks away is found again, and nothing is lost', async () => {
  site = await start()
  const { id, imei } = await site.addVehicle(field.north, { protocol: 'mqtt' })
  await broker.cut()
  await eventually(async () => {
    await site.gateway.tick()
    expect(await site.registry.getSingleMetricAsString('saddle_gateway_broker_connected')).toMatch(/ 0$/)
  })
  broker = await startBroker(broker.port, broker.aedes)
  await connected(site)
  say(await device(imei), imei, 'report', { at: TEST_START_MS - 1_000, batteryPercent: 64 })
  await eventually(async () => expect(await reports(id)).toEqual([64]))
})

it('a command goes through the broker, and only the device itself acknowledges and confirms it', async () => {
  site = await start()
  const { id, imei } = await site.addVehicle(field.north, { protocol: 'mqtt' })
  const line = await device(imei)
  const topics = [`saddle/v1/${imei}/down/command`, `saddle/v1/${imei}/config`]
  line.send({ cmd: 'subscribe', messageId: 9, subscriptions: topics.map((topic) => ({ topic, qos: 1 as const })) })
  expect(await line.next()).toMatchObject({ cmd: 'suback' })
  say(line, imei, 'hello', { at: TEST_START_MS, model: 'EB-3', firmware: '1' })
  expect(await line.next()).toMatchObject({ cmd: 'puback' })
  await eventually(async () => expect(await reports(id)).toHaveLength(1))

  const unlock = await order(id, 'unlock')
  const asked = await line.next()
  if (asked.cmd !== 'publish') throw new Error(asked.cmd)
  expect(JSON.parse(String(asked.payload))).toMatchObject({ id: String(unlock), command: 'unlock' })
  line.send({ cmd: 'puback', messageId: asked.messageId ?? 0 })
  expect(await stateOf(unlock), 'the broker has it, that is all').toBe('sent')
  say(line, imei, 'ack', { id: String(unlock), at: TEST_START_MS + 1, state: 'received' })
  await eventually(async () => expect(await stateOf(unlock)).toBe('acknowledged'))
  say(line, imei, 'ack', { id: String(unlock), at: TEST_START_MS + 2, state: 'done' })
  await eventually(async () => expect(await stateOf(unlock)).toBe('confirmed'))

  const set = await order(id, 'set_parameters')
  const config = await eventually(() => {
    const packet = line.received.find((one) => one.cmd === 'publish' && one.topic.endsWith('/config'))
    if (packet?.cmd !== 'publish') throw new Error('no configuration yet')
    return packet
  })
  expect(JSON.parse(String(config.payload))).toEqual({ version: 1, reportRidingS: 15 })
  say(line, imei, 'hello', { at: TEST_START_MS + 3, model: 'EB-3', firmware: '1', configVersion: 1 })
  await eventually(async () => expect(await stateOf(set)).toBe('confirmed'))
  // The broker keeps it for whenever the device subscribes.
  const later = await device(imei)
  later.send({ cmd: 'subscribe', messageId: 3, subscriptions: [{ topic: `saddle/v1/${imei}/config`, qos: 1 }] })
  await later.next()
  expect(await later.next()).toMatchObject({ cmd: 'publish', retain: true, topic: `saddle/v1/${imei}/config` })
})

it('outsiders and nonsense are counted and held, never stored, and block nobody', async () => {
  site = await start()
  const { id, imei } = await site.addVehicle(field.north, { protocol: 'mqtt' })
  const omni = await site.addVehicle()
  const line = await device('anybody')
  const outsider = '869999999999999'
  for (let n = 0; n < 30; n += 1) say(line, outsider, 'report', { at: TEST_START_MS - n, batteryPercent: 3 })
  say(line, omni.imei, 'report', { at: TEST_START_MS - 1, batteryPercent: 3 })
  say(line, 'x', 'report', { at: TEST_START_MS - 1, batteryPercent: 3 })
  say(line, imei, 'report', '{')
  say(line, imei, 'report', { at: TEST_START_MS - 1, batteryPercent: 77 })
  await eventually(async () => expect(await reports(id)).toEqual([77]))
  await eventually(() => expect(broker.acknowledged).toHaveLength(34))
  expect(await reports(omni.id)).toEqual([])
  const held = await owner.selectFrom('unknown_device').select(['imei', 'protocol', 'reason']).orderBy('imei').execute()
  expect(held).toEqual([
    { imei: omni.imei, protocol: 'mqtt', reason: 'protocol' },
    { imei: outsider, protocol: 'mqtt', reason: 'unknown' },
  ])
})

it('a will that the broker carries out makes its vehicle offline', async () => {
  site = await start()
  const { id, imei } = await site.addVehicle(field.north, { protocol: 'mqtt' })
  const line = await device(imei)
  say(line, imei, 'report', { at: TEST_START_MS - 1, batteryPercent: 77 })
  await eventually(async () => expect(await reports(id)).toHaveLength(1))
  line.end()
  await eventually(async () => expect(await reports(id)).toHaveLength(2))
  site.kit.clock.advance(disconnectedAfterMs)
  await site.gateway.tick()
  const { state } = await owner.selectFrom('vehicle').select('state').where('id', '=', id).executeTakeFirstOrThrow()
  expect(state).toBe('non_contactable')
})

it('much at once is taken in as fast as the database takes it, all of it', async () => {
  site = await start()
  const known: { id: number; imei: string }[] = []
  for (let n = 0; n < 20; n += 1) known.push(await site.addVehicle(field.north, { protocol: 'mqtt' }))
  const line = await device('anybody')
  const count = 4_000
  for (let n = 0; n < count; n += 1) {
    const { imei } = known[n % known.length] ?? { imei: '' }
    say(line, imei, 'report', { at: TEST_START_MS - 1 - n, batteryPercent: n % 100 })
    if (n % 500 === 499) for (let m = 0; m < 500; m += 1) await line.next()
  }
  const total = async () => {
    const all = await Promise.all(known.map(({ id }) => reports(id)))
    return all.flat().length
  }
  await eventually(async () => expect(await total()).toBe(count))
  await eventually(() => expect(broker.acknowledged).toHaveLength(count))
}, 40_000)
