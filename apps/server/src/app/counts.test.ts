import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { VehicleFilter } from '@saddle/contract/fleet/search.ts'
import { vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import { batteryBands, idleBands } from '@saddle/contract/operations/statistics/vehicles.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { createFleet, createVehicleLimits } from '#fleet/public.ts'
import { createVehicleHandlers } from '#operations/statistics/vehicleHandlers.ts'
import { createLiveIndex } from '#telemetry/live/liveIndex.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'

/**
 * Each figure of vehicles has one definition: what the home page, the monitoring page, the statistics of vehicles, the
 * regulator's view and the map count is what the list behind the figure has, in every state and at every limit.
 */
const { db, owner } = await testDatabase()
const kit = testKit(db)
const fleet = createFleet(kit, { audit: createAudit(kit) })
const statistics = createVehicleHandlers(kit)
const grant = { agentIds: [3], areaIds: [31, 32] }
const call = sessionCall({ operatorId: 7, agentId: 3, grant, permissions: ['0302'] })
const nowMs = kit.clock.now()
/** Batteries on both sides of each limit, and one that nobody knows. */
const batteries = [null, 0, 9.99, 10, 19.99, 20, 40, 100] as const
/** When something was heard last. */
const heardAgoMs = [null, 10_000, 5 * minuteMs, 10 * minuteMs + 1, 2 * hourMs, 3 * dayMs] as const
const idleAgoMs = [10 * minuteMs, 2 * hourMs, 30 * hourMs] as const

beforeAll(async () => {
  await owner
    .insertInto('agent')
    .values([
      { id: 2, parent_id: null, company: '总部' },
      { id: 3, parent_id: 2, company: '城北' },
      { id: 4, parent_id: 2, company: '城南' },
    ])
    .execute()
  const ring = '[[120,31],[121,31],[121,32],[120,32],[120,31]]'
  const place = { centre_lat: 31, centre_lng: 120, ring }
  await owner
    .insertInto('service_area')
    .values([
      { id: 31, agent_id: 3, name: '城北', ...place },
      { id: 32, agent_id: 3, name: '城东', ...place },
      { id: 41, agent_id: 4, name: '城南', ...place },
    ])
    .execute()
  const tenants = [
    { agentId: 3, areaId: 31 },
    { agentId: 3, areaId: 32 },
    { agentId: 4, areaId: 41 },
  ]
  let serial = 0
  const made = tenants.flatMap((tenant) =>
    vehicleStates.flatMap((state) =>
      batteries.flatMap((battery, index) => {
        serial += 1
        return {
          agentId: tenant.agentId,
          areaId: tenant.areaId,
          state,
          battery,
          serial,
          heard: heardAgoMs[(serial + index) % heardAgoMs.length] ?? null,
          idle: idleAgoMs[serial % idleAgoMs.length] ?? 0,
        }
      }),
    ),
  )
  await owner.transaction().execute(async (tx) => {
    // Vehicles in every state at once: none of them has come there by steps.
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const { agentId, areaId, state, battery, serial: number, heard, idle } of made) {
      const ids = { agent_id: agentId, area_id: areaId }
      const { id } = await tx
        .insertInto('vehicle')
        .values({
          ...ids,
          number: `CT${1_000 + number}`,
          model: number % 2 === 0 ? 'A' : 'B',
          protocol: 'omni',
          state,
          state_changed_at: new Date(nowMs - dayMs),
          created_at: new Date(nowMs - 30 * dayMs),
          last_ride_at: new Date(nowMs - idle),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('device')
        .values({ ...ids, vehicle_id: id, imei: String(860_000_000_000_000 + number) })
        .execute()
      await tx
        .insertInto('vehicle_status')
        .values({
          ...ids,
          vehicle_id: id,
          battery_percent: battery,
          signal: number % 32,
          lat: 31.5,
          lng: 120.5,
          position_at: new Date(nowMs),
          heard_at: heard === null ? null : new Date(nowMs - heard),
        })
        .execute()
      if (number % 3 === 0) {
        await tx
          .insertInto('vehicle_alarm')
          .values({ ...ids, vehicle_id: id, kind: 'fall', opened_at: new Date(nowMs), last_at: new Date(nowMs) })
          .execute()
      }
      if (number % 5 === 0) {
        await tx
          .insertInto('task')
          .values({ ...ids, vehicle_id: id, kind: 'repair', state: 'open', source: 'rule', opened_at: new Date(nowMs) })
          .execute()
      }
    }
  })
})

const listed = async (filter: VehicleFilter): Promise<number> => {
  const { data } = await fleet.handlers.searchVehicles({ filter, sort: 'number', pageSize: 200 }, call)
  expect(data.list).toHaveLength(data.count ?? -1)
  return data.count ?? -1
}
const inService = vehicleStates.filter((state) => state !== 'removed')

const choose = (agentId: number, code: string, value: number) =>
  sql`insert into setting_change (agent_id, code, value, made_at, made_by)
    values (${agentId}, ${code}, ${String(value)}::jsonb, now(), 'test')`.execute(owner)
const found = new Set<string>()

describe.each(['as everywhere', 'as the company has chosen'])('each count is what its list has, %s', (limits) => {
  beforeAll(async () => {
    if (limits === 'as everywhere') return
    // Of a company above, which a request of this one does not see; and another company chooses for itself.
    await choose(2, 'offline_minutes', 120)
    await choose(3, 'low_battery_percent', 45)
    await choose(4, 'offline_minutes', 3)
  })

  it('of the home page', async () => {
    const { data } = await fleet.handlers.aggregateByType({}, call)
    expect(data.total).toBe(await listed({}))
    expect(data.lowBattery).toBe(await listed({ lowBattery: true }))
    expect(data.lowBattery + (await listed({ lowBattery: false }))).toBe(data.total)
    expect(data.offline).toBe(await listed({ online: false }))
    for (const state of vehicleStates) expect(data.states[state], state).toBe(await listed({ states: [state] }))
    expect(data.openAlarms).toBe(await listed({ alarms: [] }))
    const figures = `${data.lowBattery} ${data.offline}`
    expect(found.has(figures), 'a choice changes the figures').toBe(false)
    found.add(figures)
  })

  it('of the monitoring page', async () => {
    const { data } = await fleet.handlers.monitorDevices({}, call)
    expect(data.total).toBe(await listed({}))
    expect(data.online).toBe(await listed({ online: true }))
    expect(data.offline).toBe(await listed({ online: false }))
    expect(data.areas.reduce((sum, area) => sum + area.lowBattery, 0)).toBe(await listed({ lowBattery: true }))
    for (const { from, count, low } of data.battery) {
      const band = { batteryFrom: from, batteryTo: from === 90 ? 100 : from + 9.99 }
      expect(count, `battery ${from}`).toBe(await listed(band))
      expect(low, `low from ${from}`).toBe(await listed({ ...band, lowBattery: true }))
    }
    for (const { from, count } of data.signal) {
      expect(count, `signal ${from}`).toBe(await listed({ signalFrom: from, signalTo: from + 7 }))
    }
    const steps = [
      { silentHoursTo: 1 / 60 },
      { silentHoursFrom: 1 / 60, silentHoursTo: 1 / 6 },
      { silentHoursFrom: 1 / 6, silentHoursTo: 1 },
      { silentHoursFrom: 1, silentHoursTo: 24 },
      { silentHoursFrom: 24 },
    ]
    for (const [index, { count }] of data.heard.entries()) expect(count).toBe(await listed(steps[index] ?? {}))
  })

  it('of the statistics of vehicles', async () => {
    const { data } = await statistics.vehicleFigures({ filter: {} }, call)
    const { total, states, battery, batteryLow, idle } = data
    expect(total.vehicles).toBe(await listed({ states: inService }))
    expect(total.available).toBe(await listed({ states: ['available'] }))
    expect(total.onTrip).toBe(await listed({ states: ['on_trip'] }))
    expect(total.lowBattery).toBe(await listed({ states: inService, lowBattery: true }))
    expect(total.offline).toBe(await listed({ states: inService, online: false }))
    expect(total.outOfService).toBe(await listed({ states: ['non_operational'] }))
    expect(total.idle).toBe(await listed({ states: inService, idleHoursFrom: 24 }))
    expect(total.inTask).toBe(await listed({ states: inService, tasks: [] }))
    for (const { state, count } of states) expect(count, state).toBe(await listed({ states: [state] }))
    for (const [index, count] of battery.entries()) {
      const [from, to] = [batteryBands[index] ?? 0, batteryBands[index + 1]]
      const filter = { states: inService, batteryFrom: from, batteryTo: to === undefined ? 100 : to - 0.01 }
      expect(count, `battery ${from}`).toBe(await listed(filter))
      expect(batteryLow[index], `low from ${from}`).toBe(await listed({ ...filter, lowBattery: true }))
    }
    for (const [index, count] of idle.entries()) {
      const [from, to] = [idleBands[index] ?? 0, idleBands[index + 1]]
      const filter = { states: inService, idleHoursFrom: from, ...(to !== undefined && { idleHoursTo: to }) }
      expect(count, `idle ${from}`).toBe(await listed(filter))
    }
  })

  it('of the regulator', async () => {
    const { data } = await fleet.handlers.regulatorView({ resolution: 8 }, call)
    for (const state of vehicleStates) expect(data.states[state], state).toBe(await listed({ states: [state] }))
    expect(data.total).toBe(await listed({}))
  })

  it('of the map', async () => {
    const index = createLiveIndex({ nowMs })
    index.takeLimits(await createVehicleLimits(kit)())
    index.update(await fleet.vehicles.page({ afterId: 0, limit: 1_000 }))
    index.tick(nowMs)
    const visibility = { agentIds: new Set([3]), areaIds: new Set([31, 32]) }
    const bounds = { west: 120, south: 31, east: 121, north: 32 }
    const shown = (filter: object): number => index.query({ bounds, visibility, filter }).length
    for (const state of vehicleStates) expect(shown({ states: [state] }), state).toBe(await listed({ states: [state] }))
    expect(shown({ flag: 'low' })).toBe(await listed({ lowBattery: true }))
    expect(shown({ flag: 'alarm' })).toBe(await listed({ alarms: [] }))
  })
})
