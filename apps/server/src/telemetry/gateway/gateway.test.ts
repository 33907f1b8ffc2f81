import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { commandSchema } from '@saddle/contract/fleet/commands.ts'
import { dayMs, minuteMs } from '@saddle/contract/time.ts'
import { fleetTopics } from '#fleet/public.ts'
import { TEST_START_MS, sessionCall } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import {
  eventually,
  field,
  heartbeat,
  northScope,
  openLine,
  positionAt,
  seedField,
  signIn,
  startField,
  type Field,
  type Line,
} from '../field.fixture.ts'
import { deviceConnected } from './topics.ts'

const { db, owner } = await testDatabase()
let site: Field
const lines: Line[] = []

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

async function line(imei: string): Promise<Line> {
  const opened = await openLine({ port: site.gateway.ports.omni, imei })
  lines.push(opened)
  return opened
}

const status = (vehicleId: number) =>
  owner.selectFrom('vehicle_status').selectAll().where('vehicle_id', '=', vehicleId).executeTakeFirstOrThrow()
const state = async (vehicleId: number) =>
  (await owner.selectFrom('vehicle').select('state').where('id', '=', vehicleId).executeTakeFirstOrThrow()).state
const reports = (vehicleId: number) =>
  owner.selectFrom('device_report').selectAll().where('vehicle_id', '=', vehicleId).orderBy('occurred_at').execute()
const command = (id: number) =>
  owner.selectFrom('vehicle_command').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const openAlarms = async (vehicleId: number) =>
  (
    await owner
      .selectFrom('vehicle_alarm')
      .select('kind')
      .where('vehicle_id', '=', vehicleId)
      .where('closed_at', 'is', null)
      .orderBy('kind')
      .execute()
  ).map((row) => row.kind)

const operator = sessionCall({ operatorId: 7, agentId: 3, grant: northScope, name: '周可', permissions: ['030101'] })

async function order(vehicleId: number, kind: 'unlock' | 'lock') {
  const { data } = await site.fleet.handlers.lockVehicle({ vehicleId, kind, reason: '试车' }, operator)
  return commandSchema.parse(data)
}

/** A connected vehicle whose lock is known to be closed. */
async function connected(locked = true) {
  const vehicle = await site.addVehicle()
  const device = await line(vehicle.imei)
  device.say(signIn, heartbeat(locked))
  await eventually(async () => expect((await status(vehicle.id)).locked).toBe(locked))
  return { vehicle, device }
}

it('stores what a device says and keeps the latest', async () => {
  const vehicle = await site.addVehicle()
  const device = await line(vehicle.imei)
  const at = TEST_START_MS - 3_000
  device.say(signIn, heartbeat(true, 64), positionAt(at, 31.26, 120.72))
  await eventually(async () => expect(await reports(vehicle.id)).toHaveLength(3))
  expect(await status(vehicle.id)).toMatchObject({
    lat: 31.26,
    lng: 120.72,
    position_at: new Date(at),
    battery_percent: 64,
    locked: true,
    charging: false,
    heard_at: new Date(TEST_START_MS),
    agent_id: 3,
    area_id: 31,
  })
})

it('a repeated frame changes nothing and an old one does not move the vehicle back', async () => {
  const vehicle = await site.addVehicle()
  const device = await line(vehicle.imei)
  const at = TEST_START_MS - minuteMs
  const early = positionAt(at, 31.2, 120.7)
  const late = positionAt(at + 10_000, 31.3, 120.8)
  device.say(late, early, late, late, early)
  await eventually(async () => expect(await reports(vehicle.id)).toHaveLength(2))
  const { version } = await status(vehicle.id)
  device.say(late, early)
  // A frame of another kind behind them shows that both were taken in.
  device.say(heartbeat(true, 51))
  await eventually(async () => expect((await status(vehicle.id)).battery_percent).toBe(51))
  expect(await reports(vehicle.id)).toHaveLength(3)
  expect(await status(vehicle.id)).toMatchObject({ lat: 31.3, lng: 120.8, version: version + 1 })
})

