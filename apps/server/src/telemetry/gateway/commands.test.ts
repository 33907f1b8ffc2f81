import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from 'kysely'
import type { OmniBody } from '@saddle/device-protocols/omni/codec.ts'
import type { Jt808Body } from '@saddle/device-protocols/jt808/codec.ts'
import { commandKinds, commandSchema, type CommandKind } from '@saddle/contract/fleet/commands.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { TEST_START_MS, sessionCall } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import {
  eventually,
  field,
  northScope,
  openLine,
  seedField,
  signIn,
  startField,
  type Field,
  type Line,
} from '../field.fixture.ts'
import { modern, openTerminal, position, signInTerminal, type Terminal } from './jt808/jt808.fixture.ts'
import { connectPacket, openMqtt, type MqttLine } from './mqtt/mqtt.fixture.ts'
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

const operator = sessionCall({ operatorId: 7, agentId: 3, grant: northScope, name: '周可', permissions: ['030101'] })
const parameters = { reportSeconds: 15, heartbeatSeconds: 120, speedLimitKmh: 20 }

async function order(vehicleId: number, kind: CommandKind) {
  const given = kind === 'set_parameters' ? { parameters } : {}
  const { data } = await site.fleet.handlers.lockVehicle({ vehicleId, kind, reason: '试车', ...given }, operator)
  return commandSchema.parse(data).id
}
const stateOf = async (id: number) =>
  (await owner.selectFrom('vehicle_command').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
const becomes = (id: number, state: string) => eventually(async () => expect(await stateOf(id)).toBe(state))

/** While nothing of the vehicle can be committed the device says the proof: the command is as it was until the commit. */
async function whileHeld(vehicleId: number, command: number, say: () => void): Promise<void> {
  const before = await stateOf(command)
  await owner.transaction().execute(async (tx) => {
    await tx.selectFrom('vehicle_status').selectAll().where('vehicle_id', '=', vehicleId).forUpdate().execute()
    say()
    await eventually(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(owner)
      expect(rows.length).toBeGreaterThan(0)
    })
    expect(await stateOf(command)).toBe(before)
  })
}

