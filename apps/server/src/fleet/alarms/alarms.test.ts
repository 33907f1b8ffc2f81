import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { offlineAfterMs } from '@saddle/contract/fleet/vehicles.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { TEST_START_MS, sessionCall, testKit } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { toldOf } from '#test/toldOf.ts'
import { createFleet, fleetTopics, type AlarmMessage, type VehicleReport } from '../public.ts'
import { saveAlarms } from './store.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const fleet = createFleet(kit, { audit: createAudit(kit) })
const grant = { agentIds: [3], areaIds: [31] }
const call = sessionCall({ operatorId: 7, agentId: 3, grant, name: '周可', permissions: ['0301'] })

const square = [
  [120, 31],
  [121, 31],
  [121, 32],
  [120, 32],
  [120, 31],
]

beforeAll(async () => {
  await owner.insertInto('agent').values({ id: 2, parent_id: null, company: '总部' }).execute()
  await owner.insertInto('agent').values({ id: 3, parent_id: 2, company: '城北出行' }).execute()
  const area = { id: 31, agent_id: 3, name: '城北', centre_lat: 31.5, centre_lng: 120.5, ring: JSON.stringify(square) }
  await owner.insertInto('service_area').values(area).execute()
})

let next = 1
async function register(count = 1): Promise<number[]> {
  const rows = Array.from({ length: count }, () => {
    const serial = String(next++).padStart(6, '0')
    return { agentId: 3, areaId: 31, number: `SD${serial}`, imei: `861234567${serial}`, model: 'SD-E2' }
  })
  return await db.system((tx) => fleet.vehicles.register(tx, rows))
}

type Said = Partial<VehicleReport> & { vehicleId: number }
async function report(...said: Said[]): Promise<void> {
  const nowMs = kit.clock.now()
  const silent = { position: null, batteryPercent: null, voltageV: null, locked: null, charging: null, signal: null }
  const whole = { ...silent, odometerM: null, alarms: [], commanded: false, receivedAt: nowMs, occurredAt: nowMs }
  await db.system(async (tx) => {
    const locked = await fleet.reports.lock(tx, [...new Set(said.map(({ vehicleId }) => vehicleId))])
    await fleet.reports.apply(
      tx,
      locked,
      said.map((one) => Object.assign({}, whole, one)),
    )
  })
}
const place = (lat: number) => ({ lat, lng: 120.5, speedKmh: null, headingDeg: null })

const alarmsOf = async (vehicleId: number) =>
  (await owner.selectFrom('vehicle_alarm').selectAll().where('vehicle_id', '=', vehicleId).orderBy('id').execute()).map(
    ({ kind, times, opened_at, closed_at }) => ({
      kind,
      times,
      opened: (opened_at.getTime() - TEST_START_MS) / 1_000,
      closed: closed_at === null ? null : (closed_at.getTime() - TEST_START_MS) / 1_000,
    }),
  )

it('alarms by battery and place open once, close, and are told after each commit', async () => {
  kit.clock.set(TEST_START_MS)
  const [id = 0] = await register()
  const heard: AlarmMessage[] = []
  const stop = kit.bus.subscribe(fleetTopics.alarm, (alarms) => void heard.push(...alarms))
  await report({ vehicleId: id, batteryPercent: 60, position: place(31.9) })
  for (const [lat, percent] of [
    [32.1, 19],
    [32.1, 12],
    [32.0002, 22],
    [31.9, 25],
  ] as const) {
    kit.clock.advance(10_000)
    await report({ vehicleId: id, batteryPercent: percent, position: place(lat) })
  }
  expect(await alarmsOf(id)).toEqual([
    { kind: 'low_battery', times: 1, opened: 10, closed: 40 },
    { kind: 'outside_area', times: 1, opened: 10, closed: 40 },
  ])
  await kit.bus.flush()
  expect(heard.map(({ kind, open }) => [kind, open])).toEqual([
    ['low_battery', true],
    ['outside_area', true],
    ['low_battery', false],
    ['outside_area', false],
  ])
  stop()
})

it('a serious alarm is told, an ordinary one where a company has asked for it', async () => {
  kit.clock.set(TEST_START_MS)
  const [id = 0] = await register()
  const told = async () => [
    await toldOf(owner, `vehicle ${id} fall`),
    await toldOf(owner, `vehicle ${id} power_cut`),
    await toldOf(owner, `vehicle ${id} low_battery`),
  ]
  await report({ vehicleId: id, batteryPercent: 12, alarms: ['fall'] })
  kit.clock.advance(10_000)
  await report({ vehicleId: id, batteryPercent: 60 })
  expect(await told()).toEqual([['alarm_serious'], [], []])
  const rule = { agent_id: 3, event: 'alarm_ordinary', channels: ['in_app'], is_urgent: false, repeat_minutes: 5 }
  const by = { changed_at: new Date(TEST_START_MS), changed_by: '周可' }
  await owner
    .insertInto('notice_rule')
    .values({ ...rule, ...by })
    .execute()
  kit.clock.advance(10_000)
  await report({ vehicleId: id, batteryPercent: 12, alarms: ['power_cut'] })
  expect(await told()).toEqual([['alarm_serious'], ['alarm_serious'], ['alarm_ordinary']])
})

