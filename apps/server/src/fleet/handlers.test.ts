import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { commandSchema } from '@saddle/contract/fleet/commands.ts'
import { offlineAfterMs, vehicleEndpoints, vehicleSchema } from '@saddle/contract/fleet/vehicles.ts'
import { createAudit } from '#audit/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, TEST_START_MS, testKit } from '#test/kit.ts'
import { createFleet, fleetTopics, type Registration, type VehicleReport } from './public.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const fleet = createFleet(kit, { audit: createAudit(kit) })
const { handlers } = fleet

const north = { agentIds: [3], areaIds: [31, 32] }
const call = sessionCall({ operatorId: 7, agentId: 3, grant: north, name: '周可' })
const oneArea = sessionCall({ operatorId: 7, agentId: 3, grant: north, scope: { agentIds: [3], areaIds: [31] } })
const foreign = sessionCall({ operatorId: 8, agentId: 4, grant: { agentIds: [4], areaIds: [41] } })
const nothing = sessionCall({ operatorId: 7, agentId: 3, grant: north, scope: { agentIds: [], areaIds: [] } })
/** Claims the area of another franchisee: both must fit. */
const mixed = sessionCall({ operatorId: 8, agentId: 4, grant: { agentIds: [4], areaIds: [31, 32, 41] } })
const outsiders = { foreign, nothing, mixed }

let next = 1
async function register(changes: Partial<Registration> = {}): Promise<number> {
  const serial = String(next).padStart(6, '0')
  next += 1
  const row = { agentId: 3, areaId: 31, number: `SD${serial}`, imei: `861234567${serial}`, model: 'SD-E2', ...changes }
  const [id] = await db.system((tx) => fleet.vehicles.register(tx, [row]))
  if (id === undefined) throw new Error('not registered')
  return id
}

async function report(vehicleId: number, changes: Partial<VehicleReport>): Promise<void> {
  const nowMs = kit.clock.now()
  const silent = { position: null, batteryPercent: null, voltageV: null, locked: null, charging: null, signal: null }
  const whole = { ...silent, odometerM: null, alarms: [], commanded: false, receivedAt: nowMs, occurredAt: nowMs }
  await db.system(async (tx) => {
    const locked = await fleet.reports.lock(tx, [vehicleId])
    await fleet.reports.apply(tx, locked, [{ vehicleId, ...whole, ...changes }])
  })
}

beforeAll(async () => {
  const agents = [
    { id: 2, parent_id: null, company: '总部' },
    { id: 3, parent_id: 2, company: '城北出行' },
    { id: 4, parent_id: 2, company: '城南出行' },
  ]
  await owner.insertInto('agent').values(agents).execute()
  const place = { centre_lat: 31.3, centre_lng: 120.6, ring: '[[120,31],[121,31],[121,32],[120,32],[120,31]]' }
  const areas = [
    { id: 31, agent_id: 3, name: '城北', ...place },
    { id: 32, agent_id: 3, name: '城北二区', ...place },
    { id: 41, agent_id: 4, name: '城南', ...place },
  ]
  await owner.insertInto('service_area').values(areas).execute()
})

beforeEach(async () => {
  kit.clock.set(TEST_START_MS)
  await owner.deleteFrom('vehicle_command').execute()
  await owner.deleteFrom('vehicle_alarm').execute()
  await owner.transaction().execute(async (tx) => {
    // Events are append-only, for everybody: only so can a test begin anew.
    await sql`set local session_replication_role = replica`.execute(tx)
    await tx.deleteFrom('vehicle_event').execute()
  })
  await owner.deleteFrom('trip').execute()
  await owner.deleteFrom('vehicle_status').execute()
  await owner.deleteFrom('device').execute()
  await owner.deleteFrom('vehicle').execute()
})

