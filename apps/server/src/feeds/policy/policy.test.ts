import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { createFeeds } from '#feeds/public.ts'
import { createFleet, type VehicleReport } from '#fleet/public.ts'
import { createGeography } from '#geography/public.ts'
import type { SessionCall } from '#kit/call.ts'
import type { sendOutside } from '#kit/webhook.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, TEST_START_MS, testKit } from '#test/kit.ts'
import { readDocuments } from './document.ts'
import { meaningsOf } from './rules.ts'
import { capEffectOf } from './stays.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const audit = createAudit(kit)
const fleet = createFleet(kit, { audit })
const geography = createGeography(kit, { audit })
const asked: string[] = []
let answers: Readonly<Record<string, { status: number; text: string }>> = {}
const send: typeof sendOutside = async ({ method, url }) => {
  asked.push(`${method} ${url}`)
  return Promise.resolve(answers[new URL(url).pathname] ?? { status: 404, text: '' })
}
const feeds = createFeeds(kit, { audit, geography, send })
const { handlers } = feeds

const area = 31
const own: SessionCall = sessionCall({
  operatorId: 7,
  agentId: 3,
  grant: { agentIds: [3], areaIds: [area] },
  permissions: ['1104', '0505'],
  name: '周可',
})
const foreign = sessionCall({ operatorId: 8, agentId: 4, grant: { agentIds: [4], areaIds: [41] }, name: '吴越' })

const square = (west: number, south: number, size: number) => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
]
const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const geography1 = (n: number, ring: number[][], type = 'Polygon') => ({
  geography_id: idOf(n),
  name: `区域 ${n}`,
  published_date: TEST_START_MS,
  geography_json: {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: {}, geometry: { type, coordinates: [ring] } }],
  },
})
const quarter = geography1(900, square(120.4, 31.4, 0.01))
const core = geography1(901, square(120.402, 31.402, 0.002))
const rule = (n: number, given: object = {}) => ({
  name: `规则 ${n}`,
  rule_id: idOf(n),
  rule_type: 'count',
  rule_units: 'devices',
  geographies: [quarter.geography_id],
  states: { available: [], non_operational: [] },
  maximum: 0,
  ...given,
})
const policy = (n: number, rules: readonly object[], given: object = {}) => ({
  name: `政策 ${n}`,
  policy_id: idOf(n),
  description: '老城区的停放规定',
  published_date: TEST_START_MS - dayMs,
  start_date: TEST_START_MS - hourMs,
  rules,
  ...given,
})
const textsOf = (policies: readonly object[], geographies: readonly object[] = [quarter, core]) => ({
  policies: JSON.stringify({ version: '2.0.2', last_updated: TEST_START_MS, policies }),
  geographies: JSON.stringify({ version: '2.0.2', last_updated: TEST_START_MS, geographies }),
})

let jurisdictionId = 0
const bringIn = async (policies: readonly object[]) =>
  (await handlers.bringMdsPolicies({ jurisdictionId, ...textsOf(policies) }, own)).data
const listed = async () => (await handlers.listMdsPolicies({ jurisdictionId }, own)).data.list
const zones = async (): Promise<string[]> =>
  (
    await owner.selectFrom('fence').select('name').where('kind', '=', 'no_stop').where('valid_to', 'is', null).execute()
  ).map(({ name }) => name)
const actions = async (): Promise<string[]> =>
  (
    await owner
      .selectFrom('audit_record')
      .select('action')
      .where('action', 'like', 'mds_policy.%')
      .orderBy('id')
      .execute()
  ).map(({ action }) => action)

