import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { lifeKindLabels } from '@saddle/contract/fleet/life.ts'
import { decodeMoment, decodeStretches } from '@saddle/contract/telemetry/past.ts'
import { decodeTrack } from '@saddle/contract/telemetry/track.ts'
import { businessDayOf, minuteMs as minute } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { createFleet, fleetTopics } from '#fleet/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, TEST_START_MS, testKit } from '#test/kit.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const fleet = createFleet(kit, { audit: createAudit(kit) })
const { handlers } = fleet
let alpha: TenantFixture
let bravo: TenantFixture
const callOf = (of: TenantFixture) =>
  sessionCall({
    operatorId: 7,
    agentId: of.agentId,
    grant: { agentIds: [of.agentId], areaIds: [...of.areaIds] },
    name: '周可',
  })

const rideAt = TEST_START_MS + 60 * minute
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64url'))

/** A ride of ten minutes to the north-east, a report a minute. */
async function ride(of: TenantFixture): Promise<void> {
  const [vehicleId] = of.vehicleIds
  const at = (step: number): Date => new Date(rideAt + step * minute)
  await db.system((tx) =>
    tx
      .insertInto('device_report')
      .values(
        Array.from({ length: 11 }, (_, step) => ({
          vehicle_id: vehicleId,
          agent_id: of.agentId,
          area_id: of.areaIds[0],
          occurred_at: at(step),
          frame_crc: step,
          received_at: at(step),
          kind: 'position',
          lat: 31.05 + step * 0.001,
          lng: 120.05 + step * 0.001,
          battery_percent: 80 - step,
          locked: step === 10,
        })),
      )
      .execute(),
  )
  await db.system((tx) =>
    tx
      .insertInto('trip')
      .values({
        vehicle_id: vehicleId,
        agent_id: of.agentId,
        area_id: of.areaIds[0],
        started_at: at(0),
        ended_at: at(10),
        start_lat: 31.05,
        start_lng: 120.05,
        end_lat: 31.06,
        end_lng: 120.06,
        duration_s: 600,
      })
      .execute(),
  )
}

beforeAll(async () => {
  ;[alpha, bravo] = await seedTenants(kit)
  await owner.deleteFrom('fleet_day').execute()
  await db.system((tx) => ensureDays.execute(tx))
  await ride(alpha)
  kit.clock.set(rideAt + 11 * minute)
})

const ensureDays = sql`select ensure_device_report_days(${new Date(TEST_START_MS)}::date, ${new Date(TEST_START_MS + 24 * 60 * minute)}::date)`