describe('Omni', () => {
  type Turn = readonly [asked: object, answer: OmniBody]
  const turns: Record<Exclude<CommandKind, 'unlock' | 'lock'>, Turn> = {
    ring: [
      { instruction: 'S8', times: 3 },
      { instruction: 'S8', times: 3 },
    ],
    open_battery: [
      { instruction: 'L5', operation: 1 },
      { instruction: 'L5', operation: 1, result: 0 },
    ],
    power_off: [
      { instruction: 'S1', event: 1 },
      { instruction: 'S1', event: 1 },
    ],
    restart: [
      { instruction: 'S1', event: 2 },
      { instruction: 'S1', event: 2 },
    ],
    locate: [
      { instruction: 'D0' },
      { instruction: 'D0', trigger: 0, timeUtc: TEST_START_MS, located: true, lat: 31.2, lng: 120.7 },
    ],
    ask_version: [{ instruction: 'G0' }, { instruction: 'G0', firmware: '1.7' }],
    set_parameters: [{ instruction: 'S5', heartbeatS: 120, uploadIntervalS: 15 }, { instruction: 'S5' }],
  }

  async function connected(): Promise<{ id: number; imei: string; line: Line }> {
    const { id, imei } = await site.addVehicle()
    const line = await openLine({ port: site.gateway.ports.omni, imei })
    ends.push(line.end)
    line.say(signIn)
    return { id, imei, line }
  }

  it('is told over the next line when the one that it was fetched for breaks meanwhile', async () => {
    const { id, imei, line } = await connected()
    const { commands } = site.fleet
    const { claim } = commands
    const open = async () => (await site.metrics.connections.get()).values[0]?.value ?? 0
    const before = await open()
    const spy = vi.spyOn(commands, 'claim').mockImplementation(async (vehicleId) => {
      const claimed = await claim(vehicleId)
      if (claimed === null) return null
      spy.mockRestore()
      line.end()
      await eventually(async () => expect(await open()).toBe(before - 1))
      return claimed
    })
    const command = await order(id, 'ring')
    await eventually(async () => expect([await stateOf(command), await open()]).toEqual(['queued', before - 1]))
    const next = await openLine({ port: site.gateway.ports.omni, imei })
    ends.push(next.end)
    next.say(signIn)
    expect(await next.next()).toMatchObject(turns.ring[0])
    expect(await stateOf(command)).toBe('sent')
  })

  it.each(commandKinds)('%s is sent, and confirmed by what the device says, after its commit', async (kind) => {
    const { id, line } = await connected()
    const command = await order(id, kind)
    const asked = await line.next()
    if (kind === 'unlock' || kind === 'lock') {
      if (asked.instruction !== 'R0') throw new Error(asked.instruction)
      const { operation, userId, timestamp } = asked
      line.say({ instruction: 'R0', operation, key: 9, userId, timestamp })
      expect(await line.next()).toMatchObject({ instruction: kind === 'unlock' ? 'L0' : 'L1', key: 9 })
      expect(await stateOf(command)).toBe('acknowledged')
      await whileHeld(id, command, () => {
        line.say({ instruction: kind === 'unlock' ? 'L0' : 'L1', result: 0, userId, timestamp })
      })
      return await becomes(command, 'confirmed')
    }
    expect(asked).toMatchObject(turns[kind][0])
    expect(await stateOf(command)).toBe('sent')
    await whileHeld(id, command, () => {
      line.say(turns[kind][1])
    })
    return await becomes(command, 'confirmed')
  })

  it('what the device is asked for is not confirmed by a report that comes by itself, nor before its commit', async () => {
    const { id, line } = await connected()
    const command = await order(id, 'locate')
    await line.next()
    const place = { instruction: 'D0', timeUtc: TEST_START_MS - 5_000, located: true, lat: 31.2, lng: 120.7 } as const
    line.say({ ...place, trigger: 1 }, { instruction: 'W0', alarm: 2 })
    expect(await line.next()).toMatchObject({ instruction: 'ack', of: 'W0' })
    expect(await stateOf(command)).toBe('sent')
    await whileHeld(id, command, () => {
      line.say({ ...place, trigger: 0, timeUtc: TEST_START_MS })
    })
    await becomes(command, 'confirmed')
  })
})

