import fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mdsAnswerSchemas, mdsCsv, mdsJson, type MdsEvent, type MdsTrip } from '@saddle/contract/feeds/mdsRecords.ts'
import { encodeTrack } from '@saddle/contract/telemetry/track.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { registerMds } from '#app/mdsProvider.ts'
import { createLedger } from '#finance/ledger/ledger.ts'
import { createGeography } from '#geography/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, TEST_START_MS, testKit } from '#test/kit.ts'
import { testPriceRules } from '#test/rides.ts'
import { createFeeds } from '../public.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db, { PUBLIC_URL: 'https://rides.example.com' })
const audit = createAudit(kit)
const feeds = createFeeds(kit, { audit, geography: createGeography(kit, { audit }) })
const http = fastify()
registerMds({ http, kit, mds: feeds.mds })
await http.ready()
afterAll(() => http.close())

const own = sessionCall({ operatorId: 7, agentId: 3, grant: { agentIds: [3], areaIds: [31, 32] }, name: '周可' })
const foreign = sessionCall({ operatorId: 8, agentId: 4, grant: { agentIds: [4], areaIds: [41] }, name: '吴迪' })
const vehicles = 12
/** The hours of the past that have rides. */
const hours = [2, 3, 4, 5, 6]
const hourOf = (before: number): number => Math.floor(TEST_START_MS / hourMs) * hourMs - before * hourMs
const named = (atMs: number): string => new Date(atMs).toISOString().slice(0, 13)
/** The even vehicles live in the west of the boundary, the odd ones in the east. */
const lngOf = (vehicle: number): number => (vehicle % 2 === 0 ? 120.25 : 120.75)
const east = [
  [120.5, 31],
  [121, 31],
  [121, 32],
  [120.5, 32],
  [120.5, 31],
]
const geoJson = JSON.stringify({ type: 'Polygon', coordinates: [east] })

async function addRide(vehicle: number, { from, to, cents }: { from: number; to: number; cents: number }) {
  const lng = lngOf(vehicle)
  const [start, end] = [new Date(from), new Date(to)]
  await sql`insert into vehicle_event (vehicle_id, agent_id, area_id, event, from_state, to_state, cause, occurred_at, recorded_at)
    select v.id, 3, 31, e.event, e.before, e.after, 'device', e.at, e.at from vehicle v cross join (values
      ('trip_start', 'available', 'on_trip', ${start}::timestamptz), ('trip_end', 'on_trip', 'available', ${end})) e (event, before, after, at)
    where v.number = ${`SD${1000 + vehicle}`}`.execute(owner)
  const { rows } = await sql<{ id: number; order_id: number }>`
    with ridden as (
      insert into trip (vehicle_id, agent_id, area_id, started_at, ended_at, start_lat, start_lng, end_lat, end_lng, distance_m, duration_s)
      select id, 3, 31, ${start}, ${end}, 31.5, ${lng}, 31.51, ${lng}, 1200, ${(to - from) / 1_000} from vehicle
      where number = ${`SD${1000 + vehicle}`} returning id, vehicle_id
    )
    insert into ride_order (agent_id, area_id, vehicle_id, vehicle_number, rider_id, state, placed_at, started_at, ended_at, trip_id,
      distance_m, price_version_id, return_kind, charged_cents, changed_at)
    select 3, 31, vehicle_id, '1', 1, 'due', ${start}, ${start}, ${end}, id, 1200, 1, 'in_place', ${cents}, ${end}
    from ridden returning trip_id::int as id, id::int as order_id`.execute(owner)
  const ledger = createLedger({ db, clock: kit.clock, log: kit.log })
  if (cents > 0)
    await ledger.post({
      agentId: 3,
      kind: 'ride_charge',
      reference: `order:${rows[0]!.order_id}`,
      lines: [
        { account: { kind: 'rider_balance', ownerId: 1 }, amountCents: -cents },
        { account: { kind: 'agent_revenue' }, amountCents: cents },
      ],
    })
}