describe('the past', () => {
  it('shows a ride that nobody has put together yet from what the device said', async () => {
    const { data } = await handlers.itinerary(
      { vehicleId: alpha.vehicleIds[0], from: rideAt - minute, to: rideAt + 20 * minute },
      callOf(alpha),
    )
    expect(data.list.map((one) => one.kind)).toEqual(['trip'])
    expect(decodeTrack(bytes(data.list[0]!.points))).toHaveLength(11)
    const part = await handlers.replayPart({ from: rideAt, to: rideAt + 60 * minute, isFirst: false }, callOf(alpha))
    expect(decodeStretches(bytes(part.data.bytes))).toMatchObject([{ vehicleId: alpha.vehicleIds[0], kind: 'trip' }])
  })

  it('shows a finished ride as a ride before it is put together, also when the places tell nothing of the lock', async () => {
    const [vehicleId] = alpha.vehicleIds
    const { id: tripId } = await owner
      .selectFrom('trip')
      .select('id')
      .where('started_at', '=', new Date(rideAt))
      .executeTakeFirstOrThrow()
    const ofRide = owner
      .updateTable('device_report')
      .where('vehicle_id', '=', vehicleId)
      .where('occurred_at', '>=', new Date(rideAt))
    await ofRide.set({ locked: null }).execute()
    const byTrip = await handlers.itinerary({ vehicleId, tripId }, callOf(alpha))
    expect(byTrip.data.list).toMatchObject([
      { kind: 'trip', startedAt: rideAt, endedAt: rideAt + 10 * minute, open: false },
    ])
    const span = { from: rideAt - minute, to: rideAt + 20 * minute }
    expect((await handlers.itinerary({ vehicleId, ...span }, callOf(alpha))).data.list.map((one) => one.kind)).toEqual([
      'trip',
    ])
    await ofRide.set({ locked: false }).execute()
  })

  it('is the same once the ride is put together, and its length is known', async () => {
    await fleet.makeBooks()
    const trip = await owner
      .selectFrom('trip')
      .selectAll()
      .where('started_at', '=', new Date(rideAt))
      .executeTakeFirstOrThrow()
    // Ten steps of 111.2 m north and 95.3 m east.
    expect(trip.distance_m).toBeCloseTo(1_464, -1)
    const { data } = await handlers.itinerary(
      { vehicleId: alpha.vehicleIds[0], from: rideAt - minute, to: rideAt + 20 * minute },
      callOf(alpha),
    )
    expect(data.list).toHaveLength(1)
    expect(data.list[0]).toMatchObject({ kind: 'trip', startedAt: rideAt, endedAt: rideAt + 10 * minute, open: false })
    const points = decodeTrack(bytes(data.list[0]!.points))
    expect(points.at(-1)).toMatchObject({ lat: 31.06, lng: 120.06, batteryPercent: 70 })
  })

  it('knows where every vehicle was at a moment, on the way too', async () => {
    const at = rideAt + 5.5 * minute
    const { data } = await handlers.fleetAt({ at }, callOf(alpha))
    const [vehicle] = decodeMoment(bytes(data.bytes))
    expect(vehicle).toMatchObject({ id: alpha.vehicleIds[0] })
    expect(vehicle?.lat).toBeCloseTo(31.055, 3)
    const later = await handlers.fleetAt({ at: rideAt + 3 * 60 * minute }, callOf(alpha))
    expect(later.data.at, 'never the future').toBe(kit.clock.now())
    expect(decodeMoment(bytes(later.data.bytes))[0]?.lat).toBeCloseTo(31.06, 5)
  })

  it('begins a replay with everything that stands and rides already', async () => {
    const from = rideAt + 4 * minute
    const { data } = await handlers.replayPart({ from, to: from + 60 * minute, isFirst: true }, callOf(alpha))
    const begun = decodeStretches(bytes(data.bytes))
    expect(begun).toMatchObject([{ vehicleId: alpha.vehicleIds[0], kind: 'trip', startedAt: rideAt }])
    const later = await handlers.replayPart(
      { from: rideAt + 20 * minute, to: rideAt + 60 * minute, isFirst: true },
      callOf(alpha),
    )
    expect(decodeStretches(bytes(later.data.bytes))).toMatchObject([{ vehicleId: alpha.vehicleIds[0], kind: 'stay' }])
  })

  it('is nobody else’s', async () => {
    const call = callOf(bravo)
    const span = { from: rideAt, to: rideAt + 10 * minute }
    await expect(handlers.itinerary({ vehicleId: alpha.vehicleIds[0], ...span }, call)).rejects.toThrow(
      '没有找到这辆车',
    )
    expect((await handlers.fleetAt({ at: rideAt + 5 * minute }, call)).data.count).toBe(0)
    expect((await handlers.replayPart({ ...span, isFirst: true }, call)).data.count).toBe(0)
  })
})