it('leaves out what cannot be, and counts it', async () => {
  const vehicle = await site.addVehicle()
  const device = await line(vehicle.imei)
  const tomorrow = TEST_START_MS + dayMs
  device.say(heartbeat(true, 300), positionAt(tomorrow, 31.26, 120.72), positionAt(TEST_START_MS, 0, 0))
  await eventually(async () => expect(await reports(vehicle.id)).toHaveLength(3))
  const now = await status(vehicle.id)
  expect(now).toMatchObject({ battery_percent: null, locked: true, lat: 31.26, position_at: new Date(TEST_START_MS) })
  const counted = await site.registry.getSingleMetricAsString('saddle_report_faults_total')
  for (const fault of ['battery', 'future', 'position']) expect(counted).toMatch(new RegExp(`fault="${fault}"} [1-9]`))
})

it('acknowledges an alarm only after it is committed', async () => {
  const { vehicle, device } = await connected()
  // While somebody else holds the vehicle's row, the report cannot be committed.
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const holder = owner.transaction().execute(async (tx) => {
    await tx.selectFrom('vehicle_status').selectAll().where('vehicle_id', '=', vehicle.id).forUpdate().execute()
    device.say({ instruction: 'W0', alarm: 1 }, { instruction: 'W0', alarm: 1 }, { instruction: 'W0', alarm: 2 })
    await eventually(async () => {
      const { rows: waiting } = await sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(owner)
      expect(waiting.length).toBeGreaterThan(0)
    })
    expect(device.received).toEqual([])
    await held
  })
  release()
  await holder
  expect(await device.next()).toMatchObject({ instruction: 'ack', of: 'W0' })
  // The second alarm may be in a batch of its own.
  await eventually(async () => expect(await openAlarms(vehicle.id)).toEqual(['fall', 'illegal_movement']))
  const times = await owner.selectFrom('vehicle_alarm').select('times').where('vehicle_id', '=', vehicle.id).execute()
  expect(times, 'the repeated frame counts once').toEqual([{ times: 1 }, { times: 1 }])
  device.say({ instruction: 'W0', alarm: 6 })
  await eventually(async () => expect(await openAlarms(vehicle.id)).toEqual(['illegal_movement']))
})

it('a device that says much at once is paused and read on', async () => {
  const { vehicle, device } = await connected()
  const at = TEST_START_MS - 100_000
  device.say(...Array.from({ length: 350 }, (_, second) => positionAt(at + second * 10, 31.2 + second / 1e5, 120.7)))
  await eventually(async () => expect((await reports(vehicle.id)).length).toBeGreaterThan(64))
  device.say({ instruction: 'W0', alarm: 1 })
  expect(await device.next()).toMatchObject({ instruction: 'ack', of: 'W0' })
  await eventually(async () => expect(await reports(vehicle.id)).toHaveLength(353))
  expect((await status(vehicle.id)).lat).toBe(31.20349)
})

it('an unlock is confirmed by the vehicle, step by step, and is no trip', async () => {
  const { vehicle, device } = await connected()
  const told: string[] = []
  const stop = site.kit.bus.subscribe(fleetTopics.commandChanged, ({ command }) => {
    told.push(command.state)
  })
  const queued = await order(vehicle.id, 'unlock')
  expect(queued).toMatchObject({ state: 'queued', operatorName: '周可', sentAt: null })
  const asked = await device.next()
  expect(asked).toMatchObject({ instruction: 'R0', operation: 0, userId: queued.id, header: 'SCOS' })
  if (asked.instruction !== 'R0') throw new Error('not R0')
  expect(await command(queued.id)).toMatchObject({ state: 'sent', acknowledged_at: null })
  const { userId, timestamp } = asked
  device.say({ instruction: 'R0', operation: 0, key: 55, userId, timestamp })
  expect(await device.next()).toMatchObject({ instruction: 'L0', key: 55, userId, timestamp })
  expect(await command(queued.id)).toMatchObject({ state: 'acknowledged', finished_at: null })
  device.say({ instruction: 'L0', result: 0, userId, timestamp })
  expect(await device.next()).toMatchObject({ instruction: 'ack', of: 'L0' })
  expect(await command(queued.id)).toMatchObject({ state: 'confirmed', finished_at: new Date(TEST_START_MS) })
  expect(await status(vehicle.id)).toMatchObject({ locked: false })
  expect(await state(vehicle.id)).toBe('available')
  await site.kit.bus.flush()
  expect(told).toEqual(['queued', 'sent', 'acknowledged', 'confirmed'])
  stop()
  // The device repeats its result: it is acknowledged again and nothing else happens.
  device.say({ instruction: 'L0', result: 0, userId, timestamp })
  expect(await device.next()).toMatchObject({ instruction: 'ack', of: 'L0' })
  expect(await state(vehicle.id)).toBe('available')
  const audit = await owner
    .selectFrom('audit_record')
    .selectAll()
    .where('subject_id', '=', String(vehicle.id))
    .execute()
  expect(audit).toMatchObject([{ action: 'vehicle.unlock', operator_id: 7, agent_id: 3 }])
})

