import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs, secondMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { createGeography } from '#geography/public.ts'
import { retryMs } from '#kit/retry.ts'
import { sendOutside } from '#kit/webhook.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, TEST_START_MS, testKit } from '#test/kit.ts'
import { testPriceRules } from '#test/rides.ts'
import { createFeeds } from '../public.ts'
import { cityOf } from './agency.fixture.ts'
import { leaseMs } from './push.ts'

const { db, owner, url: database } = await testDatabase()
const kit = testKit(db, { NOTICE_LOCAL_WEBHOOKS: 'true' })
const audit = createAudit(kit)
/** How long a city may take for its answer; the test of a slow one shortens it. */
let timeoutMs = 10_000
const feeds = createFeeds(kit, {
  audit,
  geography: createGeography(kit, { audit }),
  send: (options) => sendOutside({ ...options, timeoutMs }),
})
const { handlers } = feeds
const token = 'the token of the city'
const city = await cityOf(token)
const own = sessionCall({ operatorId: 7, agentId: 3, grant: { agentIds: [3], areaIds: [31] }, name: '周可' })
const foreign = sessionCall({ operatorId: 8, agentId: 4, grant: { agentIds: [4], areaIds: [41] }, name: '吴迪' })
const script = fileURLToPath(new URL('killed.fixture.ts', import.meta.url))
let jurisdictionId = 0

const agencyOf = async () =>
  (await handlers.listJurisdictions({}, own)).data.jurisdictions.find(({ id }) => id === jurisdictionId)?.agency ?? null
const save = async (url = city.url) => {
  const version = (await agencyOf())?.version ?? 0
  await handlers.saveMdsAgency({ jurisdictionId, url, token, version }, own)
}
/** Events of a vehicle, one after another. */
async function happen(vehicle: number, pairs: number): Promise<void> {
  for (let step = 0; step < pairs; step += 1)
    for (const [event, from, to] of [
      ['maintenance', 'available', 'non_operational'],
      ['maintenance', 'non_operational', 'available'],
    ] as const)
      await sql`insert into vehicle_event (vehicle_id, agent_id, area_id, event, from_state, to_state, cause, occurred_at, recorded_at)
        values (${vehicle}, 3, 31, ${event}, ${from}, ${to}, 'operator', ${new Date(kit.clock.now())}, ${new Date(kit.clock.now())})`.execute(
        owner,
      )
}
const statesOf = (number: string): unknown[] => {
  const [deviceId] = [...city.vehicles].find(([, one]) => one['vehicle_id'] === number) ?? []
  return city
    .of('/events')
    .filter((one) => one['device_id'] === deviceId)
    .map((one) => one['vehicle_state'])
}
const pairs = (count: number): string[] => Array.from({ length: count }, () => ['non_operational', 'available']).flat()

beforeAll(async () => {
  const at = new Date(TEST_START_MS - 3 * hourMs)
  await sql`insert into agent (id, parent_id, company) values (2, null, '总部'), (3, 2, '城北出行'), (4, 2, '城南出行')`.execute(
    owner,
  )
  await sql`insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring)
    select n, case n when 41 then 4 else 3 end, '区' || n, 31.3, 120.6, '[[120,31],[121,31],[121,32],[120,32],[120,31]]'
    from unnest(array[31, 41]) n`.execute(owner)
  // The third is outside the boundary.
  await sql`insert into vehicle (id, agent_id, area_id, number, model, protocol, state, state_changed_at, created_at) overriding system value
    select n, 3, 31, 'SD' || (1000 + n), 'SD-E2', 'omni', 'available', ${at}, ${at} from generate_series(1, 3) n`.execute(
    owner,
  )
  await sql`insert into vehicle_status (vehicle_id, agent_id, area_id, lat, lng, position_at, heard_at, battery_percent)
    select id, 3, 31, 31.5, case id when 3 then 125 else 120.5 end, ${at}, ${at}, 80 from vehicle`.execute(owner)
  const day = at.toISOString().slice(0, 10)
  await sql`select ensure_device_report_days(${day}::date - 1, ${day}::date + 5)`.execute(owner)
  await sql`insert into device_report (vehicle_id, agent_id, area_id, occurred_at, frame_crc, received_at, kind, lat, lng, battery_percent)
    select id, 3, 31, ${new Date(+at + minuteMs)}, 1, ${at}, 'position', 31.5, case id when 3 then 125 else 120.5 end, 80 from vehicle`.execute(
    owner,
  )
  const { data } = await handlers.createJurisdiction({ name: '全市', areaIds: [31] }, own)
  jurisdictionId = data.id
})