describe('JT/T 808', () => {
  const attributes = {
    terminalType: 0,
    manufacturer: 'SADL',
    model: 'SD-T1',
    terminalId: 'T1',
    iccid: '0'.repeat(20),
    hardware: '1',
    firmware: 'V1.3',
    satelliteSystems: 3,
    networks: 0,
  }
  const asked: Record<CommandKind, object> = {
    unlock: { message: 'control', command: 0xf0 },
    lock: { message: 'control', command: 0xf1 },
    ring: { message: 'control', command: 0xf2 },
    open_battery: { message: 'control', command: 0xf3 },
    power_off: { message: 'control', command: 3 },
    restart: { message: 'control', command: 4 },
    locate: { message: 'queryPosition' },
    ask_version: { message: 'queryAttributes' },
    set_parameters: { message: 'setParameters' },
  }

  async function connected(): Promise<{ id: number; line: Terminal }> {
    const { id, imei, number } = await site.addVehicle(field.north, { protocol: 'jt808' })
    const line = await openTerminal({ port: site.gateway.ports.jt808, head: modern(imei) })
    ends.push(() => line.socket.destroy())
    await signInTerminal(line, number)
    return { id, line }
  }

  it.each(commandKinds)('%s is sent, answered, and confirmed by its proof', async (kind) => {
    const { id, line } = await connected()
    const command = await order(id, kind)
    const question = await line.next()
    expect(question).toMatchObject(asked[kind])
    expect(await stateOf(command)).toBe('sent')
    const answer: Jt808Body = {
      message: 'generalAnswer',
      answeredSerial: question.serial,
      answeredId: 0x8105,
      result: 0,
    }
    if (kind === 'locate') {
      await whileHeld(id, command, () => {
        line.say({
          message: 'positionAnswer',
          answeredSerial: question.serial,
          position: position(TEST_START_MS),
        })
      })
    } else if (kind === 'ask_version') {
      line.say({ message: 'attributes', ...attributes })
    } else {
      line.say(answer)
    }
    if (kind === 'unlock' || kind === 'lock') {
      await becomes(command, 'acknowledged')
      // The lock as it was before the command proves nothing.
      line.say({ message: 'position', ...position(TEST_START_MS - minuteMs, kind === 'lock') })
      await line.next()
      expect(await stateOf(command)).toBe('acknowledged')
      await whileHeld(id, command, () => {
        line.say({ message: 'position', ...position(TEST_START_MS, kind === 'lock') })
      })
    }
    await becomes(command, 'confirmed')
  })

  it('a command that the terminal refuses or does not know has failed', async () => {
    const { id, line } = await connected()
    for (const [result, failure] of [
      [1, '车辆执行失败，请检查车锁是否被卡住'],
      [3, '该车辆的设备不支持此指令'],
    ] as const) {
      const command = await order(id, 'ring')
      const { serial } = await line.next()
      line.say({ message: 'generalAnswer', answeredSerial: serial, answeredId: 0x8105, result })
      await becomes(command, 'failed')
      const row = owner.selectFrom('vehicle_command').select('failure').where('id', '=', command)
      expect(await row.executeTakeFirst()).toEqual({ failure })
    }
  })
})