it('a lock that the vehicle refuses has failed, with the reason', async () => {
  const { vehicle, device } = await connected(false)
  for (const [result, failure] of [
    [1, '车辆执行失败，请检查车锁是否被卡住'],
    [2, '车辆拒绝了操作密钥，请重试'],
    [3, '车辆正在行驶，不能关锁'],
    [9, '车辆返回了未知结果'],
  ] as const) {
    const queued = await order(vehicle.id, 'lock')
    const asked = await device.next()
    if (asked.instruction !== 'R0') throw new Error('not R0')
    const { userId, timestamp } = asked
    device.say({ instruction: 'R0', operation: 1, key: 3, userId, timestamp })
    expect(await device.next()).toMatchObject({ instruction: 'L1', key: 3 })
    device.say({ instruction: 'L1', result, userId, timestamp, ridingTimeMin: 2 })
    expect(await device.next()).toMatchObject({ instruction: 'ack', of: 'L1' })
    expect(await command(queued.id)).toMatchObject({ state: 'failed', failure })
  }
  expect(await status(vehicle.id)).toMatchObject({ locked: false })
})

it('a command waits for its vehicle to connect', async () => {
  const vehicle = await site.addVehicle()
  const queued = await order(vehicle.id, 'lock')
  expect(await command(queued.id)).toMatchObject({ state: 'queued' })
  await expect(order(vehicle.id, 'lock')).rejects.toThrow('上一条同类指令尚未结束')
  const device = await line(vehicle.imei)
  device.say(signIn)
  expect(await device.next()).toMatchObject({ instruction: 'R0', operation: 1, userId: queued.id })
})

it('a command that no vehicle takes up expires, and one that no vehicle answers too', async () => {
  const absent = await site.addVehicle()
  const { vehicle, device } = await connected()
  const unheard = await order(absent.id, 'lock')
  const unanswered = await order(vehicle.id, 'lock')
  const asked = await device.next()
  if (asked.instruction !== 'R0') throw new Error('not R0')
  site.kit.clock.advance(25_000)
  await site.gateway.tick()
  expect(await command(unanswered.id)).toMatchObject({ state: 'expired', failure: '车辆没有应答' })
  expect(await command(unheard.id)).toMatchObject({ state: 'queued' })
  // Its key comes too late: it is not used, and it is no attack either.
  const { userId, timestamp } = asked
  device.say({ instruction: 'R0', operation: 1, key: 5, userId, timestamp }, { instruction: 'W0', alarm: 2 })
  expect(await device.next()).toMatchObject({ instruction: 'ack', of: 'W0' })
  expect(await openAlarms(vehicle.id)).toEqual(['fall'])
  site.kit.clock.advance(36_000)
  await site.fleet.sweep()
  expect(await command(unheard.id)).toMatchObject({ state: 'expired', failure: '车辆不在线，指令未送达' })
  // It is too late now: the vehicle is not told.
  const late = await line(absent.imei)
  late.say(signIn, { instruction: 'W0', alarm: 1 })
  expect(await late.next()).toMatchObject({ instruction: 'ack', of: 'W0' })
})

