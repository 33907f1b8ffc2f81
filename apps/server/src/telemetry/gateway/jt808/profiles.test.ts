import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandSchema, type CommandKind } from '@saddle/contract/fleet/commands.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { fleetTopics } from '#fleet/public.ts'
import type { Jt808Body, Jt808HeaderVersion } from '@saddle/device-protocols/jt808/codec.ts'
import { TEST_START_MS, sessionCall } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { eventually, field, northScope, seedField, startField, type Field } from '#telemetry/field.fixture.ts'
import { modern, openTerminal, position, registration, signInTerminal, type Terminal } from './jt808.fixture.ts'

const { db, owner } = await testDatabase()
let site: Field

beforeAll(async () => {
  await seedField(owner)
  site = await startField(db)
})
afterAll(async () => {
  await site.gateway.close()
})

const doorsLocked = 1 << 12
const located = 2
/** What a terminal of the standard says: nothing of an e-bike. */
const plain = (timeUtc: number, locked: boolean) => {
  const { bike: _, ...said } = position(timeUtc)
  return { ...said, statusBits: located | (locked ? doorsLocked : 0) }
}

async function signedIn(profile: string, headerVersion: Jt808HeaderVersion = 2019) {
  const number = headerVersion === 2013 ? { terminalNumber: '013800138001' } : {}
  const vehicle = await site.addVehicle(field.north, { protocol: 'jt808', ...number })
  await owner.updateTable('device').set({ profile }).where('vehicle_id', '=', vehicle.id).execute()
  site.kit.bus.publish(fleetTopics.deviceChanged, [vehicle.imei, ...Object.values(number)])
  const head = headerVersion === 2013 ? { headerVersion, deviceId: '013800138001' } : modern(vehicle.imei)
  const line = await openTerminal({ port: site.gateway.ports.jt808, head })
  if (headerVersion === 2019) await signInTerminal(line, vehicle.number)
  else {
    line.say({ ...registration(vehicle.number), layout: 2013 } as Jt808Body)
    const answer = await line.next()
    line.say({ message: 'authenticate', code: answer.message === 'registerAnswer' ? (answer.code ?? '') : '' })
    expect(await line.next()).toMatchObject({ message: 'generalAnswer', result: 0 })
  }
  line.say({ message: 'position', ...plain(TEST_START_MS - minuteMs, true) })
  await line.next()
  return { vehicle, line }
}

const operator = sessionCall({
  operatorId: 7,
  agentId: 3,
  grant: northScope,
  name: '周可',
  permissions: ['030101'],
})
async function order(vehicleId: number, kind: CommandKind): Promise<number> {
  const { data } = await site.fleet.handlers.lockVehicle({ vehicleId, kind, reason: '' }, operator)
  return commandSchema.parse(data).id
}
const commandOf = (id: number) =>
  owner.selectFrom('vehicle_command').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const becomes = (id: number, state: string) =>
  eventually(async () => expect(await commandOf(id)).toMatchObject({ state }))
const locked = async (vehicleId: number) =>
  (
    await owner
      .selectFrom('vehicle_status')
      .select('locked')
      .where('vehicle_id', '=', vehicleId)
      .executeTakeFirstOrThrow()
  ).locked

/** The next message that is no answer to a message of the terminal. */
async function nextOrder(line: Terminal) {
  for (;;) {
    const message = await line.next()
    if (message.message !== 'generalAnswer') return message
  }
}