beforeAll(async () => {
  await sql`insert into agent (id, parent_id, company) values (2, null, '总部'), (3, 2, '城北出行'), (4, 2, '城南出行')`.execute(
    owner,
  )
  await sql`insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring)
    select n, case n when 41 then 4 else 3 end, '区' || n, 31.3, 120.6, '[[120,31],[121,31],[121,32],[120,32],[120,31]]'
    from unnest(array[31, 32, 41]) n`.execute(owner)
  const at = new Date(TEST_START_MS - 40 * dayMs)
  await sql`insert into rider (id, agent_id, phone_hash, phone_sealed, created_at, last_active_at)
    values (1, 3, 'hash', 'sealed', ${at}, ${at})`.execute(owner)
  await sql`insert into price_version (id, agent_id, area_id, name, rules, valid_from, author_name, created_at)
    values (1, 3, 31, '标准', ${JSON.stringify(testPriceRules)}, ${at}, '周可', ${at})`.execute(owner)
  await sql`insert into vehicle (agent_id, area_id, number, model, protocol, state, state_changed_at, created_at)
    select 3, 31, 'SD' || (1000 + n), 'SD-E2', 'omni', 'available', ${at}, ${at} from generate_series(0, ${vehicles - 1}) n`.execute(
    owner,
  )
  await sql`insert into vehicle_status (vehicle_id, agent_id, area_id, lat, lng, position_at, heard_at, battery_percent, speed_kmh)
    select id, 3, 31, 31.5, case (number like '%0' or number like '%2' or number like '%4' or number like '%6' or number like '%8')
      when true then 120.25 else 120.75 end, ${new Date(TEST_START_MS)}, ${new Date(TEST_START_MS)}, 80, 18 from vehicle`.execute(
    owner,
  )
  await sql`insert into fence (agent_id, area_id, kind, name, ring, centre_lat, centre_lng, radius_m, west, south, east, north, capacity, valid_from)
    values (3, 31, 'parking', '地铁口', null, 31.5, 120.75, 120, 120.74, 31.49, 120.76, 31.51, 10, ${at})`.execute(
    owner,
  )
  await createLedger({ db, clock: kit.clock, log: kit.log }).post({
    agentId: 3,
    kind: 'recharge',
    reference: 'recharge:1',
    lines: [
      { account: { kind: 'clearing_sandbox' }, amountCents: -1_000_000 },
      { account: { kind: 'rider_balance', ownerId: 1 }, amountCents: 1_000_000 },
    ],
  })
  for (const before of hours)
    for (let vehicle = 0; vehicle < vehicles; vehicle += 1) {
      const from = hourOf(before) + vehicle * minuteMs
      // Every third ends in the next hour, one is free.
      const to = vehicle % 3 === 0 ? from + 61 * minuteMs - minuteMs * vehicle : from + 9 * minuteMs
      if (to < kit.clock.now() - 3 * minuteMs)
        await addRide(vehicle, { from, to, cents: vehicle === 4 ? 0 : 200 + vehicle })
    }
})

async function credentials(call: typeof own, city: { areaIds: number[] } | { geoJson: string }, name: string) {
  const { data } = await feeds.handlers.createJurisdiction({ areaIds: [], ...city, name }, call)
  return (await feeds.handlers.createMdsClient({ jurisdictionId: data.id, name: '监管', days: 30 }, call)).data
}

async function tokenOf({ clientId, secret }: { clientId: string; secret: string }): Promise<string> {
  const answer = await http.inject({
    method: 'POST',
    url: '/mds/oauth/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
    },
    payload: 'grant_type=client_credentials',
  })
  expect([answer.statusCode, answer.json<{ expires_in: number }>().expires_in]).toEqual([200, 3_600])
  return answer.json<{ access_token: string }>().access_token
}

const get = (path: string, token: string, accept = mdsJson) =>
  http.inject({ method: 'GET', url: path, headers: { accept, authorization: `Bearer ${token}` } })

let whole: string
let eastern: string
let other: string

it('gives a token for credentials of a jurisdiction, and none for wrong ones', async () => {
  whole = await tokenOf(await credentials(own, { areaIds: [31, 32] }, '全市'))
  eastern = await tokenOf(await credentials(own, { geoJson }, '东区'))
  other = await tokenOf(await credentials(foreign, { areaIds: [41] }, '城南'))
  const wrong = await http.inject({
    method: 'POST',
    url: '/mds/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'grant_type=client_credentials&client_id=mds_x&client_secret=y',
  })
  expect([wrong.statusCode, wrong.json<{ error: string }>().error]).toEqual([401, 'invalid_client'])
  await expect(credentials(own, { areaIds: [41] }, '别处')).rejects.toMatchObject({ code: 'foreign_scope' })
  await expect(credentials(own, { areaIds: [31] }, '全市')).rejects.toMatchObject({ code: 'name_taken' })
  await expect(credentials(own, { geoJson: '{}' }, '空')).rejects.toMatchObject({ code: 'boundary_invalid' })
})