it('shows all that is known of a vehicle, by any of its names', async () => {
  const id = await register({ number: 'SD777001', imei: '861111111777001' })
  const fresh = await handlers.singleDeviceInfo({ id }, call)
  expect(fresh.data).toMatchObject({ online: false, locked: null, position: null, heardAt: null, openAlarms: [] })
  const position = { lat: 31.25, lng: 120.7, speedKmh: 12, headingDeg: 90 }
  await report(id, { position, batteryPercent: 19, locked: true, charging: false, alarms: ['fall', 'tamper'] })
  for (const by of [{ id }, { number: 'SD777001' }, { imei: '861111111777001' }]) {
    const { data } = await handlers.singleDeviceInfo(by, call)
    expect(vehicleSchema.parse(data)).toEqual({
      id,
      number: 'SD777001',
      imei: '861111111777001',
      model: 'SD-E2',
      protocol: 'omni',
      agentId: 3,
      company: '城北出行',
      areaId: 31,
      areaName: '城北',
      state: 'available',
      online: true,
      locked: true,
      charging: false,
      batteryPercent: 19,
      lowBatteryBelow: 20,
      voltageV: null,
      signal: null,
      firmware: null,
      odometerM: null,
      idleSince: TEST_START_MS,
      openTasks: [],
      position: { ...position, at: TEST_START_MS },
      heardAt: TEST_START_MS,
      openAlarms: [
        { id: expect.any(Number), kind: 'fall', openedAt: TEST_START_MS },
        { id: expect.any(Number), kind: 'tamper', openedAt: TEST_START_MS },
        { id: expect.any(Number), kind: 'low_battery', openedAt: TEST_START_MS },
      ],
    })
  }
  kit.clock.advance(offlineAfterMs + 1)
  expect((await handlers.singleDeviceInfo({ id }, call)).data.online).toBe(false)
  await expect(handlers.singleDeviceInfo({ id, number: 'SD777002' }, call)).rejects.toThrow('没有找到这辆车')
  expect(vehicleEndpoints.singleDeviceInfo.input.safeParse({}).success).toBe(false)
})

it('counts the vehicles within the scope', async () => {
  const low = await register()
  await report(low, { batteryPercent: 19, locked: true, alarms: ['fall', 'tamper'] })
  const riding = await register({ areaId: 32 })
  await report(riding, { batteryPercent: 20, locked: true })
  await report(riding, { locked: false })
  await register()
  await register({ agentId: 4, areaId: 41 })
  const { data } = await handlers.aggregateByType({}, call)
  expect(data).toMatchObject({ total: 3, lowBattery: 1, offline: 1, openAlarms: 3 })
  expect(data.states).toMatchObject({ available: 1, on_trip: 1, non_contactable: 1, removed: 0 })
  expect((await handlers.aggregateByType({}, oneArea)).data).toMatchObject({ total: 2, states: { on_trip: 0 } })
  for (const someone of [nothing, mixed]) {
    const { total } = (await handlers.aggregateByType({}, someone)).data
    expect(total).toBe(someone === mixed ? 1 : 0)
  }
})

it('tells the nearest vehicles that wait for somebody, and why', async () => {
  const at = (lat: number) => ({ lat, lng: 120.7, speedKmh: 0, headingDeg: null })
  const healthy = await register()
  await report(healthy, { position: at(31.25), batteryPercent: 90, locked: true })
  const far = await register()
  await report(far, { position: at(31.27), batteryPercent: 19, locked: true })
  const near = await register()
  await report(near, { position: at(31.26), batteryPercent: 80, locked: true, alarms: ['tamper'] })
  const ridden = await register()
  await report(ridden, { position: at(31.25), batteryPercent: 15, locked: true })
  await report(ridden, { locked: false })
  await report(await register({ areaId: 32 }), { position: at(31.25), batteryPercent: 5, locked: true })
  await register()
  await report(await register({ agentId: 4, areaId: 41 }), { position: at(31.25), batteryPercent: 5, locked: true })

  const place = { lat: 31.25, lng: 120.7 }
  const { list } = (await handlers.nearestWork(place, oneArea)).data
  expect(list.map(({ id }) => id)).toEqual([near, far])
  expect(list[0]).toMatchObject({ batteryPercent: 80, lowBattery: false, alarms: ['tamper'], tasks: [] })
  expect(list[1]).toMatchObject({ lowBattery: true, alarms: ['low_battery'] })
  expect(list[0]?.distanceM).toBeCloseTo(1_112, 0)
  expect((await handlers.nearestWork(place, call)).data.list).toHaveLength(3)
  expect((await handlers.nearestWork(place, foreign)).data.list).toHaveLength(1)
  expect((await handlers.nearestWork(place, nothing)).data.list).toEqual([])
  expect(vehicleEndpoints.nearestWork.input.safeParse({ lat: 91, lng: 0 }).success).toBe(false)
})