describe('figures of days', () => {
  it('count rides, riders’ time and batteries of today, and keep what was told of a day that is over', async () => {
    await owner.updateTable('vehicle_status').set({ battery_percent: 15 }).execute()
    await fleet.makeBooks()
    const today = businessDayOf(rideAt)
    const ask = () => handlers.analyseOperation({ from: today, to: today }, callOf(alpha))
    const { data } = await ask()
    const own = data.list.find((day) => day.areaId === alpha.areaIds[0])
    expect(own).toMatchObject({ vehicles: 1, ridden: 1, batteryPercent: 15, lowBattery: 1, idleShare: 0 })
    expect(own?.trips).toBe(own?.turnover)
    expect(data.madeAt).toBe(kit.clock.now())
    kit.clock.set(rideAt + 30 * 60 * minute)
    await owner.updateTable('vehicle_status').set({ battery_percent: 90 }).execute()
    await fleet.makeBooks()
    const later = (await ask()).data.list.find((day) => day.areaId === alpha.areaIds[0])
    expect(later).toMatchObject({ batteryPercent: 15, lowBattery: 1, trips: own?.trips })
    kit.clock.set(rideAt + 11 * minute)
  })

  it('a part of a day counts what began in it', async () => {
    const ofRide = businessDayOf(rideAt)
    const ask = async (until: number) => {
      const { data } = await handlers.analyseOperation({ from: ofRide, to: ofRide, until }, callOf(alpha))
      return data.list.find((one) => one.areaId === alpha.areaIds[0])
    }
    const before = await ask(rideAt - minute)
    const half = await ask(rideAt + 5 * minute)
    expect(half?.trips).toBe((before?.trips ?? 0) + 1)
    const whole = await ask(rideAt + 11 * minute)
    expect((whole?.rideSeconds ?? 0) - (half?.rideSeconds ?? 0)).toBeGreaterThanOrEqual(300)
    expect((whole?.distanceM ?? 0) - (half?.distanceM ?? 0)).toBeGreaterThan(1_000)
  })

  it('hexagons hold every place once', async () => {
    const span = { from: rideAt - 120 * minute, to: rideAt + 60 * minute }
    const { data } = await handlers.heatMap({ kind: 'demand', ...span, idleHours: 12, resolution: 9 }, callOf(alpha))
    expect(data.total).toBe(3)
    expect(data.cells.reduce((sum, cell) => sum + cell.count, 0)).toBe(3)
    expect(data.max).toBe(Math.max(...data.cells.map((cell) => cell.count)))
    expect(data.cells[0]?.ring).toHaveLength(7)
    const hours = await handlers.tripsByHour({ from: '2026-11-20', to: '2026-11-22' }, callOf(alpha))
    expect(hours.data.list.reduce((sum, row) => sum + row.trips, 0)).toBe(3)
  })

  it('tell a regulator numbers, and no vehicle', async () => {
    await owner.updateTable('vehicle_status').set({ lat: 31.04, lng: 120.07 }).where('lat', 'is not', null).execute()
    const { data } = await handlers.regulatorView({ resolution: 9 }, callOf(alpha))
    expect(data.total).toBe((await vehiclesOf(alpha)).length)
    expect(data.areas).toHaveLength(2)
    expect(data.parking).toHaveLength(2)
    expect(JSON.stringify(data)).not.toContain(alpha.vehicleNumber)
  })

  it('tell a regulator of a vehicle that was taken off the street, and not where it is', async () => {
    const ask = async () => (await handlers.regulatorView({ resolution: 9 }, callOf(alpha))).data
    const before = await ask()
    const id = alpha.vehicleIds[0]
    const { state } = await owner.selectFrom('vehicle').select('state').where('id', '=', id).executeTakeFirstOrThrow()
    await owner.updateTable('vehicle').set({ state: 'removed' }).where('id', '=', id).execute()
    const { total, states, areas, cells, outsideArea } = await ask()
    await owner.updateTable('vehicle').set({ state }).where('id', '=', id).execute()
    expect({ total, removed: states.removed }).toEqual({ total: before.total, removed: before.states.removed + 1 })
    expect(areas.reduce((sum, area) => sum + area.total, 0)).toBe(total)
    const standing = (view: { cells: readonly { count: number }[] }): number =>
      view.cells.reduce((sum, cell) => sum + cell.count, 0)
    expect(standing({ cells })).toBe(standing(before) - 1)
    expect(outsideArea).toBe(Math.max(0, before.outsideArea - 1))
  })
})

const vehiclesOf = ({ agentId }: TenantFixture) =>
  owner.selectFrom('vehicle').select(['id', 'state']).where('agent_id', '=', agentId).execute()

