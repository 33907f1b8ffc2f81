import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createGeography } from '#geography/public.ts'
import type { AppCall } from '#kit/call.ts'
import { createPhotos } from '#photos/public.ts'
import { createOperations } from '#operations/public.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const audit = createAudit(kit)
const fleet = createFleet(kit, { audit })
const others = { audit, fleet, geography: createGeography(kit, { audit }), photos: createPhotos(kit) }
const { handlers } = createOperations(kit, others)
const weekMs = 168 * hourMs

const desk = sessionCall({ operatorId: 1007, agentId: 3, grant: { agentIds: [3], areaIds: [31] }, name: '周可' })
const outsider = sessionCall({ operatorId: 1020, agentId: 4, grant: { agentIds: [4], areaIds: [41] } })
const driver = sessionCall({ operatorId: 1008, agentId: 3, grant: { agentIds: [3], areaIds: [31] }, name: '陆小川' })
const app = { app: { id: 1, agentIds: [3] } } as unknown as AppCall
const [busy, calm] = [
  { lat: 31.2, lng: 120.7 },
  { lat: 31.21, lng: 120.7 },
]
let vehicleIds: readonly number[] = []

beforeAll(async () => {
  const ring = JSON.stringify([
    [120, 31],
    [121, 31],
    [121, 32],
    [120, 31],
  ])
  await owner.insertInto('agent').values({ id: 2, parent_id: null, company: '总部' }).execute()
  for (const [id, agentId] of [
    [31, 3],
    [41, 4],
  ] as const) {
    await owner
      .insertInto('agent')
      .values({ id: agentId, parent_id: 2, company: `公司${agentId}` })
      .execute()
    const area = { id, agent_id: agentId, name: `区${id}`, centre_lat: 31.205, centre_lng: 120.7, ring }
    await owner.insertInto('service_area').values(area).execute()
  }
  await owner.insertInto('role').values({ id: 1, agent_id: 3, name: '运维' }).execute()
  await owner.insertInto('role_permission').values({ role_id: 1, agent_id: 3, code: '0909' }).execute()
  const person = { id: 1008, agent_id: 3, name: '陆小川', level: 4, role_id: 1, op_man_id: '1008'.padStart(24, '0') }
  await owner
    .insertInto('operator')
    .values({ ...person, phone_hash: '1008', phone_sealed: '1008' })
    .execute()
  for (const [name, { lat, lng }] of [
    ['busy', busy],
    ['calm', calm],
  ] as const) {
    const box = { west: lng - 0.001, east: lng + 0.001, south: lat - 0.001, north: lat + 0.001 }
    const fence = {
      agent_id: 3,
      area_id: 31,
      kind: 'parking',
      name,
      radius_m: 40,
      capacity: 20,
      valid_from: new Date(0),
    }
    await owner
      .insertInto('fence')
      .values({ ...box, ...fence, centre_lat: lat, centre_lng: lng })
      .execute()
  }
  vehicleIds = await db.system((tx) =>
    fleet.vehicles.register(
      tx,
      Array.from({ length: 12 }, (_, n) => ({
        agentId: 3,
        areaId: 31,
        number: `SD${String(n).padStart(6, '0')}`,
        imei: `861234567${String(n).padStart(6, '0')}`,
        model: 'SD-E2',
        position: calm,
      })),
    ),
  )
  await owner.updateTable('vehicle').set({ state: 'available' }).execute()
  // Three weeks in which somebody rode away from the busy place in this and the coming hours, again and again.
  const now = Math.floor(kit.clock.now() / hourMs) * hourMs
  const trips = [1, 2, 3].flatMap((week) =>
    Array.from({ length: 24 }, (_, n) => {
      const startedAt = new Date(now - week * weekMs + (n % 6) * hourMs + minuteMs * n)
      const place = { start_lat: busy.lat, start_lng: busy.lng, end_lat: 31.25, end_lng: 120.75 }
      const end = { ended_at: new Date(startedAt.getTime() + 600_000), duration_s: 600 }
      return { vehicle_id: vehicleIds[n % 12] ?? 0, agent_id: 3, area_id: 31, started_at: startedAt, ...end, ...place }
    }),
  )
  await owner.insertInto('trip').values(trips).execute()
})

const ask = { areaId: 31, hours: 6, capacity: 20, minutesMax: 180, vehiclesMax: 60 }
const refusal = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing',
    (error: { code?: string }) => String(error.code),
  )