beforeEach(async () => {
  kit.clock.set(TEST_START_MS)
  city.state.answer = null
  city.state.again = 0
  city.asked.length = 0
  city.taken.length = 0
  city.vehicles.clear()
  await owner.deleteFrom('mds_agency').execute()
  await owner.deleteFrom('notice').execute()
  await save()
  await feeds.push()
})

/** Until nothing is due at this moment. */
async function pushAll(): Promise<void> {
  for (let run = 0; run < 20; run += 1) if ((await feeds.push()) === 0) return
  throw new Error('it does not end')
}

describe('a city', () => {
  it('is told of the vehicles in it, and of what changes', async () => {
    expect([...city.vehicles.values()].map((one) => one['vehicle_id'])).toEqual(['SD1001', 'SD1002'])
    await sql`update vehicle set model = 'SD-E3' where id = 2`.execute(owner)
    kit.clock.advance(10 * minuteMs)
    await pushAll()
    expect(city.asked.map(({ method, path, items }) => [method, path, items.length])).toEqual([
      ['POST', '/vehicles', 2],
      ['PUT', '/vehicles', 1],
    ])
    expect([...city.vehicles.values()].at(1)).toMatchObject({ vehicle_attributes: { model: 'SD-E3' } })
    await sql`update vehicle set model = 'SD-E2' where id = 2`.execute(owner)
    expect(await agencyOf()).toMatchObject({ vehicles: 2, waiting: 0, lastSentAt: kit.clock.now(), failures: 0 })
  })

  it('gets the events of each vehicle in their order, and none from elsewhere', async () => {
    await happen(1, 3)
    await happen(2, 2)
    await happen(3, 1)
    await pushAll()
    expect([statesOf('SD1001'), statesOf('SD1002')]).toEqual([pairs(3), pairs(2)])
    expect(city.of('/events')).toHaveLength(10)
    expect(await agencyOf()).toMatchObject({ waiting: 0, failed: 0, waitingSince: null })
    expect((await agencyOf())?.sent).toEqual([
      { kind: 'event', sent: 10, refused: 0 },
      { kind: 'vehicle', sent: 2, refused: 0 },
    ])
  })

  it('gets a trip when the ride is charged and its length is known, and the telemetry of whole hours', async () => {
    const [start, end] = [new Date(TEST_START_MS - 30 * minuteMs), new Date(TEST_START_MS - 20 * minuteMs)]
    await sql`insert into rider (id, agent_id, phone_hash, phone_sealed, created_at, last_active_at)
      values (1, 3, 'hash', 'sealed', ${start}, ${start})`.execute(owner)
    await sql`insert into price_version (id, agent_id, area_id, name, rules, valid_from, author_name, created_at)
      values (1, 3, 31, '标准', ${JSON.stringify(testPriceRules)}, ${start}, '周可', ${start})`.execute(owner)
    await sql`insert into trip (id, vehicle_id, agent_id, area_id, started_at, ended_at, start_lat, start_lng, end_lat, end_lng, duration_s)
      values (1, 1, 3, 31, ${start}, ${end}, 31.5, 120.5, 31.51, 120.5, 600)`.execute(owner)
    await sql`insert into ride_order (id, agent_id, area_id, vehicle_id, vehicle_number, rider_id, state, placed_at, started_at, changed_at)
      overriding system value
      values (1, 3, 31, 1, 'SD1001', 1, 'riding', ${start}, ${start}, ${start})`.execute(owner)
    await sql`update ride_order set state = 'due', ended_at = ${end}, trip_id = 1, distance_m = 1200, price_version_id = 1,
      return_kind = 'in_place', charged_cents = 250 where id = 1`.execute(owner)
    await sql`insert into device_report (vehicle_id, agent_id, area_id, occurred_at, frame_crc, received_at, kind, lat, lng)
      select id, 3, 31, ${new Date(TEST_START_MS + minuteMs)}, 2, now(), 'position', 31.5, 120.5 from vehicle where id = 1`.execute(
      owner,
    )
    await pushAll()
    expect([city.of('/trips'), (await agencyOf())?.waiting]).toEqual([[], 1])
    await sql`update trip set distance_m = 1234.4 where id = 1`.execute(owner)
    kit.clock.advance(minuteMs)
    await pushAll()
    expect(city.of('/trips')).toMatchObject([{ distance: 1234, actual_cost: 250, duration: 600 }])
    expect(city.of('/telemetry')).toEqual([])
    kit.clock.advance(2 * hourMs)
    await pushAll()
    expect(city.of('/telemetry')).toMatchObject([{ timestamp: TEST_START_MS + minuteMs }])
    expect((await agencyOf())?.telemetryUntil).toBe(TEST_START_MS + hourMs)
  })

  it('that refuses one record gets the others, and this one once more after a pause', async () => {
    await happen(1, 1)
    await happen(2, 1)
    const wrong = city.vehicles.values().next().value?.['device_id']
    // It refuses the whole request without a word about which record.
    city.state.answer = (response, one) =>
      one.path === '/events' && one.items.some((item) => item['device_id'] === wrong)
        ? response.writeHead(400).end('no')
        : city.judge(response, one)
    await pushAll()
    expect([statesOf('SD1001'), statesOf('SD1002')]).toEqual([[], pairs(1)])
    expect(await agencyOf()).toMatchObject({ waiting: 2, failures: 0 })
    city.state.answer = null
    kit.clock.advance(10 * secondMs)
    await pushAll()
    expect(statesOf('SD1001')).toEqual(pairs(1))
  })

  it('that refuses a record for a day is not asked again, until a person does', async () => {
    await happen(1, 1)
    city.state.answer = (response, one) =>
      one.path === '/events' ? response.writeHead(422).end() : city.judge(response, one)
    for (let passed = 0; passed <= 2 * retryMs + 12 * hourMs; passed += 6 * hourMs) {
      await pushAll()
      kit.clock.advance(6 * hourMs)
    }
    expect(await agencyOf()).toMatchObject({
      waiting: 0,
      failed: 2,
      failedLast: [{ fault: 'HTTP 422' }, {}],
      state: 'on',
    })
    city.state.answer = null
    expect((await handlers.retryMdsPushes({ jurisdictionId }, own)).data).toEqual({ queued: 2 })
    await pushAll()
    expect([statesOf('SD1001'), (await agencyOf())?.failed]).toEqual([pairs(1), 0])
  })

  it('that is paused for longer than a month is not sent what lies further back', async () => {
    await happen(1, 1)
    await happen(2, 1)
    await handlers.setMdsAgencyState({ jurisdictionId, version: 1, state: 'paused' }, own)
    kit.clock.advance(31 * dayMs)
    await sql`update mds_push set created_at = ${new Date(TEST_START_MS)} where vehicle_id = 1`.execute(owner)
    await sql`update mds_push set created_at = ${new Date(kit.clock.now())} where vehicle_id = 2`.execute(owner)
    await feeds.sweep()
    expect(await agencyOf()).toMatchObject({ state: 'paused', waiting: 2 })
    await handlers.setMdsAgencyState({ jurisdictionId, version: 2, state: 'on' }, own)
    await feeds.push()
    expect([statesOf('SD1001'), statesOf('SD1002')]).toEqual([[], pairs(1)])
    // A day of telemetry in each run, from a month ago.
    expect((await agencyOf())?.telemetryUntil).toBe(TEST_START_MS + 2 * dayMs)
  })

  it('that has forgotten its vehicles is told of them again', async () => {
    city.vehicles.clear()
    await happen(1, 1)
    await pushAll()
    kit.clock.advance(10 * secondMs)
    await pushAll()
    expect(statesOf('SD1001')).toEqual(pairs(1))
  })
})