const vehicles: number[] = []
async function report(vehicleId: number, locked: boolean, place: { lat: number; lng: number }): Promise<void> {
  const nowMs = kit.clock.now()
  const said: VehicleReport = {
    vehicleId,
    position: { ...place, speedKmh: 0, headingDeg: 0 },
    batteryPercent: 80,
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
const inside = { lat: 31.405, lng: 120.405 }
const outside = { lat: 31.3, lng: 120.3 }

beforeAll(async () => {
  await sql`insert into agent (id, parent_id, company) values (2, null, '总部'), (3, 2, '城北出行'), (4, 2, '城南出行')`.execute(
    owner,
  )
  await sql`insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring)
    select n, case n when 41 then 4 else 3 end, '区' || n, 31.3, 120.6, '[[120,31],[121,31],[121,32],[120,32],[120,31]]'
    from unnest(array[31, 41]) n`.execute(owner)
  const rows = [0, 1, 2].map((index) => {
    const serial = String(index).padStart(6, '0')
    return { agentId: 3, areaId: area, number: `SD${serial}`, imei: `861234567${serial}`, model: 'SD-E2' }
  })
  vehicles.push(...(await db.system((tx) => fleet.vehicles.register(tx, rows))))
  for (const vehicleId of vehicles) await report(vehicleId, true, inside)
  const { data } = await handlers.createJurisdiction({ name: '市交通局', areaIds: [area] }, own)
  jurisdictionId = data.id
})

beforeEach(async () => {
  await owner.deleteFrom('mds_policy').execute()
  await owner.deleteFrom('fence').where('kind', '=', 'no_stop').execute()
})

describe('a document', () => {
  it('is refused as a whole, with where and why', async () => {
    const faulty = [policy(1, [rule(2, { rule_units: 'kph' }), rule(3, { geographies: [idOf(7)], maximum: -1 })])]
    const { added, faults } = await bringIn(faulty)
    expect(added).toBe(0)
    expect(faults.map(({ document, at }) => `${document} ${at}`)).toEqual([
      'policies policies.0.rules.0.rule_units',
      'policies policies.0.rules.1.maximum',
    ])
    expect(await listed()).toEqual([])
    const unknown = readDocuments(textsOf([policy(1, [rule(3, { geographies: [idOf(7)] })])]))
    expect(unknown).toEqual([
      { document: 'policies', at: 'policies.0.rules.0.geographies', text: `${idOf(7)} is not in geographies` },
    ])
    expect(readDocuments({ ...textsOf([policy(1, [rule(2)])]), geographies: '{' })).toMatchObject([
      { document: 'geographies', text: 'is not JSON' },
    ])
    const old = JSON.stringify({ version: '1.2.0', data: { policies: [policy(1, [rule(2)])] } })
    expect(readDocuments({ ...textsOf([]), policies: old })).toMatchObject([{ at: 'version', text: 'expected 2.x' }])
  })

  it('says what each rule would become, from specific to general', () => {
    const read = readDocuments(
      textsOf([
        policy(1, [
          rule(10, { geographies: [core.geography_id], maximum: 5 }),
          rule(11),
          rule(12, { maximum: 3, inclusive_maximum: false }),
          rule(13, { rule_type: 'speed', rule_units: 'kph', maximum: 15 }),
          rule(14, { states: { on_trip: [] } }),
          rule(15, { start_time: '08:00:00' }),
          rule(16, { vehicle_types: ['scooter_standing'] }),
          rule(17, { maximum: null, minimum: 3 }),
          rule(18, { states: { available: ['trip_end'] } }),
        ]),
        policy(2, [rule(20)]),
        policy(3, [rule(30)], { provider_ids: [idOf(5)] }),
      ]),
    )
    if (Array.isArray(read)) throw new Error(JSON.stringify(read))
    const company = { providerId: idOf(4), vehicleTypes: new Set(['bicycle']), propulsionTypes: null }
    const means = read.policies.map((one) =>
      meaningsOf(one, read.geographies, company).map(({ becomes, reason, maximum, exceptIn }) => [
        reason ?? becomes,
        maximum,
        exceptIn.length,
      ]),
    )
    expect(means).toEqual([
      [
        ['cap', 5, 0],
        ['order', null, 0],
        ['cap', 2, 2],
        ['speed', null, 0],
        ['riding', null, 0],
        ['hours', null, 0],
        ['vehicle', null, 0],
        ['no_maximum', null, 0],
        ['events', null, 0],
      ],
      [['no_stop', null, 0]],
      [['provider', null, 0]],
    ])
  })

  it('is read from the address of a city, and each policy once', async () => {
    const texts = textsOf([policy(1, [rule(2)])])
    answers = {
      '/mds/policies': { status: 200, text: texts.policies },
      '/mds/geographies': { status: 200, text: texts.geographies },
    }
    const url = 'https://city.example.com/mds/'
    const read = () => handlers.bringMdsPolicies({ jurisdictionId, url }, own)
    expect((await read()).data).toEqual({ added: 1, known: 0, faults: [] })
    expect((await read()).data).toEqual({ added: 0, known: 1, faults: [] })
    expect(asked.slice(0, 2)).toEqual([
      'GET https://city.example.com/mds/policies',
      'GET https://city.example.com/mds/geographies',
    ])
    answers = {}
    await expect(read()).rejects.toMatchObject({ code: 'mds_policies_unread' })
    await expect(handlers.bringMdsPolicies({ jurisdictionId, url: 'https://10.0.0.1/mds' }, own)).rejects.toMatchObject(
      { code: 'webhook_private' },
    )
    await expect(handlers.bringMdsPolicies({ jurisdictionId, ...texts }, foreign)).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('a rule', () => {
  it('becomes a zone when a person takes it on, and the zone goes when it is undone', async () => {
    await bringIn([policy(1, [rule(2)])])
    const [before] = (await listed())[0]!.rules
    expect(before).toMatchObject({ becomes: 'no_stop', takenAt: null, areas: [{ id: area }], version: 1 })
    expect(await zones()).toEqual([])
    const ruleId = before!.id
    await expect(handlers.takeMdsRule({ ruleId, version: 1 }, foreign)).rejects.toMatchObject({ code: 'not_found' })
    expect((await handlers.takeMdsRule({ ruleId, version: 1 }, own)).data).toEqual({ fences: 1 })
    expect(await zones()).toEqual(['规则 2'])
    await expect(handlers.takeMdsRule({ ruleId, version: 1 }, own)).rejects.toMatchObject({ code: 'conflict' })
    await expect(handlers.removeMdsPolicy({ id: (await listed())[0]!.id }, own)).rejects.toMatchObject({
      code: 'mds_policy_in_use',
    })
    expect((await handlers.undoMdsRule({ ruleId, version: 2 }, own)).data).toEqual({ fences: 1 })
    expect(await zones()).toEqual([])
    await handlers.removeMdsPolicy({ id: (await listed())[0]!.id }, own)
    expect(await listed()).toEqual([])
    expect((await actions()).slice(-4)).toEqual([
      'mds_policy.bring',
      'mds_policy.take',
      'mds_policy.undo',
      'mds_policy.remove',
    ])
    // What was removed by mistake can be brought again.
    expect((await bringIn([policy(1, [rule(2)])])).added).toBe(1)
  })

  it('is left to who may draw no-stop zones, and not taken on where it becomes nothing', async () => {
    await bringIn([policy(1, [rule(2), rule(3, { rule_type: 'user', rule_units: null, maximum: null })])])
    const [zone, words] = (await listed())[0]!.rules
    const limited = sessionCall({
      operatorId: 7,
      agentId: 3,
      grant: { agentIds: [3], areaIds: [area] },
      permissions: ['1104'],
      name: '周可',
    })
    await expect(handlers.takeMdsRule({ ruleId: zone!.id, version: 1 }, limited)).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(handlers.takeMdsRule({ ruleId: words!.id, version: 1 }, own)).rejects.toMatchObject({
      code: 'mds_rule_unusable',
    })
  })

  it('that is a cap shows last week, is counted once taken on, and tells when there are too many', async () => {
    kit.clock.advance(hourMs)
    const [first = 0] = vehicles
    await report(first, false, inside)
    kit.clock.advance(10 * minuteMs)
    await report(first, true, outside)
    await bringIn([policy(1, [rule(2, { maximum: 2 })])])
    const [cap] = (await listed())[0]!.rules
    const effect = (await handlers.mdsCapEffect({ ruleId: cap!.id }, own)).data
    // Three stood there before the trip: every hour of the week but that in which it began is over in full.
    expect(effect).toMatchObject({ now: 2, peak: 3, hours: 168, isCut: false })
    expect(effect.hoursOver).toBeGreaterThanOrEqual(167)
    await handlers.takeMdsRule({ ruleId: cap!.id, version: 1 }, own)
    expect(await feeds.keepPolicies()).toBe(1)
    expect((await listed())[0]!.rules[0]).toMatchObject({ counted: 2, overSince: null })
    await report(first, true, inside)
    kit.clock.advance(10 * minuteMs)
    expect(await feeds.keepPolicies()).toBe(1)
    expect((await listed())[0]!.rules[0]).toMatchObject({ counted: 3, overSince: kit.clock.now() })
    kit.clock.advance(10 * minuteMs)
    await feeds.keepPolicies()
    const notices = await owner.selectFrom('notice').select('event').where('event', '=', 'mds_cap_exceeded').execute()
    expect(notices).toHaveLength(1)
  })
})

describe('a policy', () => {
  it('leaves when its time is over or its successor begins, with what was made of it', async () => {
    const now = kit.clock.now()
    await bringIn([
      policy(1, [rule(2)], { end_date: now + dayMs }),
      policy(3, [rule(4, { geographies: [core.geography_id] })]),
    ])
    for (const { rules } of await listed()) await handlers.takeMdsRule({ ruleId: rules[0]!.id, version: 1 }, own)
    expect((await zones()).toSorted()).toEqual(['规则 2', '规则 4'])
    await bringIn([policy(5, [rule(6)], { prev_policies: [idOf(3)], start_date: now + 2 * dayMs })])
    expect((await listed()).find(({ policyId }) => policyId === idOf(5))?.replaces).toEqual(['政策 3'])
    expect(await feeds.keepPolicies()).toBe(0)
    kit.clock.advance(dayMs)
    expect(await feeds.keepPolicies()).toBe(1)
    expect(await zones()).toEqual(['规则 4'])
    kit.clock.advance(dayMs)
    expect(await feeds.keepPolicies()).toBe(1)
    expect(await zones()).toEqual([])
    const ends = new Map((await listed()).map((one) => [one.policyId, one.endReason]))
    expect(ends).toEqual(
      new Map([
        [idOf(5), null],
        [idOf(1), 'expired'],
        [idOf(3), 'replaced'],
      ]),
    )
    expect((await actions()).slice(-2)).toEqual(['mds_policy.end', 'mds_policy.end'])
    const told = await owner
      .selectFrom('notice')
      .select(['agent_id', 'values'])
      .where('event', '=', 'mds_policy_ended')
      .orderBy('id')
      .execute()
    expect(told.map(({ agent_id: agentId, values }) => [agentId, values])).toEqual([
      [3, { name: '政策 1', fences: 1 }],
      [3, { name: '政策 3', fences: 1 }],
    ])
    const gone = (await listed()).find(({ policyId }) => policyId === idOf(1))!.rules[0]!
    await expect(handlers.takeMdsRule({ ruleId: gone.id, version: gone.version }, own)).rejects.toMatchObject({
      code: 'mds_rule_unusable',
    })
  })
})

describe('the effect of a cap', () => {
  const span = { from: 0, to: 4 * hourMs, maximum: 1 }
  it('counts stays at once, not stays', () => {
    const effect = capEffectOf(
      [
        { from: -hourMs, to: hourMs },
        { from: hourMs, to: null },
        { from: 2 * hourMs, to: 2 * hourMs + 1 },
      ],
      span,
    )
    expect(effect).toMatchObject({ now: 1, peak: 2, peakAt: 2 * hourMs, hoursOver: 1, hours: 4 })
  })

  it('is nothing where nobody stands', () => {
    expect(capEffectOf([], span)).toMatchObject({ now: 0, peak: 0, hoursOver: 0 })
  })
})