it('counts those who find no vehicle, by place and hour, and shows the others what stands near', async () => {
  const near = await handlers.nearVehicles({ ...calm, radiusM: 500 }, app)
  expect(near.data).toHaveLength(12)
  expect(near.data[0]).toMatchObject({ number: 'SD000000', distanceM: 0 })
  for (let rider = 0; rider < 3; rider += 1) {
    expect((await handlers.nearVehicles({ ...busy, radiusM: 500 }, app)).data).toEqual([])
  }
  // Nobody's area, and another company's vehicles.
  await handlers.nearVehicles({ lat: 40, lng: 100, radiusM: 500 }, app)
  const foreign = { app: { id: 2, agentIds: [4] } } as unknown as AppCall
  expect((await handlers.nearVehicles({ ...calm, radiusM: 500 }, foreign)).data).toEqual([])
  const { rows } = await sql<object>`
    select agent_id, searches, unmet from demand_search order by agent_id, unmet`.execute(owner)
  expect(rows).toEqual([
    { agent_id: 3, searches: 1, unmet: 0 },
    { agent_id: 3, searches: 3, unmet: 3 },
    { agent_id: 4, searches: 1, unmet: 1 },
  ])
})

it('expects riders where and when they rode and where they found nothing', async () => {
  kit.clock.advance(hourMs)
  const { data } = await handlers.demandCells({ areaId: 31 }, desk)
  expect(data.weeks).toBeCloseTo(3, 1)
  expect(data.cells.length).toBeGreaterThan(0)
  const [top] = data.cells
  expect(top?.wanted).toBeGreaterThan(2)
  expect(top?.ring[0]).toEqual(top?.ring.at(-1))
  expect(data.week.reduce((sum, hour) => sum + hour.unmet, 0)).toBeCloseTo(3 / data.weeks, 5)
  const quiet = await handlers.demandCells({ areaId: 31, hour: (data.hour + 12) % 168 }, desk)
  expect(quiet.data.cells[0]?.wanted ?? 0).toBeLessThan(1)
  expect(await refusal(handlers.demandCells({ areaId: 31 }, outsider))).toBe('not_found')
})

it('plans to carry from where vehicles stand to where they are wanted', async () => {
  const { data } = await handlers.planMoves(ask, desk)
  expect(data).toMatchObject({ areaName: '区31', places: 2, hours: 6 })
  const [move] = data.moves
  expect(move).toMatchObject({ from: { name: 'calm', stock: 12 }, to: { name: 'busy', stock: 0 } })
  expect(data.lostBefore - data.lostAfter).toBeCloseTo(move?.gain ?? 0, 9)
  expect(data.stops.map(({ name, load }) => [name, load])).toEqual([
    ['calm', move?.vehicles],
    ['busy', -(move?.vehicles ?? 0)],
  ])
  expect(await refusal(handlers.planMoves(ask, outsider))).toBe('not_found')
})