describe('a city that', () => {
  it('answers 500, is slow, or is not there gets everything afterwards, in order', async () => {
    await happen(1, 2)
    city.state.answer = (response) => response.writeHead(500).end()
    expect([await feeds.push(), await feeds.push()]).toEqual([1, 0])
    expect(await agencyOf()).toMatchObject({ failures: 1, fault: 'HTTP 500', failingSince: TEST_START_MS, waiting: 4 })
    // It takes the events, and answers too late.
    city.state.answer = (_, one) => city.judge({ writeHead: () => ({ end: () => {} }) } as never, one)
    kit.clock.advance(10 * secondMs)
    timeoutMs = 300
    await feeds.push()
    timeoutMs = 10_000
    expect(await agencyOf()).toMatchObject({ failures: 2, fault: 'timeout' })
    city.state.answer = (response) => response.destroy()
    kit.clock.advance(30 * secondMs)
    await feeds.push()
    expect(await agencyOf()).toMatchObject({ failures: 3, fault: 'ECONNRESET' })
    city.state.answer = null
    kit.clock.advance(minuteMs)
    await pushAll()
    expect([statesOf('SD1001'), city.state.again]).toEqual([pairs(2), 1])
    expect(await agencyOf()).toMatchObject({ failures: 0, fault: null, failingSince: null, waiting: 0 })
  })

  it('stays away for a day is paused and its people are told; what waits comes when it is resumed', async () => {
    await happen(1, 1)
    city.state.answer = (response) => response.writeHead(503).end()
    for (let passed = 0; passed <= retryMs + hourMs; passed += 30 * minuteMs) {
      await feeds.push()
      kit.clock.advance(30 * minuteMs)
    }
    expect(await agencyOf()).toMatchObject({ state: 'paused', isPausedForFailure: true, waiting: 2 })
    const notices = await owner.selectFrom('notice').select(['agent_id', 'event', 'path']).execute()
    expect(notices).toEqual([{ agent_id: 3, event: 'mds_agency_paused', path: '/agent/open-interfaces' }])
    city.state.answer = null
    expect(await feeds.push()).toBe(0)
    const version = (await agencyOf())?.version ?? 0
    await handlers.setMdsAgencyState({ jurisdictionId, version, state: 'on' }, own)
    await pushAll()
    expect(statesOf('SD1001')).toEqual(pairs(1))
  })

  it('is told by a server that is killed loses nothing, and keeps the order', async () => {
    await happen(1, 20)
    await happen(2, 20)
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', script, database, String(kit.clock.now())],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const ended = once(child, 'exit')
    let left = 9
    city.state.answer = (response, one) => {
      left -= 1
      // The records have come, and the server does not know.
      if (left === 0) child.kill('SIGKILL')
      city.judge(response, one)
    }
    await ended
    expect(child.signalCode).toBe('SIGKILL')
    city.state.answer = null
    expect(await feeds.push()).toBe(0)
    kit.clock.advance(leaseMs)
    await pushAll()
    expect([statesOf('SD1001'), statesOf('SD1002')]).toEqual([pairs(20), pairs(20)])
    expect(city.state.again).toBeGreaterThan(0)
    expect(await agencyOf()).toMatchObject({ waiting: 0, failed: 0 })
  }, 60_000)
})