it('what has expired is not done any more: not sent, and a key for it not used', async () => {
  const vehicle = await site.addVehicle()
  await order(vehicle.id, 'unlock')
  site.kit.clock.advance(minuteMs)
  const device = await line(vehicle.imei)
  device.say(signIn, heartbeat(true), { instruction: 'W0', alarm: 1 })
  expect(await device.next()).toMatchObject({ instruction: 'ack', of: 'W0' })
  await site.gateway.tick()
  expect(device.received).toHaveLength(1)

  const { vehicle: other, device: late } = await connected()
  const queued = await order(other.id, 'unlock')
  const asked = await late.next()
  if (asked.instruction !== 'R0') throw new Error('not R0')
  const { userId, timestamp } = asked
  const step = { commandId: queued.id, vehicleId: other.id, kind: 'unlock', to: 'expired', failure: '太晚' } as const
  expect(await site.fleet.commands.move(step)).toBe(true)
  late.say({ instruction: 'R0', operation: 0, key: 55, userId, timestamp }, { instruction: 'W0', alarm: 1 })
  expect(await late.next()).toMatchObject({ instruction: 'ack', of: 'W0' })
  await site.gateway.tick()
  expect(late.received.filter(({ instruction }) => instruction === 'L0')).toEqual([])
  // The next one is not held up by it.
  const again = await order(other.id, 'unlock')
  expect(await late.next()).toMatchObject({ instruction: 'R0', userId: again.id })
})

it('a result that comes over another connection still confirms its command', async () => {
  const { vehicle, device } = await connected()
  const queued = await order(vehicle.id, 'unlock')
  const asked = await device.next()
  if (asked.instruction !== 'R0') throw new Error('not R0')
  const { userId, timestamp } = asked
  device.say({ instruction: 'R0', operation: 0, key: 5, userId, timestamp })
  await device.next()
  const again = await line(vehicle.imei)
  again.say(signIn, { instruction: 'L0', result: 0, userId, timestamp })
  await device.closed
  expect(await again.next()).toMatchObject({ instruction: 'ack', of: 'L0' })
  expect(await command(queued.id)).toMatchObject({ state: 'confirmed' })
  expect(await state(vehicle.id)).toBe('available')
})

it("one vehicle's word never moves another's command", async () => {
  const victim = await site.addVehicle()
  const queued = await order(victim.id, 'unlock')
  const { device } = await connected()
  device.say({ instruction: 'L0', result: 0, userId: queued.id, timestamp: 1 })
  expect(await device.next()).toMatchObject({ instruction: 'ack', of: 'L0' })
  expect(await command(queued.id)).toMatchObject({ state: 'queued' })
})

it('a key that nobody asked for raises the tamper alarm and is not answered', async () => {
  const { vehicle, device } = await connected()
  device.say({ instruction: 'R0', operation: 0, key: 55, userId: 1, timestamp: 2 }, { instruction: 'W0', alarm: 2 })
  expect(await device.next()).toMatchObject({ instruction: 'ack', of: 'W0' })
  expect(await openAlarms(vehicle.id)).toEqual(['fall', 'tamper'])
  expect(device.received.filter((frame) => frame.instruction === 'L0')).toEqual([])
})

it('a lock that opens without a command is a trip until it closes', async () => {
  const { vehicle, device } = await connected()
  device.say(heartbeat(false))
  await eventually(async () => expect(await state(vehicle.id)).toBe('on_trip'))
  // The same frame in the same millisecond would be a repetition.
  site.kit.clock.advance(1_000)
  device.say(heartbeat(true))
  await eventually(async () => expect(await state(vehicle.id)).toBe('available'))
  const events = await owner
    .selectFrom('vehicle_event')
    .select(['event', 'from_state', 'to_state', 'cause'])
    .where('vehicle_id', '=', vehicle.id)
    .orderBy('id')
    .execute()
  expect(events).toEqual([
    { event: 'provider_drop_off', from_state: 'removed', to_state: 'available', cause: 'registration' },
    { event: 'trip_start', from_state: 'available', to_state: 'on_trip', cause: 'device' },
    { event: 'trip_end', from_state: 'on_trip', to_state: 'available', cause: 'device' },
  ])
})

