import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { createAudit } from '#audit/public.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { createFleet } from '../public.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const fleet = createFleet(kit, { audit: createAudit(kit) })
const { takeOutOfService, returnToService, aggregateByType } = fleet.handlers
const grant = { agentIds: [3], areaIds: [31] }
const call = sessionCall({ operatorId: 7, agentId: 3, grant, name: '周可', permissions: ['030101'] })
const outsider = sessionCall({ operatorId: 9, agentId: 4, grant: { agentIds: [4], areaIds: [41] } })

let ids: readonly number[] = []

beforeAll(async () => {
  await owner.insertInto('agent').values({ id: 2, parent_id: null, company: '总部' }).execute()
  await owner.insertInto('agent').values({ id: 3, parent_id: 2, company: '城北出行' }).execute()
  const ring = JSON.stringify([
    [120, 31],
    [121, 31],
    [121, 32],
    [120, 31],
  ])
  const area = { id: 31, agent_id: 3, name: '城北', centre_lat: 31.5, centre_lng: 120.5, ring }
  await owner.insertInto('service_area').values(area).execute()
  const rows = Array.from({ length: 5 }, (_, n) => {
    const serial = String(n + 1).padStart(6, '0')
    return { agentId: 3, areaId: 31, number: `SD${serial}`, imei: `861234567${serial}`, model: 'SD-E2' }
  })
  ids = await db.system((tx) => fleet.vehicles.register(tx, rows))
  await owner.updateTable('vehicle').set({ state: 'available' }).execute()
})

const states = async (): Promise<string[]> =>
  (await owner.selectFrom('vehicle').select('state').orderBy('id').execute()).map(({ state }) => state)
const refusal = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing',
    (error: { code?: string }) => String(error.code),
  )

it('takes parked vehicles out and puts them back, each for itself', async () => {
  const [first = 0, second = 0, ridden = 0, empty = 0, mended = 0] = ids
  await owner.updateTable('vehicle').set({ state: 'on_trip' }).where('id', '=', ridden).execute()
  const out = await takeOutOfService(
    { vehicleIds: [first, second, ridden, empty, mended, 999_999], reason: '检修' },
    call,
  )
  expect(out.data.done).toEqual([first, second, empty, mended])
  expect(out.data.refused.map(({ vehicle }) => vehicle)).toEqual(['999999', 'SD000003'])
  expect(await states()).toEqual([
    'non_operational',
    'non_operational',
    'on_trip',
    'non_operational',
    'non_operational',
  ])

  await sql`update vehicle_status set battery_percent = 4 where vehicle_id = ${empty}`.execute(owner)
  await owner
    .insertInto('task')
    .values({
      vehicle_id: mended,
      agent_id: 3,
      area_id: 31,
      kind: 'repair',
      state: 'on_site',
      source: 'manual',
      opened_at: new Date(kit.clock.now()),
      claimed_at: new Date(kit.clock.now()),
      on_site_at: new Date(kit.clock.now()),
      assignee_id: 7,
      person_name: '周可',
    })
    .execute()
  expect(await refusal(returnToService({ vehicleIds: [empty], reason: '' }, call))).toBe('vehicle_battery_low')
  expect(await refusal(returnToService({ vehicleIds: [mended], reason: '' }, call))).toBe('vehicle_in_repair')
  expect(await refusal(returnToService({ vehicleIds: [ridden], reason: '' }, call))).toBe('vehicle_not_out')
  expect(await refusal(takeOutOfService({ vehicleIds: [ridden], reason: '检修' }, call))).toBe('vehicle_not_parked')
  expect(await refusal(returnToService({ vehicleIds: [first], reason: '' }, outsider))).toBe('vehicle_not_found')
  const back = await returnToService({ vehicleIds: [first, second, empty], reason: '' }, call)
  expect(back.data).toEqual({
    done: [first, second],
    refused: [{ vehicle: 'SD000004', promot: '电量过低，充电后自动恢复' }],
  })
  expect(await states()).toEqual(['available', 'available', 'on_trip', 'non_operational', 'non_operational'])
  // The battery did not take it out, so a full one does not put it back: a person does.
  await sql`update vehicle_status set battery_percent = 90 where vehicle_id = ${empty}`.execute(owner)
  await fleet.turnByBattery()
  expect((await states())[3]).toBe('non_operational')
  const { rows } = await sql<{ action: string }>`
    select action from audit_record where action like 'vehicle.%' order by id`.execute(owner)
  expect(rows.map(({ action }) => action)).toEqual(['vehicle.out_of_service', 'vehicle.back_in_service'])
})

it('counts vehicles by their most urgent alarm', async () => {
  const [first = 0, second = 0] = ids
  const at = new Date(kit.clock.now())
  for (const [vehicleId, kind] of [
    [first, 'low_battery'],
    [first, 'tamper'],
    [second, 'of_its_own'],
  ] as const)
    await owner
      .insertInto('vehicle_alarm')
      .values({ vehicle_id: vehicleId, agent_id: 3, area_id: 31, kind, opened_at: at, last_at: at })
      .execute()
  const { data } = await aggregateByType({}, call)
  expect(data.openAlarms).toBe(3)
  expect(data.alarmVehicles).toMatchObject({ tamper: 1, low_battery: 0, other: 1, fall: 0 })
  expect((await aggregateByType({}, outsider)).data.alarmVehicles.tamper).toBe(0)
})