it('answers only the version that the client names', async () => {
  const path = '/mds/vehicles'
  expect((await get(path, whole)).headers['content-type']).toBe(mdsJson)
  for (const accept of [
    '*/*',
    'application/json',
    'application/vnd.mds+json',
    'application/vnd.mds+json;version=1.2',
    `${mdsJson};q=0`,
  ])
    expect([accept, (await get(path, whole, accept)).statusCode]).toEqual([accept, 406])
  expect((await get(path, whole, `text/html, application/vnd.mds+json; version="2.0"; q=0.5`)).statusCode).toBe(200)
  for (const token of ['', 'x', `${whole}x`, whole.split('.').slice(0, 2).join('.')])
    expect([token, (await get(path, token)).statusCode]).toEqual([token, 401])
})

it('lists vehicles and their status by the standard, each within its boundary', async () => {
  const all = mdsAnswerSchemas.vehicles.parse((await get('/mds/vehicles', whole)).json())
  expect(all.vehicles).toHaveLength(vehicles)
  const some = mdsAnswerSchemas.vehicles.parse((await get('/mds/vehicles', eastern)).json())
  expect(some.vehicles.map((one) => one.vehicle_id)).toEqual([
    'SD1001',
    'SD1003',
    'SD1005',
    'SD1007',
    'SD1009',
    'SD1011',
  ])
  expect(mdsAnswerSchemas.vehicles.parse((await get('/mds/vehicles', other)).json()).vehicles).toEqual([])
  const status = mdsAnswerSchemas.vehiclesStatus.parse((await get('/mds/vehicles/status', eastern)).json())
  expect(status.vehicles_status).toHaveLength(6)
  expect(status.vehicles_status[0]?.last_telemetry).toMatchObject({
    trip_ids: null,
    battery_percent: 80,
    location: { speed: 5 },
  })
  const [western] = all.vehicles
  for (const path of ['/mds/vehicles', '/mds/vehicles/status']) {
    expect((await get(`${path}/${western!.device_id}`, whole)).statusCode).toBe(200)
    expect((await get(`${path}/${western!.device_id}`, eastern)).statusCode).toBe(404)
    expect((await get(`${path}/no-uuid`, eastern)).statusCode).toBe(400)
  }
  await sql`update vehicle set state = 'removed', state_changed_at = ${new Date(TEST_START_MS - 91 * minuteMs)} where number = 'SD1001'`.execute(
    owner,
  )
  const after = mdsAnswerSchemas.vehiclesStatus.parse((await get('/mds/vehicles/status', eastern)).json())
  expect(after.vehicles_status).toHaveLength(5)
  await sql`update vehicle set state = 'available' where number = 'SD1001'`.execute(owner)
})

const hour = async (path: string, atMs: number, token: string) => {
  const answer = await get(`${path}=${named(atMs)}`, token)
  return { status: answer.statusCode, body: answer.json<{ trips: MdsTrip[]; events: MdsEvent[] }>() }
}

it('has the same trips, events, rides and cents in every hour', async () => {
  let counted = 0
  for (const before of hours) {
    const at = hourOf(before)
    const trips = (await hour('/mds/trips?end_time', at, whole)).body
    const events = (await hour('/mds/events/historical?event_time', at, whole)).body
    expect(mdsAnswerSchemas.trips.safeParse(trips).error).toBeUndefined()
    expect(mdsAnswerSchemas.eventsHistorical.safeParse(events).error).toBeUndefined()
    const ended = events.events
      .filter((event) => event.event_types[0] === 'trip_end')
      .flatMap((event) => event.trip_ids ?? [])
    expect(ended.toSorted()).toEqual(trips.trips.map((trip) => trip.trip_id).toSorted())
    const { rows } = await sql<{ rides: number; cents: number }>`
      select count(*)::int as rides, coalesce(sum(e.cents), 0)::int as cents
      from ride_order o left join lateral (
        select sum(p.cents) filter (where p.cents > 0) as cents from ledger_entry l cross join unnest(l.amounts_cents) p (cents)
        where l.agent_id = o.agent_id and l.reference = 'order:' || o.id) e on true
      where o.ended_at >= ${new Date(at)} and o.ended_at < ${new Date(at + hourMs)}`.execute(owner)
    const cents = trips.trips.reduce((sum, trip) => sum + (trip.actual_cost ?? 0), 0)
    expect({ rides: trips.trips.length, cents }).toEqual(rows[0])
    counted += trips.trips.length
    // Nothing of the west, and nothing at all of another company.
    const there = (await hour('/mds/trips?end_time', at, eastern)).body.trips
    expect(there.every((trip) => trip.start_location.lng === 120.75)).toBe(true)
    expect(there.length).toBeLessThan(trips.trips.length)
    for (const path of ['/mds/trips?end_time', '/mds/events/historical?event_time', '/mds/telemetry?telemetry_time'])
      expect([path, (await hour(path, at, other)).status]).toEqual([path, 404])
  }
  expect(counted).toBeGreaterThan(40)
})

