import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { overviewEndpoints } from '@saddle/contract/reports/overview.ts'
import { figureOf, metricOf } from '@saddle/contract/reports/metrics.ts'
import { addDays, businessDayOf, businessDayStart, dayMs, hourMs } from '@saddle/contract/time.ts'
import { createFleet } from '#fleet/public.ts'
import { createAudit } from '#audit/public.ts'
import { sessionCall } from '#test/kit.ts'
import { reportWorld, type NewOrder } from '../reports.fixture.ts'
import { createOverviewHandlers } from './handlers.ts'
import { factorsOf, strongestAreas, strongestHours } from './rules.ts'

const world = await reportWorld()
const { owner, kit, addOrders, reports, vehicles } = world
const fleet = createFleet(kit, { audit: createAudit(kit) })
const { readOverview } = reports.handlers
const nowMs = kit.clock.now()
const today = businessDayOf(nowMs)
const grant = { agentIds: [3], areaIds: [31, 32] }
const manager = sessionCall({ operatorId: 7, agentId: 3, grant, permissions: ['02'] })
const oneArea = sessionCall({ operatorId: 7, agentId: 3, grant, scope: { agentIds: [3], areaIds: [32] } })
const outsider = sessionCall({ operatorId: 8, agentId: 4, grant: { agentIds: [4], areaIds: [41] } })

const at = (daysAgo: number, hour: number): number =>
  businessDayStart(addDays(today, -daysAgo)) + hour * hourMs + 60_000
const paid = (order: Omit<NewOrder, 'minutes' | 'state' | 'cents'> & { cents?: number }): NewOrder => ({
  minutes: 5,
  cents: 200,
  state: 'paid',
  ...order,
})
const none = { now: 0, before: 0 }
const several = (count: number, order: NewOrder): NewOrder[] => Array.from({ length: count }, () => order)

