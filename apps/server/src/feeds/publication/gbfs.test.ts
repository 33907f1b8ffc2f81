import { gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { gbfsFeedNames, gbfsFeedSchemas, gbfsManifestSchema, type GbfsFeeds } from '@saddle/contract/feeds/gbfs.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { registerGbfs } from '#app/gbfsFeeds.ts'
import { asAppError } from '#app/refusal.ts'
import { createFleet, type VehicleReport } from '#fleet/public.ts'
import { createGeography } from '#geography/public.ts'
import { testDatabase } from '#test/database.ts'
import { gbfsCheckers } from '#test/gbfsCheckers.ts'
import { sessionCall, TEST_START_MS, testKit } from '#test/kit.ts'
import { testPriceRules } from '#test/rides.ts'
import { createFeeds } from '../public.ts'
import { buildFeeds } from './build.ts'
import { checkFeeds } from './check.ts'
import { selectPublicAreas } from './store.ts'

const { db, owner } = await testDatabase()
/** By the standard's publisher. */
const check = await gbfsCheckers()
const kit = testKit(db, { PUBLIC_URL: 'https://rides.example.com' })
const audit = createAudit(kit)
const fleet = createFleet(kit, { audit })
const geography = createGeography(kit, { audit })
/** What the next feeds are made with; tests break them. */
let build = buildFeeds
const feeds = createFeeds(kit, { audit, geography, build: (facts) => build(facts) })
const [area, other] = [31, 32]
const own = sessionCall({ operatorId: 7, agentId: 3, grant: { agentIds: [3], areaIds: [area, other] }, name: '周可' })

const http = fastify()
http.setErrorHandler((error, _request, reply) => reply.code(asAppError(error).status).send())
registerGbfs({ http, kit, gbfs: feeds.gbfs })
await http.ready()
afterAll(() => http.close())

const get = (path: string, headers: Record<string, string> = {}) => http.inject({ method: 'GET', url: path, headers })
async function stored<N extends keyof GbfsFeeds>(name: N): Promise<GbfsFeeds[N]> {
  const { rows } = await sql<{
    body: Buffer
  }>`select body from gbfs_feed where area_id = ${area} and name = ${name}`.execute(owner)
  return JSON.parse(gunzipSync(rows[0]!.body).toString()) as GbfsFeeds[N]
}

const vehicles: number[] = []
/** Each stands on a meridian of its own, by which the test knows it again. */
const lngOf = (vehicleId: number): number => Math.round((120.5 + vehicles.indexOf(vehicleId) / 1_000) * 1e6) / 1e6

async function report(vehicleId: number, locked: boolean, batteryPercent = 80): Promise<void> {
  const nowMs = kit.clock.now()
  const said: VehicleReport = {
    vehicleId,
    position: { lat: 31.3, lng: lngOf(vehicleId), speedKmh: 0, headingDeg: 0 },
    batteryPercent,
    voltageV: null,
    locked,
    charging: false,
    signal: null,
    odometerM: null,
    alarms: [],
    commanded: false,
    receivedAt: nowMs,
    occurredAt: nowMs,
  }
  await db.system(async (tx) => {
    const held = await fleet.reports.lock(tx, [vehicleId])
    await fleet.reports.apply(tx, held, [said])
  })
}

beforeAll(async () => {
  await sql`insert into agent (id, parent_id, company) values (2, null, '总部'), (3, 2, '城北出行'), (4, 2, '城南出行')`.execute(
    owner,
  )
  await sql`insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring)
    select n, case n when 41 then 4 else 3 end, '区' || n, 31.3, 120.6, '[[120,31],[121,31],[121,32],[120,32],[120,31]]'
    from unnest(array[31, 32, 41]) n`.execute(owner)
  const at = new Date(TEST_START_MS - 60 * minuteMs)
  await sql`insert into fence (agent_id, area_id, kind, name, ring, centre_lat, centre_lng, radius_m, west, south, east, north,
      capacity, valid_from, opens_minute, closes_minute)
    values
      (3, 31, 'service_area', '城北', '[[120,31],[120,32],[121,32],[121,31],[120,31]]', 31.5, 120.5, null, 120, 31, 121, 32, null,
        ${at}, null, null),
      (3, 31, 'parking', '地铁口', null, 31.3, 120.5, 120, 120.49, 31.29, 120.51, 31.31, 10, ${at}, 420, 1320),
      (3, 31, 'no_stop', '校门', null, 31.4, 120.5, 50, 120.49, 31.39, 120.51, 31.41, null, ${at}, null, null)`.execute(
    owner,
  )
  await sql`insert into price_version (agent_id, area_id, name, rules, valid_from, author_name, created_at)
    values (3, 31, '标准', ${JSON.stringify(testPriceRules)}, ${at}, '周可', ${at})`.execute(owner)
  const rows = Array.from({ length: 16 }, (_, index) => {
    const serial = String(index).padStart(6, '0')
    return { agentId: 3, areaId: area, number: `SD${serial}`, imei: `861234567${serial}`, model: 'SD-E2' }
  })
  vehicles.push(...(await db.system((tx) => fleet.vehicles.register(tx, rows))))
  for (const vehicleId of vehicles) await report(vehicleId, true)
})

it('publishes nothing that a company has not asked for', async () => {
  expect(await feeds.publish()).toBe(0)
  expect((await get(`/gbfs/${area}/gbfs.json`)).statusCode).toBe(404)
  const manifest = await get('/gbfs/manifest.json')
  expect(gbfsManifestSchema.parse(manifest.json()).data.datasets).toEqual([])
})

it('shows the setting only to its company, and refuses one that somebody else has changed', async () => {
  const setting = { isPublic: true, contactEmail: 'feeds@example.com' }
  await feeds.handlers.saveFeedPublication({ ...setting, version: 0 }, own)
  await expect(feeds.handlers.saveFeedPublication({ ...setting, version: 0 }, own)).rejects.toMatchObject({
    code: 'conflict',
  })
  await expect(feeds.handlers.saveFeedPublication({ ...setting, agentId: 4, version: 0 }, own)).rejects.toMatchObject({
    code: 'foreign_scope',
  })
  const form = { formFactor: 'bicycle', propulsion: 'electric_assist', maxRangeM: 40_000 } as const
  await feeds.handlers.saveVehicleForm({ model: 'SD-E2', ...form, version: 1 }, own)
  const { data } = await feeds.handlers.feedPublication({}, own)
  expect(data).toMatchObject({ agentId: 3, isPublic: true, contactEmail: 'feeds@example.com', version: 2 })
  expect(data.models).toEqual([{ model: 'SD-E2', vehicles: 16, isSet: true, ...form }])
})

it('leads from the manifest to every feed of an area, each as the standard says', async () => {
  expect(await feeds.publish()).toBe(2 * gbfsFeedNames.length)
  kit.clock.advance(minuteMs)
  const manifest: unknown = (await get('/gbfs/manifest.json')).json()
  expect(() => check('manifest', manifest)).not.toThrow()
  const { datasets } = gbfsManifestSchema.parse(manifest).data
  expect(datasets.map(({ system_id: id }) => id)).toEqual(['saddle-31', 'saddle-32'])
  const start = new URL(datasets[0]!.versions[0]!.url)
  expect(start.origin).toBe('https://rides.example.com')
  const { data } = gbfsFeedSchemas.gbfs.parse((await get(start.pathname)).json())
  expect(data.feeds.map(({ name }) => name).toSorted()).toEqual(gbfsFeedNames.toSorted())
  for (const { name, url } of data.feeds) {
    const answer = await get(new URL(url).pathname)
    expect([name, gbfsFeedSchemas[name].safeParse(answer.json()).success]).toEqual([name, true])
  }
  const status = await stored('vehicle_status')
  expect(status.data.vehicles).toHaveLength(16)
  expect(status.data.vehicles[0]).toMatchObject({ vehicle_type_id: 'SD-E2', current_range_meters: 32_000 })
  const places = await stored('station_status')
  // 120 m to the east of the middle there is one vehicle beside the one in the middle.
  expect(places.data.stations).toMatchObject([{ num_vehicles_available: 2, is_returning: true }])
  const zones = await stored('geofencing_zones')
  expect(zones.data.geofencing_zones.features.map((one) => one.properties.rules[0]?.ride_end_allowed)).toEqual([
    false,
    true,
    true,
  ])
  // The outline was drawn clockwise.
  expect(zones.data.geofencing_zones.features[2]?.geometry.coordinates[0]?.[0]?.slice(0, 2)).toEqual([
    [120, 31],
    [121, 31],
  ])
  const plans = await stored('system_pricing_plans')
  expect(plans.data.plans).toMatchObject([{ price: 2, per_min_pricing: [{ start: 15, rate: 1, interval: 10 }] }])
})

/** A sequence that is the same in every run. */
function createDice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

it('gives a vehicle another id after each trip of a day, and only then', async () => {
  const dice = createDice(20_261_123)
  const riding = new Set<number>()
  const trips = new Map<number, number>()
  /** Ids that were seen, by vehicle and the number of its trips. */
  const seen = new Map<string, Set<string>>()
  const moments = new Set(Array.from({ length: 20 }, () => Math.floor(dice() * 96)))
  for (let step = 0; step < 96; step += 1) {
    kit.clock.advance(15 * minuteMs)
    for (const vehicleId of vehicles) {
      if (dice() > 0.3) continue
      const starts = !riding.has(vehicleId) && dice() < 0.5
      // What is no trip: a report, an empty battery, a full one.
      await report(vehicleId, riding.has(vehicleId) ? dice() < 0.5 : !starts, dice() < 0.1 ? 3 : 80)
    }
    const { rows } = await sql<{ id: number; state: string; trips: number }>`
      select v.id::int, v.state, (select count(*)::int from trip t where t.vehicle_id = v.id) as trips from vehicle v`.execute(
      owner,
    )
    riding.clear()
    for (const { id, state, trips: count } of rows) {
      if (state === 'on_trip') riding.add(id)
      trips.set(id, count)
    }
    await feeds.publish()
    const shown = (await stored('vehicle_status')).data.vehicles
    for (const { vehicle_id: publicId, lon } of shown) {
      const vehicleId = vehicles.find((id) => lngOf(id) === lon)!
      expect(riding.has(vehicleId)).toBe(false)
      const key = `${vehicleId} ${trips.get(vehicleId)}`
      seen.set(key, (seen.get(key) ?? new Set()).add(publicId))
    }
    const order = shown.map(({ vehicle_id: id }) => id)
    expect(order).toEqual(order.toSorted())
    if (!moments.has(step)) continue
    for (const name of gbfsFeedNames) {
      const feed = await stored(name)
      expect([step, name, gbfsFeedSchemas[name].safeParse(feed).error]).toEqual([step, name, undefined])
      expect(() => check(name, feed), `${name} at step ${step}`).not.toThrow()
    }
  }
  const ids = [...seen.values()].map((one) => Array.from(one))
  expect([...trips.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(60)
  // One id for each vehicle and number of trips, and no id twice.
  expect(ids.every((one) => one.length === 1)).toBe(true)
  expect(new Set(ids.flat()).size).toBe(seen.size)
})

it('keeps what was published where the next one does not fit, and says what is wrong', async () => {
  await feeds.publish()
  const before = await stored('vehicle_status')
  kit.clock.advance(minuteMs)
  build = (facts) => {
    const made = buildFeeds(facts)
    const [first, ...rest] = made.vehicle_status.data.vehicles
    const wrong = { ...first!, lat: 95, vehicle_type_id: 'nothing' }
    return {
      ...made,
      vehicle_status: { ...made.vehicle_status, data: { vehicles: first === undefined ? [] : [wrong, ...rest] } },
    }
  }
  await feeds.publish()
  build = buildFeeds
  expect(await stored('vehicle_status')).toEqual(before)
  const { data } = await feeds.handlers.feedPublication({}, own)
  const status = data.areas.find(({ areaId }) => areaId === area)?.feeds.find(({ name }) => name === 'vehicle_status')
  expect(status?.triedAt).toBe(kit.clock.now())
  expect(status?.publishedAt).toBe(kit.clock.now() - minuteMs)
  expect(status?.findings).toEqual([
    expect.stringContaining('data.vehicles.0.lat'),
    'vehicle_type_id nothing is not in vehicle_types',
  ])
  await feeds.publish()
  const { data: after } = await feeds.handlers.feedPublication({}, own)
  expect(after.areas.flatMap((one) => one.feeds.flatMap(({ findings }) => findings))).toEqual([])
})

it('answers a reader who has the newest feed already without sending it, and compressed where the reader can', async () => {
  kit.clock.advance(minuteMs)
  const path = `/gbfs/${area}/vehicle_status.json`
  const whole = await get(path)
  const tag = String(whole.headers.etag)
  expect(whole.headers).toMatchObject({ 'access-control-allow-origin': '*', vary: 'Accept-Encoding' })
  expect(whole.headers['content-encoding']).toBeUndefined()
  const packed = await get(path, { 'accept-encoding': 'gzip, br' })
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(packed.rawPayload).toString()).toBe(whole.body)
  for (const given of [tag, tag.replace('W/', ''), `"x", ${tag}`]) {
    const answer = await get(path, { 'if-none-match': given })
    expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', tag])
  }
  expect((await get(path, { 'if-none-match': '"x"' })).statusCode).toBe(200)
  kit.clock.advance(minuteMs)
  await feeds.publish()
  expect((await get(path, { 'if-none-match': tag })).statusCode).toBe(200)
})

it('answers with what it has while it reads what is newer, but not for long', async () => {
  const path = `/gbfs/${area}/system_regions.json`
  const tagNow = async (): Promise<string> => String((await get(path)).headers.etag)
  kit.clock.advance(minuteMs)
  await feeds.publish()
  const before = await tagNow()
  await sql`update gbfs_feed set etag = ${'1'.repeat(32)} where area_id = ${area} and name = 'system_regions'`.execute(
    owner,
  )
  kit.clock.advance(3_000)
  expect(await tagNow()).toBe(before)
  await expect.poll(tagNow).toBe(`W/"${'1'.repeat(32)}"`)
  await sql`update gbfs_feed set etag = ${'2'.repeat(32)} where area_id = ${area} and name = 'system_regions'`.execute(
    owner,
  )
  kit.clock.advance(6_000)
  expect(await tagNow()).toBe(`W/"${'2'.repeat(32)}"`)
})

it('has nothing under other names, and holds every network to a limit', async () => {
  for (const path of [
    '31/passwd.json',
    '31/gbfs',
    '0/gbfs.json',
    '-1/gbfs.json',
    '99999999999999999/gbfs.json',
    '31/__proto__.json',
  ])
    expect([path, (await get(`/gbfs/${path}`)).statusCode]).toEqual([path, 404])
  kit.clock.advance(5 * minuteMs)
  const answers = await Promise.all(Array.from({ length: 320 }, () => get('/gbfs/manifest.json')))
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(20)
  kit.clock.advance(5 * minuteMs)
})

it('counts programs by the name that they give, and no address', async () => {
  await feeds.gbfs.flush()
  await owner.deleteFrom('gbfs_reader').execute()
  for (const agent of ['Planner/2.0 (+https://example.com)', 'Planner/2.0', '<b>x</b>'])
    await get(`/gbfs/${area}/gbfs.json`, { 'user-agent': agent })
  await feeds.gbfs.flush()
  const { data } = await feeds.handlers.feedPublication({}, own)
  expect(data.readers.map(({ reader, reads, areaCount }) => [reader, reads, areaCount])).toEqual([
    ['Planner/2.0', 2, 1],
    ['bx/b', 1, 1],
  ])
})

it('ends with the setting: no feed is answered any more', async () => {
  const { data } = await feeds.handlers.feedPublication({}, own)
  await feeds.handlers.saveFeedPublication(
    { isPublic: false, contactEmail: 'feeds@example.com', version: data.version },
    own,
  )
  kit.clock.advance(minuteMs)
  expect((await get(`/gbfs/${area}/gbfs.json`)).statusCode).toBe(404)
  expect(await db.systemRead((k) => selectPublicAreas().compile(k))).toEqual([])
  const entries = await owner.selectFrom('audit_record').select('action').where('action', 'like', 'feed.%').execute()
  expect(entries.map(({ action }) => action).toSorted()).toEqual(['feed.model', 'feed.publication', 'feed.publication'])
})

it('would be noticed by the checks of the standard where a field is missing or has another type', () => {
  const feed = { last_updated: '2026-11-24T00:00:00Z', ttl: 60, version: '3.0' }
  const vehicle = { vehicle_id: 'a', lat: 31, lon: 120, is_reserved: false, is_disabled: false }
  const of = (given: object) => () =>
    check('vehicle_status', { ...feed, data: { vehicles: [{ ...vehicle, ...given }] } })
  expect(of({})).not.toThrow()
  expect(of({ vehicle_id: 1 })).toThrow('vehicle_id')
  expect(of({ is_reserved: undefined })).toThrow('is_reserved')
  expect(of({ vehicle_equipment: ['wings'] })).toThrow('vehicle_equipment')
})

it('finds what refers to nothing', () => {
  const facts = { at: TEST_START_MS, areaId: 1, areaName: 'a', company: 'c', contactEmail: 'a@example.com' }
  const made = buildFeeds({
    ...facts,
    vehicles: [],
    forms: new Map(),
    fences: [],
    price: null,
    reserveMinutes: 10,
    base: 'https://example.com',
  })
  expect([...checkFeeds(made).values()].flat()).toEqual([])
  const status = { ...made.station_status, data: { stations: [lost] } }
  expect(checkFeeds({ ...made, station_status: status }).get('station_status')).toEqual([
    'station_id 9 is not in station_information',
  ])
  const feeds = made.gbfs.data.feeds.filter(({ name }) => name !== 'station_status')
  expect(checkFeeds({ ...made, gbfs: { ...made.gbfs, data: { feeds } } }).get('gbfs')).toEqual([
    expect.stringContaining('station_information needs station_status'),
  ])
  const system = made.system_information
  const spoken = { ...system, data: { ...system.data, languages: ['Chinese'] } }
  expect(checkFeeds({ ...made, system_information: spoken }).get('system_information')).toHaveLength(1)
})

const lost = {
  station_id: '9',
  num_vehicles_available: 0,
  num_vehicles_disabled: 0,
  vehicle_types_available: [],
  is_installed: true,
  is_renting: true,
  is_returning: true,
  last_reported: new Date(TEST_START_MS).toISOString(),
}