it('finds a trip whose way alone touches the boundary', async () => {
  const at = hourOf(2)
  const asked = () => hour('/mds/trips?end_time', at, eastern)
  const known = (await asked()).body.trips.length
  const { rows } = await sql<{ id: number; started_at: Date; ended_at: Date; vehicle_id: number }>`
    select t.* from trip t join vehicle v on v.id = t.vehicle_id
    where v.number = 'SD1002' and t.ended_at >= ${new Date(at)} and t.ended_at < ${new Date(at + hourMs)}`.execute(
    owner,
  )
  const trip = rows[0]!
  const point = (part: number, lng: number) => ({
    at: trip.started_at.getTime() + part * 60_000,
    lat: 31.5,
    lng,
    batteryPercent: 80,
    locked: false,
    unsure: false,
  })
  const way = Buffer.from(encodeTrack([point(0, 120.25), point(2, 120.55), point(4, 120.25)]))
  const day = trip.started_at.toISOString().slice(0, 10)
  await sql`select ensure_track_segment_days(${day}::date, ${day}::date)`.execute(owner)
  await sql`insert into track_segment (vehicle_id, agent_id, area_id, kind, started_at, ended_at, start_lat, start_lng, end_lat, end_lng, points)
    values (${trip.vehicle_id}, 3, 31, 'trip', ${trip.started_at}, ${trip.ended_at}, 31.5, 120.25, 31.5, 120.25, ${way})`.execute(
    owner,
  )
  expect((await asked()).body.trips.length).toBe(known + 1)
  const telemetry = mdsAnswerSchemas.telemetry.parse((await hour('/mds/telemetry?telemetry_time', at, whole)).body)
  expect(telemetry.telemetry.map((one) => one.location.lng)).toEqual([120.25, 120.55, 120.25])
  expect(telemetry.telemetry.every((one) => one.trip_ids?.length === 1)).toBe(true)
  const there = mdsAnswerSchemas.telemetry.parse((await hour('/mds/telemetry?telemetry_time', at, eastern)).body)
  expect(there.telemetry.map((one) => one.location.lng)).toEqual([120.55])
})

it('says when an hour is wrong, to come, not complete yet, or before the company operated', async () => {
  const paths = ['/mds/trips?end_time', '/mds/events/historical?event_time', '/mds/telemetry?telemetry_time']
  for (const path of paths) {
    const [bare = ''] = path.split('?')
    for (const wrong of [bare, `${path}=2026-11-21`, `${path}=2026-02-30T04`, `${path}=2026-11-21T24`])
      expect([wrong, (await get(wrong, whole)).statusCode]).toEqual([wrong, 400])
    expect([path, (await hour(path, hourOf(0), whole)).status]).toEqual([path, 404])
    expect([path, (await hour(path, hourOf(1), whole)).status]).toEqual([path, 202])
    expect([path, (await hour(path, TEST_START_MS - 50 * dayMs, whole)).status]).toEqual([path, 404])
    // Complete, although nobody rode.
    expect([path, (await hour(path, hourOf(24), whole)).status]).toEqual([path, 200])
  }
  await sql`update trip set distance_m = null where ended_at >= ${new Date(hourOf(2))} and ended_at < ${new Date(hourOf(1))}`.execute(
    owner,
  )
  for (const path of paths) expect([path, (await hour(path, hourOf(2), whole)).status]).toEqual([path, 202])
  await sql`update trip set distance_m = 1200 where distance_m is null and ended_at is not null`.execute(owner)
  for (const path of paths) expect([path, (await hour(path, hourOf(2), whole)).status]).toEqual([path, 200])
})