it('a command is queued for the person who asked, with a line in the audit', async () => {
  const id = await register()
  const told: unknown[] = []
  const stops = [
    kit.bus.subscribe(fleetTopics.commandChanged, (message) => void told.push(message)),
    kit.bus.subscribe(fleetTopics.commandQueued, (message) => void told.push(message)),
  ]
  const { data } = await handlers.lockVehicle({ vehicleId: id, kind: 'unlock', reason: '检修' }, call)
  const command = commandSchema.parse(data)
  expect(command).toEqual({
    id: command.id,
    vehicleId: id,
    kind: 'unlock',
    parameters: null,
    batchId: null,
    state: 'queued',
    reason: '检修',
    operatorName: '周可',
    failure: null,
    queuedAt: TEST_START_MS,
    sentAt: null,
    acknowledgedAt: null,
    finishedAt: null,
  })
  await kit.bus.flush()
  expect(told).toEqual([
    { agentId: 3, areaId: 31, operatorId: 7, command },
    { commandId: command.id, vehicleId: id },
  ])
  for (const stop of stops) stop()
  const lines = await owner.selectFrom('audit_record').selectAll().where('subject_id', '=', String(id)).execute()
  expect(lines).toMatchObject([
    { action: 'vehicle.unlock', agent_id: 3, operator_id: 7, subject_kind: 'vehicle', request_id: 'test-request' },
  ])
  expect((await handlers.listCommands({ vehicleId: id, limit: 20 }, call)).data.list).toEqual([command])
})

it('of two who press at the same moment one is first', async () => {
  const id = await register()
  const press = () => handlers.lockVehicle({ vehicleId: id, kind: 'lock', reason: '' }, call)
  const outcomes = await Promise.allSettled([press(), press(), press(), press()])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'command_pending' })
  }
  // A program that gives no reason is named as one.
  const { data } = await handlers.lockVehicle({ vehicleId: id, kind: 'unlock', reason: '' }, call)
  expect(commandSchema.parse(data).reason).toBe('未说明（接口调用）')
})

it('a vehicle that a rider has is not opened', async () => {
  const id = await register()
  await report(id, { locked: true })
  await report(id, { locked: false })
  await expect(handlers.lockVehicle({ vehicleId: id, kind: 'unlock', reason: '' }, call)).rejects.toMatchObject({
    code: 'command_refused',
  })
})

it('other companies and people without a right see nothing and change nothing', async () => {
  const id = await register({ number: 'SD888001', imei: '861111111888001' })
  await handlers.lockVehicle({ vehicleId: id, kind: 'lock', reason: '' }, call)
  const before = await owner.selectFrom('vehicle_command').selectAll().execute()
  const refused = { code: 'vehicle_not_found' }
  for (const [name, outsider] of Object.entries(outsiders)) {
    for (const by of [{ id }, { number: 'SD888001' }, { imei: '861111111888001' }]) {
      await expect(handlers.singleDeviceInfo(by, outsider), `as ${name}`).rejects.toMatchObject(refused)
    }
    const unlock = handlers.lockVehicle({ vehicleId: id, kind: 'unlock', reason: '' }, outsider)
    await expect(unlock, `as ${name}`).rejects.toMatchObject(refused)
    await expect(handlers.listCommands({ vehicleId: id, limit: 20 }, outsider), `as ${name}`).rejects.toMatchObject(
      refused,
    )
  }
  const elsewhere = await register({ areaId: 32 })
  await expect(handlers.singleDeviceInfo({ id: elsewhere }, oneArea)).rejects.toMatchObject(refused)
  expect(await owner.selectFrom('vehicle_command').selectAll().execute()).toEqual(before)
})

it('registering again adds nothing and takes nothing over', async () => {
  const id = await register({ number: 'SD999001', imei: '861111111999001' })
  const again = { agentId: 4, areaId: 41, number: 'SD999001', imei: '861111111999002', model: 'SD-K1' }
  expect(await db.system((tx) => fleet.vehicles.register(tx, [again]))).toEqual([])
  expect((await handlers.singleDeviceInfo({ id }, call)).data).toMatchObject({ agentId: 3, imei: '861111111999001' })
  const page = await fleet.vehicles.page({ afterId: 0, limit: 10 })
  expect(page).toMatchObject([{ vehicleId: id, version: 1, state: 'available' }])
})