it('a late report neither opens nor closes again', async () => {
  kit.clock.set(TEST_START_MS)
  const [id = 0] = await register()
  await report({ vehicleId: id, batteryPercent: 80, position: place(31.5) })
  const late = TEST_START_MS - minuteMs
  await report({ vehicleId: id, batteryPercent: 5, position: place(33), occurredAt: late })
  expect(await alarmsOf(id)).toEqual([])
  kit.clock.advance(5_000)
  await report({ vehicleId: id, batteryPercent: 5, position: place(33), alarms: ['fall'] })
  await report({ vehicleId: id, batteryPercent: 80, position: place(31.5), alarms: ['fall_cleared'], occurredAt: late })
  expect((await alarmsOf(id)).filter(({ closed }) => closed === null)).toHaveLength(3)
})

it('a company says itself after how long a vehicle is silent', async () => {
  kit.clock.set(TEST_START_MS)
  const [id = 0] = await register(1)
  await report({ vehicleId: id, batteryPercent: 60 })
  const choose = (value: number) =>
    sql`insert into setting_change (agent_id, code, value, made_at, made_by)
      select agent_id, 'offline_minutes', ${String(value)}::jsonb, now(), 'test' from vehicle where id = ${id}`.execute(
      owner,
    )
  await choose(30)
  kit.clock.advance(30 * minuteMs)
  await fleet.sweep()
  expect(await alarmsOf(id)).toEqual([])
  await choose(5)
  await fleet.sweep()
  expect(await alarmsOf(id)).toMatchObject([{ kind: 'offline', closed: null }])
  await choose(10)
})

it('a whole fleet falls silent and speaks again', async () => {
  kit.clock.set(TEST_START_MS)
  const ids = await register(1_200)
  await report(...ids.map((vehicleId) => ({ vehicleId, batteryPercent: 60 })))
  kit.clock.advance(offlineAfterMs)
  const before = await owner.selectFrom('vehicle_alarm').select('id').where('kind', '=', 'offline').execute()
  await fleet.sweep()
  expect(await owner.selectFrom('vehicle_alarm').select('id').where('kind', '=', 'offline').execute()).toEqual(before)
  kit.clock.advance(1)
  await fleet.sweep()
  await fleet.sweep()
  const silent = async () =>
    (
      await owner
        .selectFrom('vehicle_alarm as a')
        .innerJoin('vehicle as v', 'v.id', 'a.vehicle_id')
        .select('a.vehicle_id')
        .where('a.kind', '=', 'offline')
        .where('a.closed_at', 'is', null)
        .where('v.state', '=', 'non_contactable')
        .where('v.id', '=', sql<number>`any (${ids}::bigint[])`)
        .execute()
    ).length
  expect(await silent()).toBe(1_200)
  const page = await fleet.vehicles.page({ afterId: (ids[0] ?? 0) - 1, limit: 1 })
  expect(page).toMatchObject([{ state: 'non_contactable', openAlarms: ['offline'] }])
  kit.clock.advance(minuteMs)
  await report(...ids.map((vehicleId) => ({ vehicleId, signal: 20 })))
  expect(await silent()).toBe(0)
  expect(await alarmsOf(ids[700] ?? 0)).toMatchObject([{ kind: 'offline', opened: 600.001, closed: 660.001 }])
})

it('what a person closes stays closed until its reason has gone', async () => {
  kit.clock.set(TEST_START_MS)
  const [id = 0] = await register()
  await report({ vehicleId: id, batteryPercent: 10, alarms: ['fall'] })
  const list = await fleet.handlers.listAlarmTickets({ vehicleId: id, pageSize: 10 }, call)
  const ids = (list.data.list as { id: number }[]).map((ticket) => ticket.id)
  expect(ids).toHaveLength(2)
  kit.clock.advance(minuteMs)
  expect((await fleet.handlers.fixAlarmTickets({ ids, note: '已换电' }, call)).data.fixedIds).toHaveLength(2)
  kit.clock.advance(minuteMs)
  await report({ vehicleId: id, batteryPercent: 9 })
  await report({ vehicleId: id, alarms: ['fall'], occurredAt: TEST_START_MS + 30_000 })
  expect((await alarmsOf(id)).every(({ closed }) => closed === 60)).toBe(true)
  await report({ vehicleId: id, batteryPercent: 95 })
  kit.clock.advance(1_000)
  await report({ vehicleId: id, batteryPercent: 19 })
  expect((await alarmsOf(id)).filter(({ closed }) => closed === null)).toMatchObject([{ kind: 'low_battery' }])
})