it('pages through recent events, and refuses spans that are not recent', async () => {
  const [start, end] = [hourOf(7), kit.clock.now()]
  const asked = `/mds/events/recent?start_time=${start}&end_time=${end}`
  const all = mdsAnswerSchemas.eventsRecent.parse((await get(asked, whole)).json())
  expect(all.events.map(({ timestamp }) => timestamp)).toEqual(
    all.events.map(({ timestamp }) => timestamp).toSorted((a, b) => a - b),
  )
  expect(new Set(all.events.map(({ event_id: id }) => id)).size).toBe(all.events.length)
  expect(all.events.length).toBeGreaterThan(80)
  for (const wrong of [
    '/mds/events/recent',
    `/mds/events/recent?start_time=${start}`,
    `/mds/events/recent?start_time=${end - 15 * dayMs}&end_time=${end}`,
  ])
    expect([wrong, (await get(wrong, whole)).statusCode]).toEqual([wrong, 400])
  expect(mdsAnswerSchemas.eventsRecent.parse((await get(asked, other)).json()).events).toEqual([])
})

it('shows parking places with what stands in them, and reports months with counts that hide the few', async () => {
  const { stops } = mdsAnswerSchemas.stops.parse((await get('/mds/stops', whole)).json())
  expect(stops).toMatchObject([{ name: '地铁口', capacity: { other: 10 }, num_vehicles_available: { other: 6 } }])
  expect((await get(`/mds/stops/${stops[0]!.stop_id}`, eastern)).statusCode).toBe(200)
  expect(mdsAnswerSchemas.stops.parse((await get('/mds/stops', other)).json()).stops).toEqual([])
  expect((await get('/mds/reports/2026-11.csv', whole, mdsCsv)).statusCode).toBe(404)
  kit.clock.advance(15 * dayMs)
  const fresh = await tokenOf(await credentials(own, { areaIds: [31] }, '月报'))
  const report = await get('/mds/reports/2026-11.csv', fresh, mdsCsv)
  expect(report.headers['content-type']).toBe(mdsCsv)
  const { rows } = await sql<{ trips: number }>`select count(*)::int as trips from trip`.execute(owner)
  const [, line = ''] = report.body.split('\n')
  expect(line.split(',').slice(1)).toEqual([
    '2026-11-01',
    'P1M',
    'all_riders',
    'null',
    'other',
    String(rows[0]!.trips),
    '-1',
  ])
  expect((await get('/mds/reports/2026-11.csv', fresh)).statusCode).toBe(406)
})

it('ends tokens with their hour, their credentials, their jurisdiction and their company', async () => {
  expect((await get('/mds/vehicles', whole)).statusCode).toBe(401)
  const made = await credentials(own, { areaIds: [31] }, '再来')
  const token = await tokenOf(made)
  const { data } = await feeds.handlers.listJurisdictions({}, own)
  await feeds.mds.access.flush()
  expect((await get('/mds/vehicles', token)).statusCode).toBe(200)
  await sql`update agent set state = 'disabled' where id = 3`.execute(owner)
  expect((await get('/mds/vehicles', token)).statusCode).toBe(401)
  await sql`update agent set state = 'enabled' where id = 3`.execute(owner)
  await expect(feeds.handlers.revokeMdsClient({ id: made.id }, foreign)).rejects.toMatchObject({ code: 'not_found' })
  await feeds.handlers.revokeMdsClient({ id: made.id }, own)
  expect((await get('/mds/vehicles', token)).statusCode).toBe(401)
  const month = data.jurisdictions.find(({ name }) => name === '月报')!
  const second = await feeds.handlers.createMdsClient({ jurisdictionId: month.id, name: '二', days: 1 }, own)
  const later = await tokenOf(second.data)
  await feeds.handlers.endJurisdiction({ id: month.id, version: 1 }, own)
  expect((await get('/mds/vehicles', later)).statusCode).toBe(401)
  const uses = await sql<{ calls: number }>`select sum(calls)::int as calls from mds_client_day`.execute(owner)
  expect(uses.rows[0]!.calls).toBeGreaterThan(30)
})

it('keeps no secret, only what it hashes to', async () => {
  const made = await credentials(own, { areaIds: [31] }, '保密')
  const { rows } = await sql<{ text: string }>`
    select c::text as text from mds_client c union all select r::text from audit_record r`.execute(owner)
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.some(({ text }) => text.includes(made.secret))).toBe(false)
})