it('of two gateways one gets the command', async () => {
  const id = await register()
  await handlers.lockVehicle({ vehicleId: id, kind: 'lock', reason: '' }, call)
  const claims = await Promise.all([fleet.commands.claim(id), fleet.commands.claim(id), fleet.commands.claim(id)])
  const [claimed, ...others] = claims.filter((claim) => claim !== null)
  expect(others).toEqual([])
  if (claimed === undefined) throw new Error('nobody got it')
  expect(await fleet.commands.move({ ...claimed, vehicleId: id + 1, to: 'confirmed' })).toBe(false)
  expect(await fleet.commands.move({ ...claimed, kind: 'unlock', to: 'confirmed' })).toBe(false)
  expect(await fleet.commands.move({ ...claimed, to: 'confirmed' })).toBe(true)
  expect(await fleet.commands.move({ ...claimed, to: 'failed', failure: '迟到' })).toBe(false)
})

it('goes off hire and back at the levels that its company has chosen', async () => {
  const id = await register()
  await report(id, { batteryPercent: 12 })
  expect(await fleet.turnByBattery()).toBe(0)
  const choose = (code: string, value: number | null) =>
    sql`insert into setting_change (agent_id, code, value, made_at, made_by)
      values (${call.caller.agentId}, ${code}, ${value === null ? null : JSON.stringify(value)}::jsonb, ${new Date(kit.clock.now())}, '周可')`.execute(
      owner,
    )
  await choose('battery_out_percent', 15)
  expect(await fleet.turnByBattery()).toBe(1)
  await report(id, { batteryPercent: 30 })
  await choose('battery_back_percent', 40)
  expect(await fleet.turnByBattery()).toBe(0)
  await choose('battery_back_percent', null)
  expect(await fleet.turnByBattery()).toBe(1)
  await choose('battery_out_percent', null)
})

it('goes off hire with an empty battery and back with a full one, and for no other reason', async () => {
  const [low, soon, broken] = [await register(), await register(), await register()]
  for (const [id, batteryPercent] of [
    [low, 9.9],
    [soon, 10],
    [broken, 80],
  ] as const)
    await report(id, { batteryPercent })
  await db.system((tx) => fleet.turnVehicles(tx, [{ vehicleId: broken, event: 'maintenance', to: 'non_operational' }]))
  expect(await fleet.turnByBattery()).toBe(1)
  expect(await fleet.turnByBattery(), 'once').toBe(0)
  const stateOf = async (id: number) => (await handlers.singleDeviceInfo({ id }, call)).data.state
  expect([await stateOf(low), await stateOf(soon)]).toEqual(['non_operational', 'available'])
  // Silent for a while, which does not indicate an empty battery.
  kit.clock.advance(offlineAfterMs + 1)
  await fleet.sweep()
  for (const id of [low, broken]) await report(id, { batteryPercent: 19 })
  expect(await fleet.turnByBattery()).toBe(0)
  kit.clock.advance(1_000)
  await report(low, { batteryPercent: 98 })
  expect(await fleet.turnByBattery()).toBe(1)
  expect([await stateOf(low), await stateOf(broken)]).toEqual(['available', 'non_operational'])
  const rows = await owner
    .selectFrom('vehicle_event')
    .select('event')
    .where('vehicle_id', '=', low)
    .orderBy('id')
    .execute()
  expect(rows.map(({ event }) => event).filter((event) => event.startsWith('battery'))).toEqual([
    'battery_low',
    'battery_charged',
  ])
})

it('is whole when it speaks again, although it was silent when the work on it ended', async () => {
  const id = await register()
  await report(id, { batteryPercent: 80 })
  const turn = (to: 'available' | 'non_operational') =>
    db.system((tx) => fleet.turnVehicles(tx, [{ vehicleId: id, event: 'maintenance', to }]))
  const stateNow = async () => (await handlers.singleDeviceInfo({ id }, call)).data.state
  expect(await turn('non_operational')).toEqual([id])
  kit.clock.advance(offlineAfterMs + 1)
  await fleet.sweep()
  expect(await turn('available')).toEqual([id])
  expect(await stateNow()).toBe('non_contactable')
  expect(await turn('available'), 'once').toEqual([])
  await report(id, { batteryPercent: 80 })
  expect(await stateNow()).toBe('available')
})
