import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { dayMs, minuteMs } from '@saddle/contract/time.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { eventually, field, heartbeat, openLine, positionAt, signIn, startField } from '../field.fixture.ts'
import { gatewayFixture } from './gateway.fixture.ts'
import { deviceConnected } from './topics.ts'

const { db, owner, site, lines, line, status, state, reports, openAlarms, connected } = await gatewayFixture()

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
  const outsider = '869999999999999'
  for (let call = 0; call < 3; call += 1) {
    const device = await line(outsider)
    device.say(signIn, heartbeat(true))
    await device.closed
    expect(device.received).toEqual([])
  }
  site.kit.clock.advance(11_000)
  const device = await line(outsider)
  device.say(signIn)
  await device.closed
  const held = await owner.selectFrom('unknown_device').selectAll().where('imei', '=', outsider).execute()
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
