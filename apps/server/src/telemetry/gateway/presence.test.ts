import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { gatewayGoneAfterMs } from '@saddle/contract/fleet/devices.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { sessionCall } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { eventually, field, heartbeat, openLine, seedField, signIn, startField, type Field } from '../field.fixture.ts'
import { disconnectedAfterMs } from './disconnected.ts'
import { writeEveryMs } from './health.ts'
import { modern, openTerminal, registration, signInTerminal } from './jt808/jt808.fixture.ts'
import { connectPacket, openMqtt } from './mqtt/mqtt.fixture.ts'
import { createDeviceSecrets } from './secrets.ts'

const { db, owner } = await testDatabase()
let site: Field
const ends: (() => void)[] = []

beforeAll(async () => {
  await seedField(owner)
  site = await startField(db)
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
})
afterAll(async () => {
  await site.gateway.close()
})

const protocols = ['omni', 'jt808', 'mqtt'] as const
type Protocol = (typeof protocols)[number]
type Known = { id: number; imei: string; number: string }

const add = (protocol: Protocol): Promise<Known> => site.addVehicle(field.north, { protocol })
const passwordOf = (imei: string): string =>
  createDeviceSecrets(site.kit.secrets).deviceSecret({ imei, secretGeneration: 0 })
const stateOf = async (id: number) =>
  (await owner.selectFrom('vehicle').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
const openAlarms = async (id: number) =>
  (
    await owner
      .selectFrom('vehicle_alarm')
      .select('kind')
      .where('vehicle_id', '=', id)
      .where('closed_at', 'is', null)
      .execute()
  ).map((row) => row.kind)
const reportsOf = async (id: number) =>
  (await owner.selectFrom('device_report').select('kind').where('vehicle_id', '=', id).execute()).length

/** A device that calls and says something of itself; resolves before anybody has answered. */
const calls = {
  omni: async ({ imei }: Known) => {
    const line = await openLine({ port: site.gateway.ports.omni, imei })
    line.say(signIn)
    return line
  },
  jt808: async ({ imei, number }: Known) => {
    const line = await openTerminal({ port: site.gateway.ports.jt808, head: modern(imei) })
    line.say(registration(number))
    return { ...line, end: () => line.socket.destroy() }
  },
  mqtt: async ({ imei }: Known) => {
    const line = await openMqtt({ port: site.gateway.ports.mqtt })
    line.send(connectPacket({ imei, password: passwordOf(imei) }))
    return line
  },
}

/** A device that is signed in and has said something. */
async function connected(protocol: Protocol, known: Known, will?: { topic: string; payload: Buffer }) {
  const before = await reportsOf(known.id)
  const said = async () => expect(await reportsOf(known.id)).toBeGreaterThan(before)
  if (protocol === 'omni') {
    const line = await calls.omni(known)
    ends.push(line.end)
    await eventually(said)
    return line
  }
  if (protocol === 'jt808') {
    const line = await openTerminal({ port: site.gateway.ports.jt808, head: modern(known.imei) })
    ends.push(() => line.socket.destroy())
    await signInTerminal(line, known.number)
    line.say({ message: 'heartbeat' })
    await line.next()
    return { ...line, end: () => line.socket.destroy() }
  }
  const line = await openMqtt({ port: site.gateway.ports.mqtt })
  ends.push(line.end)
  const left = will === undefined ? {} : { will: { ...will, qos: 1 as const, retain: false } }
  line.send({ ...connectPacket({ imei: known.imei, password: passwordOf(known.imei) }), ...left })
  expect(await line.next()).toMatchObject({ cmd: 'connack', returnCode: 0 })
  const payload = Buffer.from(JSON.stringify({ model: 'EB-3', firmware: '1' }))
  const topic = `saddle/v1/${known.imei}/up/hello`
  line.send({ cmd: 'publish', topic, payload, qos: 1, messageId: 1, dup: false, retain: false })
  expect(await line.next()).toMatchObject({ cmd: 'puback', messageId: 1 })
  return line
}

describe.each(protocols)('%s', (protocol) => {
  it('a device has one session: the later connection takes the place of the earlier', async () => {
    const known = await add(protocol)
    const first = await connected(protocol, known)
    site.kit.clock.advance(1_000)
    const second = await connected(protocol, known)
    await first.closed
    expect(second.socket.destroyed).toBe(false)
    expect(await stateOf(known.id)).toBe('available')
  })

  it('an unknown device is held for review, never trusted, and let in as soon as somebody registers it', async () => {
    const serial = `90${protocols.indexOf(protocol)}`
    const outsider = { id: 0, imei: `868888888888${serial}`, number: `SD888${serial}` }
    for (let call = 0; call < 2; call += 1) {
      const line = await calls[protocol](outsider)
      ends.push(line.end)
      await line.closed
    }
    const held = owner.selectFrom('unknown_device').select(['protocol', 'reason']).where('imei', '=', outsider.imei)
    expect(await held.execute()).toEqual([{ protocol, reason: 'unknown' }])
    const row = { agentId: 3, areaId: 31, model: 'SD-E2', protocol, imei: outsider.imei, number: outsider.number }
    const [id = 0] = await db.system((tx) => site.fleet.vehicles.register(tx, [row]))
    const registration_open_until = new Date(site.kit.clock.now() + minuteMs)
    await owner.updateTable('device').set({ registration_open_until }).where('vehicle_id', '=', id).execute()
    await site.kit.bus.flush()
    await connected(protocol, { ...outsider, id })
  })

  it('a device that is silent for too long is let go', async () => {
    const line = await connected(protocol, await add(protocol))
    // MQTT: the keep-alive of 60 s and half as long again; the others: the platform's own limit.
    site.kit.clock.advance(protocol === 'mqtt' ? 90_000 : 10 * minuteMs)
    await site.gateway.tick()
    expect(line.socket.destroyed).toBe(false)
    site.kit.clock.advance(1)
    await site.gateway.tick()
    await line.closed
  })

  it('a device that does not read what it is told is cut off, whatever waits for it', async () => {
    const known = await add(protocol)
    const line = await connected(protocol, known)
    line.socket.pause()
    const flood = () => {
      if (line.socket.destroyed) return
      if (protocol === 'mqtt') line.socket.write(Buffer.alloc(20_000, Buffer.from([0xc0, 0])))
      else if (protocol === 'omni') line.socket.write(`*SCOR,OM,${known.imei},W0,1#\n`.repeat(20))
      else (line as Awaited<ReturnType<typeof openTerminal>>).say({ message: 'unknown', messageId: 0x900, hex: '00' })
    }
    const closed = async () => {
      const { values } = await site.metrics.closed.get()
      const cuts = values.filter(({ labels }) => labels.reason === 'not_reading' || labels.reason === 'flood')
      return cuts.reduce((sum, { value }) => sum + value, 0)
    }
    const before = await closed()
    await eventually(async () => {
      for (let turn = 0; turn < 50; turn += 1) flood()
      expect(await closed()).toBeGreaterThan(before)
    })
    // Cut, not left half open until the peer reads: its end notices when it looks.
    line.socket.resume()
    await line.closed
  })
})

describe('a device that goes', () => {
  const will = (imei: string) => ({
    topic: `saddle/v1/${imei}/up/offline`,
    payload: Buffer.from(JSON.stringify({ reason: 'lost' })),
  })
  const wait = async (ms: number) => {
    site.kit.clock.advance(ms)
    await site.gateway.tick()
  }
  const wills = async () =>
    Number(/(\d+)$/.exec((await site.registry.getSingleMetricAsString('saddle_gateway_wills_total')).trim())?.[1])

  it('and left a will is offline after a moment, long before its silence would tell', async () => {
    const known = await add('mqtt')
    const line = await connected('mqtt', known, will(known.imei))
    const before = await wills()
    line.end()
    await eventually(async () => expect(await wills()).toBe(before + 1))
    await wait(disconnectedAfterMs - 1)
    expect(await stateOf(known.id)).toBe('available')
    await wait(1)
    expect([await stateOf(known.id), await openAlarms(known.id)]).toEqual(['non_contactable', ['offline']])
    const event = owner.selectFrom('vehicle_event').select(['event', 'cause']).where('vehicle_id', '=', known.id)
    expect(await event.orderBy('id', 'desc').executeTakeFirst()).toEqual({ event: 'comms_lost', cause: 'device' })
    await connected('mqtt', known)
    expect([await stateOf(known.id), await openAlarms(known.id)]).toEqual(['available', []])
  })

  it('and comes back in time was never away', async () => {
    const known = await add('mqtt')
    const line = await connected('mqtt', known, will(known.imei))
    const before = await wills()
    line.end()
    await eventually(async () => expect(await wills()).toBe(before + 1))
    await wait(disconnectedAfterMs / 2)
    await connected('mqtt', known, will(known.imei))
    await wait(disconnectedAfterMs)
    expect([await stateOf(known.id), await openAlarms(known.id)]).toEqual(['available', []])
  })

  it('and was heard by another gateway since is there', async () => {
    const known = await add('mqtt')
    const line = await connected('mqtt', known, will(known.imei))
    const before = await wills()
    line.end()
    await eventually(async () => expect(await wills()).toBe(before + 1))
    const at = new Date(site.kit.clock.now() + 1)
    await owner.updateTable('vehicle_status').set({ heard_at: at }).where('vehicle_id', '=', known.id).execute()
    await wait(disconnectedAfterMs)
    expect(await stateOf(known.id)).toBe('available')
  })

  it('on purpose says so, by MQTT and by JT/T 808', async () => {
    const first = await add('mqtt')
    const mqtt = await openMqtt({ port: site.gateway.ports.mqtt })
    ends.push(mqtt.end)
    mqtt.send(connectPacket({ imei: first.imei, password: passwordOf(first.imei) }))
    await mqtt.next()
    const said = { topic: will(first.imei).topic, payload: Buffer.from(JSON.stringify({ reason: 'shutdown' })) }
    mqtt.send({ cmd: 'publish', ...said, qos: 1, messageId: 5, dup: false, retain: false })
    expect(await mqtt.next()).toMatchObject({ cmd: 'puback', messageId: 5 })
    mqtt.send({ cmd: 'disconnect' })
    await mqtt.closed

    const second = await add('jt808')
    const terminal = await openTerminal({ port: site.gateway.ports.jt808, head: modern(second.imei) })
    await signInTerminal(terminal, second.number)
    terminal.say({ message: 'logout' })
    expect(await terminal.next()).toMatchObject({ message: 'generalAnswer', answeredId: 0x0003, result: 0 })
    await terminal.closed
    await wait(disconnectedAfterMs)
    for (const { id } of [first, second]) expect(await stateOf(id)).toBe('non_contactable')
  })
})

describe('the health of the gateway', () => {
  const boss = sessionCall({
    operatorId: 7,
    agentId: 3,
    grant: { agentIds: [3], areaIds: [31] },
    permissions: ['0305'],
  })
  const health = async () => {
    const { data } = await site.fleet.handlers.monitorGateways({}, boss)
    return new Map(data.list.map((row) => [row.protocol, row]))
  }

  it('is told every few seconds, by protocol, and turns stale when the gateway falls over', async () => {
    site.kit.clock.advance(writeEveryMs)
    await site.gateway.tick()
    const before = await health()
    expect([...before.keys()].toSorted()).toEqual(['jt808', 'mqtt', 'omni'])
    const device = await openLine({ port: site.gateway.ports.omni, imei: (await add('omni')).imei })
    ends.push(device.end)
    device.say(signIn, ...Array.from({ length: 19 }, (_, n) => heartbeat(true, n)), { instruction: 'W0', alarm: 2 })
    await device.next()
    device.raw('*SCOR,OM,12,Q0#\n')
    const outsider = await openMqtt({ port: site.gateway.ports.mqtt })
    outsider.send(connectPacket({ imei: '860000000000000', password: '' }))
    await outsider.closed
    await site.gateway.tick()
    expect(await health(), 'not yet').toEqual(before)
    site.kit.clock.advance(writeEveryMs)
    await eventually(async () => {
      await site.gateway.tick()
      const after = await health()
      const [omni, mqtt] = [after.get('omni'), after.get('mqtt')]
      expect(omni).toMatchObject({ alive: true, sessions: 1, reportsPerSecond: 21 / 5, waiting: 0 })
      expect(omni?.reports).toBe((before.get('omni')?.reports ?? 0) + 21)
      expect(omni?.rejected).toBe((before.get('omni')?.rejected ?? 0) + 1)
      expect(mqtt?.rejected).toBe((before.get('mqtt')?.rejected ?? 0) + 1)
    })
    // A tick that was under way may still write with the later time.
    await eventually(async () => {
      site.kit.clock.advance(gatewayGoneAfterMs + 1)
      expect((await health()).get('omni')).toMatchObject({ alive: false })
    })
  })

  it('is forgotten when the gateway is stopped on purpose', async () => {
    await owner.deleteFrom('gateway_node').execute()
    const own = await startField(db)
    await own.gateway.tick()
    expect(await owner.selectFrom('gateway_node').select('node').execute()).toHaveLength(3)
    await own.gateway.close()
    expect(await owner.selectFrom('gateway_node').select('node').execute()).toEqual([])
  })
})