it('makes tasks of what is adopted, and tells later what it brought beside those that were left', async () => {
  const { data: plan } = await handlers.planMoves({ ...ask, vehiclesMax: 4 }, desk)
  const moves = plan.moves.map(({ from, to, vehicles }) => ({
    fromFenceId: from.fenceId,
    toFenceId: to.fenceId,
    vehicles,
  }))
  expect(await refusal(handlers.adoptPlan({ ...ask, moves }, outsider))).toBe('not_found')
  const wrongWay = moves.map(({ fromFenceId, toFenceId }) => ({
    fromFenceId: toFenceId,
    toFenceId: fromFenceId,
    vehicles: 1,
  }))
  expect(await refusal(handlers.adoptPlan({ ...ask, moves: wrongWay }, desk))).toBe('rebalancing_outdated')
  expect(await refusal(handlers.adoptPlan({ ...ask, moves, assigneeId: 1007 }, desk))).toBe('worker_unavailable')
  const { data } = await handlers.adoptPlan({ ...ask, moves, assigneeId: 1008 }, desk)
  expect(data.taskIds).toHaveLength(4)
  const tasks = await owner.selectFrom('task').selectAll().orderBy('id').execute()
  expect(tasks.map(({ kind, source, to_name: to }) => [kind, source, to])).toEqual(
    Array.from({ length: 4 }, () => ['relocate', 'rebalancing', 'busy']),
  )
  expect(tasks.map(({ state, assignee_id: id, person_name: name }) => [state, id, name])).toEqual(
    Array.from({ length: 4 }, () => ['claimed', 1008, '陆小川']),
  )
  const numbers = tasks.map(({ vehicle_id: id }) => `SD${String(vehicleIds.indexOf(id)).padStart(6, '0')}`)
  const [tour, ...more] = (await handlers.listTours({ mine: true }, driver)).data.list
  expect(more).toEqual([])
  expect(tour).toMatchObject({ id: data.id, areaName: '区31', assigneeName: '陆小川', unfinished: 4 })
  expect(tour?.stops.map(({ name, load }) => [name, load])).toEqual([
    ['calm', 4],
    ['busy', -4],
  ])
  for (const stop of tour?.stops ?? []) {
    expect(stop.vehicles.map(({ number }) => number).toSorted()).toEqual(numbers.toSorted())
    expect(stop.vehicles.map(({ isDone }) => isDone)).toEqual([false, false, false, false])
  }
  expect((await handlers.listTours({ mine: true }, desk)).data.list).toEqual([])
  expect((await handlers.listTours({ mine: false }, desk)).data.list).toHaveLength(1)
  expect((await handlers.listTours({ mine: false }, outsider)).data.list).toEqual([])
  // Aboard: the loading stop is over, the other one is not.
  await owner
    .updateTable('task')
    .set({ state: 'on_site', on_site_at: new Date(kit.clock.now()) })
    .execute()
  const [aboard] = (await handlers.listTours({ mine: true }, driver)).data.list
  expect(aboard?.stops.map(({ vehicles }) => vehicles.every(({ isDone }) => isDone))).toEqual([true, false])
  const before = await handlers.listPlans({ filter: {}, sort: 'made', pageSize: 20 }, desk)
  expect(before.data.list).toMatchObject([
    { id: data.id, planned: 4, done: 0, left: { vehicles: 4 }, brought: null, isOver: false, authorName: '周可' },
  ])
  expect(before.data.list[0]?.expectedGain).toBeCloseTo(plan.moves[0]?.gain ?? 0, 3)
  // Three of four are carried; each is ridden twice then, and one of those that stayed once.
  const doneAt = new Date(kit.clock.now() + hourMs)
  const carried = tasks.slice(0, 3)
  await owner
    .updateTable('task')
    .set({ state: 'done', done_at: doneAt, claimed_at: doneAt, person_name: '陆小川' })
    .where(
      'id',
      'in',
      carried.map(({ id }) => id),
    )
    .execute()
  await owner.updateTable('task').set({ state: 'cancelled', done_at: doneAt }).where('done_at', 'is', null).execute()
  const { rows: left } = await sql<{ id: number }>`
    select vehicle_id as id from rebalance_vehicle where task_id is null order by vehicle_id limit 1`.execute(owner)
  const rides = [...carried.flatMap(({ vehicle_id: id }) => [id, id]), left[0]?.id ?? 0]
  await owner
    .insertInto('trip')
    .values(
      rides.map((vehicleId, n) => ({
        vehicle_id: vehicleId,
        agent_id: 3,
        area_id: 31,
        started_at: new Date(doneAt.getTime() + n * minuteMs),
        ended_at: new Date(doneAt.getTime() + n * minuteMs + 30_000),
        duration_s: 30,
      })),
    )
    .execute()
  kit.clock.advance(8 * hourMs)
  const after = await handlers.listPlans({ filter: {}, sort: 'made', pageSize: 20 }, desk)
  expect(after.data.list).toMatchObject([
    {
      done: 3,
      cancelled: 1,
      carried: { vehicles: 3, rides: 6 },
      left: { vehicles: 4, rides: 1 },
      brought: 5.25,
      isOver: true,
    },
  ])
  expect((await handlers.listPlans({ filter: {}, sort: 'made', pageSize: 20 }, outsider)).data.list).toEqual([])
  const file = await handlers.exportPlans({ filter: { areaId: 31 }, sort: 'made' }, desk)
  expect(file.data.text).toContain('5.3,已结束')
  const lines = await owner
    .selectFrom('audit_record')
    .select('action')
    .where('action', 'like', 'rebalancing%')
    .execute()
  expect(lines.map(({ action }) => action)).toEqual(['rebalancing.adopt', 'rebalancing.export'])
  // Nothing is left to drive.
  expect((await handlers.listTours({ mine: true }, driver)).data.list).toEqual([])
})