describe('people', () => {
  it('reach no other company’s city and no private network, and the token is sealed', async () => {
    const agency = { jurisdictionId, version: 1 }
    for (const refused of [
      () => handlers.saveMdsAgency({ ...agency, url: 'https://example.com' }, foreign),
      () => handlers.setMdsAgencyState({ ...agency, state: 'paused' }, foreign),
      () => handlers.retryMdsPushes({ jurisdictionId }, foreign),
      () => handlers.removeMdsAgency(agency, foreign),
    ])
      await expect(refused()).rejects.toMatchObject({ code: 'not_found' })
    await expect(handlers.saveMdsAgency({ ...agency, version: 9, url: city.url }, own)).rejects.toMatchObject({
      code: 'conflict',
    })
    const closed = createFeeds(testKit(db, {}), { audit, geography: createGeography(kit, { audit }) })
    for (const [url, code] of [
      ['https://10.0.0.1/mds', 'webhook_private'],
      ['http://city.example.com/mds', 'webhook_address'],
    ] as const)
      await expect(closed.handlers.saveMdsAgency({ ...agency, url }, own)).rejects.toMatchObject({ code })
    const { rows } = await sql<{ text: string }>`
      select a::text as text from mds_agency a union all select r::text from audit_record r`.execute(owner)
    expect(rows.some(({ text }) => text.includes(token))).toBe(false)
    await handlers.removeMdsAgency(agency, own)
    await expect(handlers.saveMdsAgency({ jurisdictionId, url: city.url, version: 0 }, own)).rejects.toMatchObject({
      code: 'mds_token_required',
    })
    await happen(1, 1)
    expect([await feeds.push(), await agencyOf()]).toEqual([0, null])
    await save()
    await handlers.endJurisdiction({ id: jurisdictionId, version: 1 }, own)
    expect(await owner.selectFrom('mds_agency').select('url').execute()).toEqual([])
    await sql`update mds_jurisdiction set ended_at = null, version = 1`.execute(owner)
  })
})