it('a person who closes alarms while reports come in waits for them and they for nobody', async () => {
  kit.clock.set(TEST_START_MS)
  const ids = await register(20)
  await report(...ids.map((vehicleId) => ({ vehicleId, alarms: ['fall'] })))
  const tickets = await owner
    .selectFrom('vehicle_alarm')
    .select('id')
    .where('vehicle_id', '=', sql<number>`any (${ids}::bigint[])`)
    .execute()
  const reporting = Array.from({ length: 10 }, (_, turn) =>
    report(...ids.map((vehicleId) => ({ vehicleId, alarms: ['fall'], occurredAt: TEST_START_MS - 1 - turn }))),
  )
  const fixing = fleet.handlers.fixAlarmTickets({ ids: tickets.map(({ id }) => id).toReversed(), note: '' }, call)
  await Promise.all([...reporting, fixing])
  expect((await fixing).data.fixedIds).toHaveLength(20)
})

it('the rows of a batch are written as if one came after the other', async () => {
  const [id = 0] = await register()
  const now = { vehicleId: id, agentId: 3, areaId: 31 }
  const step = (change: 'open' | 'again' | 'close', second: number) => ({
    now,
    alarm: { kind: 'fall', change, at: TEST_START_MS + second * 1_000 },
  })
  await db.system((tx) => saveAlarms(tx, [step('open', 1), step('again', 2)]))
  await db.system((tx) =>
    saveAlarms(tx, [step('again', 3), step('close', 4), step('open', 5), step('close', 6), step('open', 7)]),
  )
  expect(await alarmsOf(id)).toEqual([
    { kind: 'fall', times: 3, opened: 1, closed: 4 },
    { kind: 'fall', times: 1, opened: 5, closed: 6 },
    { kind: 'fall', times: 1, opened: 7, closed: null },
  ])
  await db.system((tx) => saveAlarms(tx, [step('open', 8)]))
  expect(await alarmsOf(id), 'one of a kind is open at a time').toHaveLength(3)
})

it('a person opens again what they closed by mistake, soon and once', async () => {
  kit.clock.set(TEST_START_MS)
  const [id = 0, other = 0] = await register(2)
  await report({ vehicleId: id, alarms: ['fall', 'tamper'] }, { vehicleId: other, alarms: ['fall'] })
  const tickets = await owner.selectFrom('vehicle_alarm').selectAll().where('vehicle_id', 'in', [id, other]).execute()
  const ids = tickets.map((ticket) => ticket.id)
  const open = async () =>
    (
      await owner
        .selectFrom('vehicle_alarm')
        .select(['vehicle_id', 'kind'])
        .where('vehicle_id', 'in', [id, other])
        .where('closed_at', 'is', null)
        .execute()
    ).length
  kit.clock.advance(minuteMs)
  await fleet.handlers.fixAlarmTickets({ ids, note: '看错' }, call)
  expect(await open()).toBe(0)
  // The other vehicle fell again meanwhile: that alarm stands for itself.
  kit.clock.advance(1_000)
  await report({ vehicleId: other, alarms: ['fall'] })
  const someone = sessionCall({ operatorId: 8, agentId: 3, grant, name: '何乐行', permissions: ['0301'] })
  const outsider = sessionCall({ operatorId: 7, agentId: 4, grant: { agentIds: [4], areaIds: [41] } })
  for (const who of [someone, outsider])
    expect((await fleet.handlers.reopenAlarmTickets({ ids }, who)).data.reopenedIds).toEqual([])
  const heard: AlarmMessage[] = []
  const stop = kit.bus.subscribe(fleetTopics.alarm, (alarms) => void heard.push(...alarms))
  const reopened = (await fleet.handlers.reopenAlarmTickets({ ids }, call)).data.reopenedIds
  expect(reopened).toHaveLength(2)
  await kit.bus.flush()
  stop()
  expect(heard.map(({ vehicleId, open: isOpen }) => [vehicleId, isOpen])).toEqual([
    [id, true],
    [id, true],
  ])
  expect(await open()).toBe(3)
  expect((await fleet.handlers.reopenAlarmTickets({ ids }, call)).data.reopenedIds).toEqual([])
  // The device's own word still closes it.
  kit.clock.advance(1_000)
  await report({ vehicleId: id, alarms: ['fall_cleared'] })
  expect(await open()).toBe(2)
  await fleet.handlers.fixAlarmTickets({ ids, note: '' }, call)
  kit.clock.advance(11 * minuteMs)
  expect((await fleet.handlers.reopenAlarmTickets({ ids }, call)).data.reopenedIds).toEqual([])
  const counts = (await fleet.handlers.aggregateByType({}, call)).data.alarmVehicles
  expect(counts).toMatchObject({ tamper: 0, other: 0 })
})