describe('one vehicle', () => {
  it('has a life of all kinds, in order, page by page', async () => {
    const vehicleId = alpha.vehicleIds[0]
    const whole = await handlers.vehicleLife({ vehicleId, pageSize: 100 }, callOf(alpha))
    const kinds = whole.data.list.map((entry) => entry.kind)
    expect(new Set(kinds)).toEqual(new Set(['event', 'command', 'alarm', 'task', 'trip', 'unit']))
    const times = whole.data.list.map((entry) => entry.at)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    const paged = []
    let cursor: string | undefined
    do {
      const page = await handlers.vehicleLife(
        { vehicleId, pageSize: 2, ...(cursor === undefined ? {} : { cursor }) },
        callOf(alpha),
      )
      paged.push(...page.data.list)
      cursor = page.data.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(paged).toEqual(whole.data.list)
    const { data: file } = await handlers.exportVehicleLife({ vehicleId }, callOf(alpha))
    expect(file.rows).toBe(paged.length)
    expect(file.text).toContain('时间,类别,事项,部件,变更前,变更后,来源,结束时间,里程(米),人员,备注')
    for (const kind of kinds) expect(file.text).toContain(`,${lifeKindLabels[kind]},`)
    // Every code has its word.
    expect(file.text).not.toMatch(/(event|command|alarm|task|unit):/)
    const { data: tripFile } = await handlers.exportVehicleLife({ vehicleId, kinds: ['trip'] }, callOf(alpha))
    expect(tripFile.rows).toBe(kinds.filter((kind) => kind === 'trip').length)
    const ofOthers = handlers.exportVehicleLife({ vehicleId: bravo.vehicleIds[0] }, callOf(alpha))
    await expect(ofOthers).rejects.toMatchObject({ code: 'vehicle_not_found' })
    await expect(handlers.vehicleLife({ vehicleId, pageSize: 2, cursor: 'x' }, callOf(alpha))).rejects.toMatchObject({
      code: 'bad_request',
    })
  })

  it('has a device with its hours', async () => {
    const { data } = await handlers.deviceInfo({ vehicleId: alpha.vehicleIds[0], hours: 3 }, callOf(alpha))
    expect(data.hours).toHaveLength(3)
    expect(data.hours.reduce((sum, hour) => sum + hour.reports, 0)).toBe(11)
    expect(data.hours.at(-1)).toMatchObject({ reports: 11, batteryPercent: 75 })
  })

  it.each([
    ['its number', () => alpha.vehicleNumber.toLowerCase(), 'registered'],
    ['its IMEI', () => alpha.imei, 'registered'],
    ['a sound IMEI of nobody', () => '490154203237518', 'unknown'],
    ['an IMEI with a slip', () => '490154203237519', 'malformed'],
    ['a number of another company', () => bravo.vehicleNumber, 'unknown'],
    ['nonsense', () => '车', 'malformed'],
  ])('is told valid or not by %s', async (_, code, validity) => {
    expect((await handlers.checkDevice({ code: code() }, callOf(alpha))).data.validity).toBe(validity)
  })

  it('monitoring counts each vehicle once in every figure', async () => {
    const { data } = await handlers.monitorDevices({}, callOf(alpha))
    const own = await vehiclesOf(alpha)
    expect(data.total).toBe(own.length)
    const sum = (rows: readonly { count: number }[]): number => rows.reduce((total, row) => total + row.count, 0)
    // Vehicles of the factory are not in the field yet.
    const inField = own.filter(({ state }) => state !== 'removed' && state !== 'missing')
    expect(data.online + data.offline).toBe(inField.length)
    expect(data.offline).toBe((await handlers.aggregateByType({}, callOf(alpha))).data.offline)
    expect(sum(data.heard)).toBe(own.length)
    expect(sum(data.models)).toBe(own.length)
    expect(data.areas.reduce((total, area) => total + area.total, 0)).toBe(own.length)
  })
})

describe('alarms', () => {
  it('are closed once, with who and why, and the map hears of it', async () => {
    const heard: unknown[] = []
    const stop = kit.bus.subscribe(fleetTopics.alarm, (message) => {
      heard.push(message)
    })
    const before = await handlers.listAlarmTickets({ pageSize: 20, open: true }, callOf(alpha))
    expect(before.data.list.map((row) => row.id)).toEqual([...alpha.alarmIds].toReversed())
    const of = (vehicleIds: number[]) =>
      handlers.listAlarmTickets({ pageSize: 20, open: true, vehicleIds }, callOf(alpha))
    expect((await of([alpha.vehicleIds[0], bravo.vehicleIds[0]])).data.list.map((row) => row.vehicleId)).toEqual([
      alpha.vehicleIds[0],
    ])
    const ids = [...alpha.alarmIds, ...bravo.alarmIds]
    const both = await Promise.all([
      handlers.fixAlarmTickets({ ids, note: '已扶正' }, callOf(alpha)),
      handlers.fixAlarmTickets({ ids, note: '已扶正' }, callOf(alpha)),
    ])
    expect(both.flatMap(({ data }) => data.fixedIds).toSorted((a, b) => Number(a) - Number(b))).toEqual([
      ...alpha.alarmIds,
    ])
    await kit.bus.flush()
    expect(heard).toHaveLength(1)
    stop()
    const { data } = await handlers.listAlarmTickets({ pageSize: 1, open: false }, callOf(alpha))
    expect(data).toMatchObject({ hasMore: true, list: [{ fixedBy: '周可', note: '已扶正' }] })
    expect((await handlers.listAlarmTickets({ pageSize: 20, open: true }, callOf(bravo))).data.list).toHaveLength(2)
  })
})