describe("a maker's own profile, as data of the model", () => {
  const byText = { by: 'text', flags: 1, text: 'LOCK#' } as const
  const byBytes = { by: 'passthrough', type: 0xf1, hex: '0a0b' } as const
  const orders = { unlock: byBytes, lock: byText, ring: null, open_battery: null }

  async function withModel(profile: object) {
    const vehicle = await site.addVehicle(field.north, { protocol: 'jt808' })
    const name = `M-${vehicle.number}`
    await owner.updateTable('vehicle').set({ model: name }).where('id', '=', vehicle.id).execute()
    const changed = { changed_at: new Date(TEST_START_MS), changed_by: 7, changed_by_name: '周可' }
    const row = { name, protocol: 'jt808', profile: JSON.stringify(profile), ...changed }
    await owner.insertInto('vehicle_model').values(row).execute()
    site.kit.bus.publish(fleetTopics.deviceChanged, [vehicle.imei])
    const line = await openTerminal({ port: site.gateway.ports.jt808, head: modern(vehicle.imei) })
    await signInTerminal(line, vehicle.number)
    return { vehicle, line }
  }

  it('is sent as bytes or text, and confirmed by the answer alone where nothing else is known of the lock', async () => {
    const { vehicle, line } = await withModel({ protocol: 'jt808', orders, proof: 'answer', lockBit: null })
    for (const [kind, sent] of [
      ['unlock', { message: 'passthrough', type: 0xf1, hex: '0a0b' }],
      ['lock', { message: 'text', flags: 1, text: 'LOCK#' }],
    ] as const) {
      const id = await order(vehicle.id, kind)
      const asked = await nextOrder(line)
      expect(asked).toMatchObject(sent)
      line.say({ message: 'generalAnswer', answeredSerial: asked.serial, answeredId: 0x8900, result: 0 })
      await becomes(id, 'confirmed')
      expect(await locked(vehicle.id)).toBe(kind === 'lock')
    }
  })

  it('tells the lock by its own bit, whichever way round that is', async () => {
    const lockBit = { bit: 20, lockedWhenSet: false }
    const { vehicle, line } = await withModel({ protocol: 'jt808', orders, proof: 'lock_state', lockBit })
    const id = await order(vehicle.id, 'unlock')
    const asked = await nextOrder(line)
    line.say({ message: 'generalAnswer', answeredSerial: asked.serial, answeredId: 0x8900, result: 0 })
    await becomes(id, 'acknowledged')
    line.say({ message: 'position', ...plain(TEST_START_MS, true), statusBits: located | (1 << 20) })
    await becomes(id, 'confirmed')
    expect(await locked(vehicle.id)).toBe(false)
  })

  it('that makes no sense keeps nobody out: the usual one is followed', async () => {
    const { vehicle, line } = await withModel({ protocol: 'jt808', orders: {} })
    await order(vehicle.id, 'unlock')
    expect(await nextOrder(line)).toMatchObject({ message: 'control', command: 0xf0 })
  })
})

describe('a terminal that speaks only the standard', () => {
  it.each([2013, 2019] as const)(
    'of %i is unlocked by vehicle control and confirmed by its answer',
    async (version) => {
      const { vehicle, line } = await signedIn('vehicle_control', version)
      const id = await order(vehicle.id, 'unlock')
      const asked = await nextOrder(line)
      expect(asked).toMatchObject(
        version === 2013
          ? { message: 'vehicleControl', flags: 0 }
          : { message: 'vehicleControl', controls: [{ type: 1, value: 1 }] },
      )
      line.say({ message: 'generalAnswer', answeredSerial: asked.serial, answeredId: 0x8500, result: 0 })
      await becomes(id, 'acknowledged')
      const after = plain(TEST_START_MS, false)
      const serial = line.say({ message: 'vehicleControlAnswer', answeredSerial: asked.serial, position: after })
      await becomes(id, 'confirmed')
      expect(await locked(vehicle.id)).toBe(false)
      expect(await line.next()).toMatchObject({ answeredSerial: serial, answeredId: 0x0500, result: 0 })
    },
  )

  it('is confirmed by the bit of the doors alone, when it answers generally and reports', async () => {
    const { vehicle, line } = await signedIn('vehicle_control')
    const id = await order(vehicle.id, 'unlock')
    const asked = await nextOrder(line)
    line.say({ message: 'generalAnswer', answeredSerial: asked.serial, answeredId: 0x8500, result: 0 })
    await becomes(id, 'acknowledged')
    line.say({ message: 'position', ...plain(TEST_START_MS, false) })
    await becomes(id, 'confirmed')
    expect(await locked(vehicle.id)).toBe(false)
  })

  it('fails the command when its answer says that the doors are as they were', async () => {
    const { vehicle, line } = await signedIn('vehicle_control')
    const id = await order(vehicle.id, 'unlock')
    const asked = await nextOrder(line)
    const unmoved = plain(TEST_START_MS, true)
    line.say({ message: 'vehicleControlAnswer', answeredSerial: asked.serial, position: unmoved })
    await becomes(id, 'failed')
    expect(await locked(vehicle.id)).toBe(true)
  })

  it('has no bell: the command fails at once and is not sent', async () => {
    const { vehicle, line } = await signedIn('vehicle_control')
    const id = await order(vehicle.id, 'ring')
    await becomes(id, 'failed')
    expect(line.received.filter(({ message }) => message === 'control' || message === 'vehicleControl')).toEqual([])
  })
})