beforeAll(async () => {
  await owner.transaction().execute(async (tx) => {
    // Only so do the vehicles have a past: events are written by what happens.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into vehicle_status (vehicle_id, agent_id, area_id, heard_at)
      select id, agent_id, area_id, ${new Date(nowMs)} from vehicle on conflict do nothing`.execute(tx)
    await sql`
      insert into vehicle_event (vehicle_id, agent_id, area_id, event, from_state, to_state, cause, occurred_at, recorded_at)
      select id, agent_id, area_id, 'agency_drop_off', 'removed', 'available', 'operator', ${new Date(nowMs - 20 * dayMs)}, now()
      from vehicle order by id`.execute(tx)
    // One vehicle of the first area has been out of service since three o'clock.
    await sql`
      insert into vehicle_event (vehicle_id, agent_id, area_id, event, from_state, to_state, cause, occurred_at, recorded_at)
      select id, agent_id, area_id, 'maintenance', 'available', 'non_operational', 'operator', ${new Date(at(0, 3) - 90_000)}, now()
      from vehicle where id = ${vehicles[0]![0]!}`.execute(tx)
    await tx.updateTable('vehicle').set({ state: 'non_operational' }).where('id', '=', vehicles[0]![0]!).execute()
  })
  await addOrders([
    ...several(6, paid({ area: 0, vehicle: 0, placedAt: at(1, 8) })),
    ...several(2, paid({ area: 0, vehicle: 1, placedAt: at(1, 9) })),
    ...several(3, paid({ area: 1, vehicle: 0, placedAt: at(1, 8) })),
    // After the part of the day that is compared.
    ...several(5, paid({ area: 0, vehicle: 0, placedAt: at(1, 20) })),
    ...several(2, paid({ area: 0, vehicle: 1, placedAt: at(0, 9) })),
    ...several(4, paid({ area: 1, vehicle: 0, placedAt: at(0, 10), cents: 300 })),
    ...several(9, paid({ area: 1, vehicle: 1, placedAt: at(7, 8) })),
    ...several(7, paid({ area: 2, vehicle: 0, placedAt: at(0, 8) })),
  ])
  await reports.runRollups()
  while (await fleet.makeHours());
})

describe('the overview', () => {
  it('compares today with the same part of yesterday and of last week, and says where the difference is', async () => {
    const { data } = await readOverview({ day: 'today', basis: 'day' }, manager)
    expect(data).toMatchObject({ day: today, basis: addDays(today, -1), until: nowMs - (nowMs % hourMs) })
    expect(data.figures[0]).toEqual({ now: 6, dayBefore: 11, weekBefore: 9 })
    expect(data.rides).toMatchObject({ now: 6, before: 11, hours: { from: '08', to: '08', now: 0, before: 9 } })
    expect(data.rides.areas.map(({ areaId, now, before }) => [areaId, now, before])).toEqual([
      [31, 2, 8],
      [32, 4, 3],
    ])
    expect(data.netCents).toMatchObject({ now: 1_600, before: 2_200, factors: { first: { now: 6, before: 11 } } })
    expect(data.vehicles).toEqual({
      areaId: 31,
      name: '城北',
      isLess: true,
      count: 1,
      rides: 6,
      states: [{ state: 'non_operational', count: 1 }],
      vehicleIds: [vehicles[0]![0]],
    })
    expect(data.hours).toHaveLength(24)
    expect(data.hours.find(({ hour }) => hour === '20')).toMatchObject({ rides: { now: null, before: 5 } })
  })

  it('divides a change into vehicles and rides for each, which add up to it', async () => {
    const { data } = await readOverview({ day: 'today', basis: 'day' }, manager)
    const { factors, now, before } = data.rides
    expect(factors?.first.now).toBeLessThan(factors?.first.before ?? 0)
    expect((factors?.byFirst ?? 0) + (factors?.bySecond ?? 0)).toBeCloseTo(now - before, 9)
    expect(data.available).toMatchObject({
      now: 3,
      before: 4,
      inService: { now: 4, before: 4 },
      outOfService: { now: 1, before: 0 },
    })
  })

  it('compares whole days, once a day is over', async () => {
    const { data } = await readOverview({ day: 'yesterday', basis: 'day' }, manager)
    expect(data).toMatchObject({ until: null, rides: { now: 16, before: 0 } })
    expect(data.hours.every(({ rides }) => rides.now !== null)).toBe(true)
  })

  it('keeps to the scope', async () => {
    const { data } = await readOverview({ day: 'today', basis: 'day' }, oneArea)
    expect(data.figures[0]).toMatchObject({ now: 4, dayBefore: 3 })
    expect(data.rides.areas.map(({ areaId }) => areaId)).toEqual([32])
    const foreign = await readOverview({ day: 'today', basis: 'week' }, outsider)
    expect(foreign.data.rides).toMatchObject({ now: 7, before: 0 })
    expect(foreign.data.vehicles).toMatchObject({ areaId: 41, isLess: false, count: 1 })
  })

  it('has the hours of the fleet that the state changes tell', async () => {
    const { rows } = await sql<{ wrong: number; hours: number }>`
      select count(*) filter (where f.available <> e.available) as wrong, count(distinct f.hour) as hours
      from fleet_hour f cross join lateral (
        select count(*) filter (where (
          select to_state from vehicle_event x where x.vehicle_id = v.id and x.occurred_at <= f.hour
          order by x.occurred_at desc, x.id desc limit 1) = 'available') as available
        from vehicle v where v.area_id = f.area_id
      ) e`.execute(owner)
    expect(rows[0]).toEqual({ wrong: 0, hours: 9 * 24 + 1 })
    const sums = { rides: 6, availableHours: 100 }
    expect(figureOf(metricOf('ridesPerAvailableHour'), sums)).toBe(0.06)
  })
})

it('answers a company without areas, vehicles and rides with nothing, and divides by nothing', async () => {
  const nobody = sessionCall({ operatorId: 9, agentId: 3, grant: { agentIds: [3], areaIds: [] } })
  for (const day of ['today', 'yesterday'] as const) {
    for (const basis of ['day', 'week'] as const) {
      const { data } = await readOverview({ day, basis }, nobody)
      expect(data.figures.map(({ now }) => now)).toEqual([0, 0, null, null, null, null])
      expect(data).toMatchObject({ available: null, vehicles: null })
      expect(data.rides).toEqual({ ...none, areas: [], otherAreas: none, hours: null, factors: null })
      expect(overviewEndpoints.readOverview.output.safeParse({ suc: true, data }).error).toBeUndefined()
    }
  }
})

describe('explanations', () => {
  it('name what changed most and put the rest together', () => {
    const areas = [5, -9, 1, 0, 3, -2, 4].map((change, index) => ({
      areaId: index,
      name: '',
      now: 10 + change,
      before: 10,
    }))
    const { areas: named, otherAreas } = strongestAreas(areas)
    expect(named.map(({ areaId }) => areaId)).toEqual([1, 0, 6, 4, 5])
    expect(otherAreas).toEqual({ now: 21, before: 20 })
  })

  it('find the run of hours in which a change happened', () => {
    const hours = [0, -5, -7, 1, -6, 4, 3].map((change, index) => ({ hour: `0${index}`, now: 20 + change, before: 20 }))
    expect(strongestHours(hours)).toEqual({ from: '01', to: '04', now: 63, before: 80 })
    expect(strongestHours([{ hour: '00', now: 3, before: 3 }])).toBeNull()
  })

  it('divide nothing by nothing', () => {
    expect(factorsOf({ now: 3, before: 0 }, { now: 2, before: 0 })).toBeNull()
    const factors = factorsOf({ now: 60, before: 100 }, { now: 30, before: 40 })
    expect(factors).toMatchObject({ byFirst: -22.5, bySecond: -17.5 })
  })
})

describe('the progress of the demo', () => {
  const { readDemoProgress } = createOverviewHandlers({ ...kit, config: { ...kit.config, demo: true } })
  const percentWith = async (left: number): Promise<number | null> => {
    await sql`truncate demo_trip_rider`.execute(owner)
    await sql`
      insert into demo_trip_rider (trip_id, rider) select id, 0 from trip order by id limit ${left}`.execute(owner)
    return (await readDemoProgress({}, manager)).data.percent
  }

  it('is the share of rides that have their order, and nothing once they have', async () => {
    await owner.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`
        insert into trip (agent_id, area_id, vehicle_id, started_at, ended_at, duration_s)
        select 3, 31, ${vehicles[0]![0]!}, now(), now(), 0 from generate_series(1, 4000)`.execute(tx)
    })
    expect([await percentWith(4_000), await percentWith(2_900), await percentWith(1_000)]).toEqual([0, 27, null])
    expect((await reports.handlers.readDemoProgress({}, manager)).data.percent).toBeNull()
  })
})
