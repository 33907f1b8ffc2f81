import type { Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { jt808BikeControl, type Jt808Body, type Jt808Head } from '@saddle/device-protocols/jt808/codec.ts'
import { commandSchema } from '@saddle/contract/fleet/commands.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { fleetTopics } from '#fleet/public.ts'
import { TEST_START_MS, sessionCall } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { eventually, field, northScope, seedField, startField, type Field } from '#telemetry/field.fixture.ts'
import { modern, openTerminal, position, registration, signInTerminal } from './jt808.fixture.ts'

const { db, owner } = await testDatabase()
let site: Field
const lines: Socket[] = []

beforeAll(async () => {
  await seedField(owner)
  site = await startField(db)
})
afterEach(() => {
  for (const line of lines.splice(0)) line.destroy()
})
afterAll(async () => {
  await site.gateway.close()
})

async function open(head: Omit<Jt808Head, 'serial'>) {
  const line = await openTerminal({ port: site.gateway.ports.jt808, head })
  lines.push(line.socket)
  return line
}

async function signedIn() {
  const vehicle = await site.addVehicle(field.north, { protocol: 'jt808' })
  const line = await open(modern(vehicle.imei))
  await signInTerminal(line, vehicle.number)
  return { vehicle, line }
}

const at = TEST_START_MS - minuteMs
const reports = (vehicleId: number) =>
  owner.selectFrom('device_report').selectAll().where('vehicle_id', '=', vehicleId).orderBy('occurred_at').execute()
const status = (vehicleId: number) =>
  owner.selectFrom('vehicle_status').selectAll().where('vehicle_id', '=', vehicleId).executeTakeFirstOrThrow()

it('registers, signs in with its code, and is answered after the commit', async () => {
  const { vehicle, line } = await signedIn()
  const serial = line.say({ message: 'position', ...position(at) })
  expect(await line.next()).toMatchObject({
    message: 'generalAnswer',
    answeredSerial: serial,
    answeredId: 0x0200,
    result: 0,
  })
  expect(await reports(vehicle.id)).toMatchObject([{ kind: '0200', lat: 31.26, lng: 120.72, battery_percent: 64 }])
  expect(await status(vehicle.id)).toMatchObject({ lat: 31.26, locked: true })
  line.say({ message: 'heartbeat' })
  expect(await line.next()).toMatchObject({ message: 'generalAnswer', answeredId: 0x0002, result: 0 })
})

it('is told the time when it asks, as a terminal of 2019 does', async () => {
  const { line } = await signedIn()
  line.say({ message: 'timeQuery' })
  expect(await line.next()).toMatchObject({ message: 'serverTime', timeUtc: TEST_START_MS })
})

it('takes a batch in parts, and the same one again without another row', async () => {
  const { vehicle, line } = await signedIn()
  const positions = Array.from({ length: 20 }, (_, n) => position(at + n * 1_000))
  for (let turn = 0; turn < 2; turn += 1) {
    const serial = line.say({ message: 'positionBatch', blindArea: true, positions }, 200)
    expect(await line.next()).toMatchObject({ answeredSerial: serial, answeredId: 0x0704, result: 0 })
    expect(await reports(vehicle.id)).toHaveLength(20)
  }
})

it('a terminal of 2013 is known by its own number', async () => {
  const vehicle = await site.addVehicle(field.north, { protocol: 'jt808', terminalNumber: '013800138000' })
  const line = await open({ headerVersion: 2013, deviceId: '013800138000' })
  line.say({ ...registration(vehicle.number), layout: 2013 } as Jt808Body)
  const answer = await line.next()
  if (answer.message !== 'registerAnswer') throw new Error('no answer')
  line.say({ message: 'authenticate', code: answer.code ?? '' })
  expect(await line.next()).toMatchObject({ message: 'generalAnswer', result: 0 })
  line.say({ message: 'position', ...position(at) })
  expect(await line.next()).toMatchObject({ answeredId: 0x0200, result: 0 })
  expect(await reports(vehicle.id)).toHaveLength(1)
})

it('whoever cannot show the code says nothing that is believed', async () => {
  const { vehicle } = await signedIn()
  const held = () => owner.selectFrom('unknown_device').selectAll().where('imei', '=', vehicle.imei).executeTakeFirst()
  const silent = await open(modern(vehicle.imei))
  silent.say({ message: 'position', ...position(at) })
  await silent.closed
  const wrong = await open(modern(vehicle.imei))
  wrong.say({ message: 'authenticate', code: 'abcd', imei: '', firmware: '' })
  expect(await wrong.next()).toMatchObject({ message: 'generalAnswer', result: 1 })
  await wrong.closed
  // Another terminal that knows the number only.
  const other = await open(modern(vehicle.imei))
  other.say(registration(vehicle.number, 'T2'))
  expect(await other.next()).toMatchObject({ message: 'registerAnswer', result: 1 })
  await other.closed
  await eventually(async () => expect(await held()).toMatchObject({ reason: 'secret', protocol: 'jt808' }))
  const outsider = await open(modern('869999999999998'))
  outsider.say(registration('SD000000'))
  expect(await outsider.next()).toMatchObject({ message: 'registerAnswer', result: 4 })
  await outsider.closed
  expect(await reports(vehicle.id)).toEqual([])
})

describe('registration', () => {
  const window = (vehicleId: number, until: number | null) =>
    owner
      .updateTable('device')
      .set({ registration_open_until: until === null ? null : new Date(until) })
      .where('vehicle_id', '=', vehicleId)
      .execute()
  const knock = async (imei: string, plate: string, terminalId = 'T1') => {
    const line = await open(modern(imei))
    line.say(registration(plate, terminalId))
    const answer = await line.next()
    if (answer.message !== 'registerAnswer') throw new Error('no answer')
    return answer
  }

  it('gives the code only while staff keep it open, and says why not', async () => {
    const { id, imei, number } = await site.addVehicle(field.north, { protocol: 'jt808', mayRegister: false })
    expect(await knock(imei, number), 'nobody has opened it').toMatchObject({ result: 4 })
    await window(id, TEST_START_MS)
    expect(await knock(imei, number), 'it has ended').toMatchObject({ result: 4 })
    await window(id, TEST_START_MS + 1)
    expect(await knock(imei, number)).toMatchObject({ result: 0, code: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect(await knock(imei, number), 'the same terminal, again').toMatchObject({ result: 0 })
    expect(await knock(imei, number, 'T2'), 'another one').toMatchObject({ result: 1 })
    await window(id, null)
    const known = await knock(imei, number)
    expect(known, 'the same terminal, later').toMatchObject({ result: 3 })
    expect(known.code ?? '').toBe('')
    const { rows } = await sql<{ reason: string }>`
      select reason from unknown_device where imei = ${imei}`.execute(owner)
    expect(rows).toEqual([{ reason: 'secret' }])
  })

  it('compares the plate with that of the vehicle, where both have one', async () => {
    const { imei } = await site.addVehicle(field.north, { protocol: 'jt808' })
    expect(await knock(imei, '沪A12345D')).toMatchObject({ result: 0 })
    const other = await site.addVehicle(field.north, { protocol: 'jt808' })
    await owner.updateTable('vehicle').set({ plate: '苏E88888' }).where('id', '=', other.id).execute()
    site.kit.bus.publish(fleetTopics.deviceChanged, [other.imei])
    expect(await knock(other.imei, 'FOREIGN1')).toMatchObject({ result: 2 })
    for (const plate of [other.number, ' 苏e88888', '']) {
      await owner.updateTable('device').set({ terminal_mark: null }).where('vehicle_id', '=', other.id).execute()
      expect(await knock(other.imei, plate), plate).toMatchObject({ result: 0 })
    }
  })
})

const operator = sessionCall({ operatorId: 7, agentId: 3, grant: northScope, name: '周可', permissions: ['030101'] })
const stateOf = async (id: number) =>
  (await owner.selectFrom('vehicle_command').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

it('an unlock is acknowledged by the answer and confirmed by the next position', async () => {
  const { vehicle, line } = await signedIn()
  line.say({ message: 'position', ...position(at) })
  await line.next()
  const { data } = await site.fleet.handlers.lockVehicle(
    { vehicleId: vehicle.id, kind: 'unlock', reason: '' },
    operator,
  )
  const { id } = commandSchema.parse(data)
  const asked = await line.next()
  expect(asked).toMatchObject({ message: 'control', command: jt808BikeControl.unlock })
  expect(await stateOf(id)).toBe('sent')
  line.say({ message: 'generalAnswer', answeredSerial: asked.serial, answeredId: 0x8105, result: 0 })
  await eventually(async () => expect(await stateOf(id)).toBe('acknowledged'))
  line.say({ message: 'position', ...position(TEST_START_MS, false) })
  await eventually(async () => expect(await stateOf(id)).toBe('confirmed'))
  expect(await status(vehicle.id)).toMatchObject({ locked: false })
})

it('an alarm whose bit is set no more is over, one that only happened is not', async () => {
  const { vehicle, line } = await signedIn()
  const alarms = async () =>
    (
      await owner
        .selectFrom('vehicle_alarm')
        .select('kind')
        .where('vehicle_id', '=', vehicle.id)
        .where('closed_at', 'is', null)
        .orderBy('kind')
        .execute()
    ).map(({ kind }) => kind)
  const say = async (second: number, alarmBits: number) => {
    line.say({ message: 'position', ...position(at + second * 1_000, true, { alarmBits }) })
    expect(await line.next()).toMatchObject({ answeredId: 0x0200, result: 0 })
  }
  await say(0, 2 ** 30 + 2 ** 28 + 2 ** 8)
  expect(await alarms()).toEqual(['fall', 'illegal_movement', 'power_cut'])
  await say(1, 2 ** 30)
  expect(await alarms()).toEqual(['fall', 'illegal_movement'])
  // Kept by the terminal in a tunnel, from before: it opens nothing again.
  line.say({ message: 'positionBatch', blindArea: true, positions: [position(at, true, { alarmBits: 2 ** 8 })] })
  expect(await line.next()).toMatchObject({ answeredId: 0x0704, result: 0 })
  expect(await alarms()).toEqual(['fall', 'illegal_movement'])
  // What was over while the terminal was away is known by its first position.
  line.socket.destroy()
  const again = await open(modern(vehicle.imei))
  await signInTerminal(again, vehicle.number)
  again.say({ message: 'position', ...position(at + 3_000) })
  await again.next()
  expect(await alarms()).toEqual(['illegal_movement'])
})