it('a silent vehicle is lost by the clock and found by its next word', async () => {
  const { vehicle, device } = await connected()
  device.say(heartbeat(false))
  await eventually(async () => expect(await state(vehicle.id)).toBe('on_trip'))
  site.kit.clock.advance(9 * minuteMs)
  await site.fleet.sweep()
  expect(await state(vehicle.id)).toBe('on_trip')
  site.kit.clock.advance(2 * minuteMs)
  await site.fleet.sweep()
  expect(await state(vehicle.id)).toBe('non_contactable')
  await site.gateway.tick()
  await device.closed
  const again = await line(vehicle.imei)
  again.say(signIn)
  await eventually(async () => expect(await state(vehicle.id)).toBe('on_trip'))
})

it('a device that connects to another gateway is let go here', async () => {
  const { vehicle, device } = await connected()
  site.kit.bus.publish(deviceConnected, { gatewayId: 'another', vehicleId: vehicle.id + 1 })
  device.say({ instruction: 'W0', alarm: 1 })
  expect(await device.next()).toMatchObject({ instruction: 'ack', of: 'W0' })
  site.kit.bus.publish(deviceConnected, { gatewayId: 'another', vehicleId: vehicle.id })
  await device.closed
})

it('notes the firmware that a device says it runs', async () => {
  const { vehicle, device } = await connected()
  device.say({ instruction: 'G0', firmware: '110', buildDate: 'Jul 4 2018' })
  const known = () =>
    owner.selectFrom('device').select('firmware').where('vehicle_id', '=', vehicle.id).executeTakeFirstOrThrow()
  await eventually(async () => expect(await known()).toEqual({ firmware: '110' }))
})

it('an unknown device is held for review and never trusted', async () => {
  const stranger = '869999999999999'
  for (let call = 0; call < 3; call += 1) {
    const device = await line(stranger)
    device.say(signIn, heartbeat(true))
    await device.closed
    expect(device.received).toEqual([])
  }
  site.kit.clock.advance(11_000)
  const device = await line(stranger)
  device.say(signIn)
  await device.closed
  const held = await owner.selectFrom('unknown_device').selectAll().where('imei', '=', stranger).execute()
  expect(held).toMatchObject([{ protocol: 'omni', attempts: 4, address: '127.0.0.1' }])
})

it('closes on garbage, on a flood, on a change of name and on silence', async () => {
  const { vehicle } = await connected()
  const garbage = await line(vehicle.imei)
  garbage.raw('x'.repeat(40_000))
  await garbage.closed
  const malformed = await line(vehicle.imei)
  malformed.raw('*SCOR,OM,123,Q0#\n'.repeat(30))
  await malformed.closed

  const mixed = await line(vehicle.imei)
  mixed.say(signIn)
  mixed.raw('*SCOR,OM,861111111111111,W0,1#\n')
  await mixed.closed

  const before = (await reports(vehicle.id)).length
  const flood = await line(vehicle.imei)
  for (let frame = 0; frame < 1_000; frame += 1) flood.say(heartbeat(true, frame % 100))
  await flood.closed
  await site.gateway.tick()
  expect((await reports(vehicle.id)).length - before).toBeLessThanOrEqual(400)

  const silent = await openLine({ port: site.gateway.ports.omni, imei: vehicle.imei })
  lines.push(silent)
  // Its connection must have been taken in before the clock moves.
  const open = await site.registry.getSingleMetricAsString('saddle_gateway_connections')
  expect(open).toContain('saddle_gateway_connections')
  await eventually(async () => {
    site.kit.clock.advance(16_000)
    await site.gateway.tick()
    expect(silent.socket.destroyed || silent.socket.readableEnded).toBe(true)
  })
})

it('a gateway that stops writes and answers what it has read', async () => {
  const own = await startField(db)
  const { id } = await site.addVehicle({ agentId: field.south.agentId, areaId: field.south.areaId })
  const { imei } = await owner
    .selectFrom('device')
    .select('imei')
    .where('vehicle_id', '=', id)
    .executeTakeFirstOrThrow()
  const device = await openLine({ port: own.gateway.ports.omni, imei })
  lines.push(device)
  device.say(signIn)
  await eventually(async () => expect(await reports(id)).toHaveLength(1))
  device.say({ instruction: 'W0', alarm: 1 })
  expect(await device.next()).toMatchObject({ instruction: 'ack', of: 'W0' })
  await own.gateway.close()
  await device.closed
  expect(await openAlarms(id)).toEqual(['illegal_movement'])
})