describe('MQTT', () => {
  const words: Record<Exclude<CommandKind, 'set_parameters'>, string> = {
    unlock: 'unlock',
    lock: 'lock',
    ring: 'ring',
    open_battery: 'open_compartment',
    power_off: 'power_off',
    restart: 'restart',
    locate: 'locate',
    ask_version: 'version',
  }

  async function connected() {
    const { id, imei } = await site.addVehicle(field.north, { protocol: 'mqtt' })
    const line = await openMqtt({ port: site.gateway.ports.mqtt })
    ends.push(line.end)
    const password = createDeviceSecrets(site.kit.secrets).deviceSecret({ imei, secretGeneration: 0 })
    line.send(connectPacket({ imei, password }))
    await line.next()
    const topics = [`saddle/v1/${imei}/down/command`, `saddle/v1/${imei}/config`]
    line.send({ cmd: 'subscribe', messageId: 1, subscriptions: topics.map((topic) => ({ topic, qos: 1 as const })) })
    expect(await line.next()).toMatchObject({ cmd: 'suback', granted: [1, 1] })
    return { id, imei, line }
  }
  const published = async (line: MqttLine) => {
    const packet = await line.next()
    if (packet.cmd !== 'publish') throw new Error(packet.cmd)
    return { packet, body: JSON.parse(String(packet.payload)) as Record<string, unknown> }
  }
  /** Until the device's word is answered: its settings may come again meanwhile, before or after the answer. */
  const answered = async (line: MqttLine): Promise<void> => {
    while ((await line.next()).cmd !== 'puback');
  }
  let messageId = 100
  const say = (line: MqttLine, imei: string, kind: string, body: object) => {
    messageId += 1
    const payload = Buffer.from(JSON.stringify(body))
    const topic = `saddle/v1/${imei}/up/${kind}`
    line.send({ cmd: 'publish', topic, payload, qos: 1, messageId, dup: false, retain: false })
  }

  it.each(commandKinds)('%s is sent, delivered, and confirmed by the device itself', async (kind) => {
    const { id, imei, line } = await connected()
    const command = await order(id, kind)
    const { packet, body } = await published(line)
    line.send({ cmd: 'puback', messageId: packet.messageId ?? 0 })
    await becomes(command, 'acknowledged')
    if (kind === 'set_parameters') {
      expect(packet).toMatchObject({ topic: `saddle/v1/${imei}/config`, retain: true, qos: 1 })
      expect(body).toEqual({ version: 1, reportRidingS: 15, reportIdleS: 120, maxSpeedKmh: 20 })
      // That it follows an older one, or none, is no proof.
      say(line, imei, 'hello', { at: TEST_START_MS, model: 'EB-3', firmware: '1' })
      await answered(line)
      expect(await stateOf(command)).toBe('acknowledged')
      say(line, imei, 'hello', { at: TEST_START_MS + 1, model: 'EB-3', firmware: '1', configVersion: 1 })
      return await becomes(command, 'confirmed')
    }
    expect(body).toMatchObject({ id: String(command), command: words[kind] })
    await whileHeld(id, command, () => {
      say(line, imei, 'ack', { id: String(command), at: TEST_START_MS, state: 'done' })
    })
    return await becomes(command, 'confirmed')
  })

  it.each(['unlock', 'set_parameters'] as const)(
    '%s that was sent over one connection is confirmed over the next, by this device only',
    async (kind) => {
      const { id, imei, line } = await connected()
      const command = await order(id, kind)
      await published(line)
      line.end()
      await line.closed
      const other = await connected()
      const proof = (of: string, to: MqttLine) =>
        kind === 'unlock'
          ? say(to, of, 'ack', { id: String(command), at: TEST_START_MS, state: 'done' })
          : say(to, of, 'hello', { at: TEST_START_MS, model: 'EB-3', firmware: '1', configVersion: 1 })
      proof(other.imei, other.line)
      expect(await other.line.next()).toMatchObject({ cmd: 'puback' })
      expect(await stateOf(command)).toBe('sent')
      const again = await openMqtt({ port: site.gateway.ports.mqtt })
      ends.push(again.end)
      again.send(
        connectPacket({
          imei,
          password: createDeviceSecrets(site.kit.secrets).deviceSecret({ imei, secretGeneration: 0 }),
        }),
      )
      await again.next()
      proof(imei, again)
      expect(await again.next()).toMatchObject({ cmd: 'puback' })
      await becomes(command, 'confirmed')
      const status = owner.selectFrom('vehicle_status').select('locked').where('vehicle_id', '=', id)
      expect(await status.executeTakeFirst()).toEqual({ locked: kind === 'unlock' ? false : null })
    },
  )

  it('a configuration is retained: it waits for a device that is away and for every subscription', async () => {
    const { id, imei, line } = await connected()
    line.end()
    await line.closed
    const command = await order(id, 'set_parameters')
    const password = createDeviceSecrets(site.kit.secrets).deviceSecret({ imei, secretGeneration: 0 })
    for (const turn of ['ordered', 'again'] as const) {
      const next = await openMqtt({ port: site.gateway.ports.mqtt })
      ends.push(next.end)
      next.send(connectPacket({ imei, password }))
      await next.next()
      const topics = [`saddle/v1/${imei}/config`, `saddle/v1/${imei}/down/command`]
      next.send({ cmd: 'subscribe', messageId: 1, subscriptions: topics.map((topic) => ({ topic, qos: 1 as const })) })
      await next.next()
      const { packet, body } = await published(next)
      expect(packet).toMatchObject({ topic: `saddle/v1/${imei}/config`, retain: true })
      expect(body).toMatchObject({ reportRidingS: 15 })
      if (turn === 'ordered') {
        const { version: configVersion } = body
        say(next, imei, 'hello', { at: TEST_START_MS, model: 'EB-3', firmware: '1', configVersion })
        await becomes(command, 'confirmed')
      }
    }
  })
})
