import { expect, it } from 'vitest'
import { minuteMs } from '@saddle/contract/time.ts'
import { fleetTopics } from '#fleet/public.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { heartbeat, signIn } from '#telemetry/field.fixture.ts'
import { gatewayFixture } from '../gateway.fixture.ts'

const { owner, site, line, status, state, command, openAlarms, order, connected } = await gatewayFixture()

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
