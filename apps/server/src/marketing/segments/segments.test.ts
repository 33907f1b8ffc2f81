import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  riderFilterOf,
  segmentSpans,
  segmentTermsSchema,
  type SegmentTerms,
} from '@saddle/contract/marketing/segments.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { campaignWorld } from '../campaigns/campaigns.fixture.ts'
import { segmentCondition } from './rules.ts'
import { sizeSegments } from './sizes.ts'
import { makeSpans, ridersThatDisagree } from './spans.ts'

const world = await campaignWorld()
const { owner, kit, handlers, agentId, clerk, outsider, newRiders, create } = world
const now = kit.clock.now()
let phones: string[] = []
let riderIds: number[] = []
/** What the riders by their places below are like; the others have nothing. */
const [student, banned, closed, regular, lapsed, holder, iphone, rich] = [0, 1, 2, 3, 4, 5, 6, 7]

const terms = (changes: Partial<SegmentTerms> = {}): SegmentTerms =>
  segmentTermsSchema.parse({ name: '人群', ...changes })
const places = async (changes: Partial<SegmentTerms>): Promise<number[]> => {
  const asked = { agentId, terms: terms(changes), at: now }
  const { rows } = await sql<{ id: number }>`select r.id from rider r where ${segmentCondition(asked)}`.execute(owner)
  const found = rows.map(({ id }) => riderIds.indexOf(id)).toSorted((a, b) => a - b)
  const { data } = await handlers.sizeSegment({ agentId, terms: terms(changes) }, clerk)
  expect(data).toEqual({ size: found.length, riders: 9 })
  const last = Math.max(...riderIds)
  const middle = riderIds[4]!
  const parts = [
    { after: 0, upTo: middle },
    { after: middle, upTo: last },
  ].map((range) => sql`select r.id from rider r where ${segmentCondition({ ...asked, range })}`)
  const whole = await sql`${sql.join(parts, sql` union all `)}`.execute(owner)
  expect(whole.rows, 'in parts as in one').toHaveLength(found.length)
  return found
}

beforeAll(async () => {
  ;({ phones, riderIds } = await newRiders(10))
  const of = (place: number): number => riderIds[place]!
  const set = (place: number, values: Record<string, unknown>) =>
    owner.updateTable('rider').set(values).where('id', '=', of(place)).execute()
  await set(student, { certificate_kind: 'student', cert_hash: 'x', cert_sealed: 'x', certified_at: new Date(now) })
  await set(banned, { banned: true })
  await set(closed, { closed_at: new Date(now) })
  await set(rich, { balance_mark: 3 })
  await set(lapsed, { created_at: new Date(now - 200 * dayMs) })
  await sql`
    insert into price_version (agent_id, area_id, name, rules, valid_from, author_name, created_at)
    values (${agentId}, 31, 'test', '{}', ${new Date(now - 300 * dayMs)}, 'test', ${new Date(now - 300 * dayMs)})`.execute(
    owner,
  )
  const ride = (place: number, daysAgo: number, cents: number, id: number) =>
    sql`
    insert into ride_order (id, agent_id, area_id, vehicle_id, vehicle_number, rider_id, state, placed_at, started_at,
      ended_at, price_version_id, charged_cents, changed_at)
    select ${id}, ${agentId}, 31, v.id, v.number, ${of(place)}, 'paid', e.at, e.at, e.at,
      (select max(id) from price_version), ${cents}, e.at
    from vehicle v cross join (select ${new Date(now - daysAgo * dayMs)}::timestamptz as at) e limit 1`.execute(owner)
  await sql`
    insert into vehicle (agent_id, area_id, number, model, protocol, state, state_changed_at, created_at)
    values (${agentId}, 31, 'B0001', 'city', 'omni', 'available', now(), now())`.execute(owner)
  for (const [index, daysAgo] of [1, 2, 3, 20].entries()) await ride(regular, daysAgo, 300, 100 + index)
  await ride(lapsed, 60, 500, 200)
  await world.issue(await create({ name: '老客券' }), [of(holder)])
  await sql`
    insert into rider_device (agent_id, rider_id, device_hash, model, system, app_version, first_seen_at, last_seen_at)
    values (${agentId}, ${of(iphone)}, 'x', 'iPhone 17', 'iOS 26.1', '1', now(), now())`.execute(owner)
})

const open = [student, regular, lapsed, holder, iphone, rich, 8, 9]

describe('a segment', () => {
  it('has who is there and not on the blacklist, unless told', async () => {
    expect(await places({})).toEqual(open)
    expect(await places({ withBanned: true })).toEqual([student, banned, ...open.slice(1)])
  })
  it('knows the latest ride, and who never rode', async () => {
    expect(await places({ ridden: 'ever' })).toEqual([regular, lapsed])
    expect(await places({ ridden: 'never' })).toEqual(open.filter((place) => place !== regular && place !== lapsed))
    expect(await places({ idleMin: 30 })).toEqual([lapsed])
    expect(await places({ idleMax: 7 })).toEqual([regular])
    expect(await places({ areaIds: [31] })).toEqual([regular, lapsed])
    expect(await places({ areaIds: [41] })).toEqual([])
  })
  it('counts rides and money of the last days, and in all', async () => {
    expect(await places({ ridesDays: 7, ridesMin: 3 })).toEqual([regular])
    expect(await places({ ridesDays: 7, ridesMin: 4 })).toEqual([])
    expect(await places({ ridesDays: 30, ridesMin: 4, ridesMax: 4 })).toEqual([regular])
    expect(await places({ ridesMin: 1, ridesMax: 1 })).toEqual([lapsed])
    expect(await places({ ridesDays: 30, ridesMax: 0, ridden: 'ever' })).toEqual([lapsed])
    expect(await places({ spentDays: 7, spentMinCents: 900 })).toEqual([regular])
    expect(await places({ spentMinCents: 500, spentMaxCents: 1_000 })).toEqual([lapsed])
    expect(await places({ spentDays: 30, spentMaxCents: 0 })).toEqual(open.filter((place) => place !== regular))
    expect(await places({ spentDays: 90, spentMinCents: 1, ridesDays: 7, ridesMax: 2 })).toEqual([lapsed])
  })
  it('knows registration, certificates, balance, phones, coupons and tags', async () => {
    expect(await places({ registeredDays: 7 })).toEqual(open.filter((place) => place !== lapsed))
    expect(await places({ registeredTo: now - 100 * dayMs })).toEqual([lapsed])
    expect(await places({ registeredFrom: now - dayMs, certified: 'yes' })).toEqual([student])
    expect(await places({ certified: 'no', certificates: ['student'] })).toEqual([])
    expect(await places({ certificates: ['student', 'none'] })).toEqual(open)
    expect(await places({ balances: ['much'] })).toEqual([rich])
    expect(await places({ systems: ['ios'] })).toEqual([iphone])
    expect(await places({ cards: ['riding'] })).toEqual([])
    expect(await places({ cards: ['none'] })).toEqual(open)
    const couponTemplateId = (await handlers.listCouponTemplates({ filter: {}, sort: 'created', pageSize: 20 }, clerk))
      .data.list[0]!.id
    expect(await places({ couponTemplateId })).toEqual([holder])
    expect(await places({ couponTemplateId, couponHolding: 'never' })).toEqual(open.filter((place) => place !== holder))
    const tagged = phones.slice(8, 9)
    const asked = { agentId, tag: '校园', phones: [...tagged, '13900000009'], isRemoved: false }
    expect((await handlers.tagRiders(asked, clerk)).data).toEqual({ changed: 1, unknown: 1 })
    expect(await places({ tags: ['校园', '别的'] })).toEqual([8])
    expect((await handlers.riderTags({ agentId }, clerk)).data.list).toEqual([{ tag: '校园', riders: 1 }])
    await expect(handlers.riderTags({ agentId }, outsider)).rejects.toMatchObject({ code: 'not_found' })
    await handlers.tagRiders({ ...asked, isRemoved: true }, clerk)
    expect(await places({ tags: ['校园'] })).toEqual([])
  })
})

it('days of riders are those of the orders, also after refunds', async () => {
  await sql`update ride_order set refunded_cents = 300, state = 'refunded' where id = 100`.execute(owner)
  await sql`update ride_order set refunded_cents = 100, state = 'part_refunded' where id = 101`.execute(owner)
  await sql`update ride_order set state = 'paid' where id = 102`.execute(owner)
  const rows = async (query: ReturnType<typeof sql>) => (await query.execute(owner)).rows
  expect(await rows(sql`select rider_id, day::text as day, rides, cents from rider_day order by 1, 2`)).toEqual(
    await rows(sql`
      select rider_id, (ended_at at time zone 'Asia/Shanghai')::date::text as day, count(*)::integer as rides,
        sum(charged_cents - refunded_cents)::bigint as cents
      from ride_order group by 1, 2 order by 1, 2`),
  )
  const regularUse = await owner
    .selectFrom('rider_use')
    .select(['rides', 'cents', 'last_ride_at'])
    .where('rider_id', '=', riderIds[regular]!)
    .executeTakeFirstOrThrow()
  expect(regularUse).toEqual({ rides: 4, cents: 800, last_ride_at: new Date(now - dayMs) })
})

describe('the sums of a rider over the last days', () => {
  const asked: readonly Partial<SegmentTerms>[] = segmentSpans.flatMap((days) => [
    { ridesDays: days, ridesMin: 1 },
    { ridesDays: days, ridesMax: 3 },
    { spentDays: days, spentMinCents: 400, ridden: 'ever' },
  ])
  const idsOf = async (changes: Partial<SegmentTerms>, at: number) => {
    const condition = segmentCondition({ agentId, terms: terms(changes), at })
    const { rows } = await sql<{ id: number }>`select r.id from rider r where ${condition} order by r.id`.execute(owner)
    return rows.map(({ id }) => id)
  }
  const all = async (at: number) => {
    const found = []
    for (const changes of asked) found.push(await idsOf(changes, at))
    return found
  }

  it('leave a span with its day, and are the same before and after the job', async () => {
    const clockAt = (at: number) => ({ db: kit.db, clock: { ...kit.clock, now: () => at } })
    // Orders that were written with their charge wait for the job.
    expect(await makeSpans(clockAt(now))).toBe(2)
    expect(await makeSpans(clockAt(now))).toBe(0)
    let changes = 0
    let last = await all(now)
    for (let days = 1; days <= 370; days += days < 40 ? 1 : 11) {
      const at = now + days * dayMs
      const before = await all(at)
      await makeSpans(clockAt(at))
      expect(await all(at), `${days} days later`).toEqual(before)
      if (JSON.stringify(before) !== JSON.stringify(last)) changes += 1
      last = before
      expect(await ridersThatDisagree(kit.db)).toEqual([])
    }
    expect(changes, 'days have left spans').toBeGreaterThan(5)
    expect(await idsOf({ ridesDays: 365, ridesMin: 1 }, now), 'asked for a day that is over').toEqual(
      [regular, lapsed].map((place) => riderIds[place]).toSorted((a, b) => a! - b!),
    )
  })
})

it('has versions, is listed with its riders, and belongs to its company', async () => {
  const { id, size } = (
    await handlers.createSegment({ agentId, terms: terms({ name: '老客', ridden: 'ever' }) }, clerk)
  ).data
  expect(size).toBe(2)
  await expect(handlers.createSegment({ agentId, terms: terms({ name: '老客' }) }, clerk)).rejects.toMatchObject({
    code: 'name_taken',
  })
  await expect(
    handlers.createSegment({ agentId, terms: terms({ name: '别处', areaIds: [41] }) }, clerk),
  ).rejects.toMatchObject({ code: 'foreign_scope' })
  const change = { id, version: 1, terms: terms({ name: '流失', idleMin: 30 }) }
  expect((await handlers.changeSegment(change, clerk)).data).toEqual({ id, version: 2, size: 1 })
  await expect(handlers.changeSegment(change, clerk)).rejects.toMatchObject({ code: 'conflict' })
  await expect(handlers.changeSegment({ ...change, version: 2 }, outsider)).rejects.toMatchObject({ code: 'not_found' })
  const versions = (await handlers.segmentVersions({ id }, clerk)).data.list
  expect(versions.map(({ version, madeBy, terms: of }) => [version, madeBy, of.name])).toEqual([
    [2, '周可', '流失'],
    [1, '周可', '老客'],
  ])
  await handlers.switchSegment({ id, state: 'off' }, clerk)
  const list = { filter: { states: ['off' as const] }, sort: 'created' as const, pageSize: 20 }
  expect((await handlers.listSegments(list, clerk)).data.list).toMatchObject([
    { id, name: '流失', size: 1, version: 2 },
  ])
  expect((await handlers.listSegments(list, outsider)).data.list).toEqual([])
  const members = { filter: { segmentId: id }, sort: 'registered' as const, pageSize: 20 }
  expect((await handlers.listSegmentRiders(members, clerk)).data).toMatchObject({
    count: 1,
    list: [{ id: riderIds[lapsed], rides: 1, spentCents: 500, lastRideAt: now - 60 * dayMs }],
  })
  await expect(handlers.listSegmentRiders(members, outsider)).rejects.toMatchObject({ code: 'not_found' })
  const file = await handlers.exportSegmentRiders({ filter: { segmentId: id }, sort: 'registered' }, clerk)
  expect(file.data.rows).toBe(1)
  expect(file.data.text).not.toContain(phones[lapsed])
})

it('is counted again when its size is a day old', async () => {
  const { data } = await handlers.createSegment({ agentId, terms: terms({ name: '每天统计' }) }, clerk)
  const sizeOf = () =>
    owner.selectFrom('segment').select(['size', 'sized_at']).where('id', '=', data.id).executeTakeFirstOrThrow()
  const before = await sizeOf()
  expect(await sizeSegments(kit)).toBe(0)
  const yesterday = new Date(kit.clock.now() - dayMs)
  await owner.updateTable('segment').set({ size: 0, sized_at: yesterday }).where('id', '=', data.id).execute()
  expect(await sizeSegments(kit)).toBe(1)
  expect(await sizeOf()).toEqual(before)
  await owner
    .updateTable('segment')
    .set({ size: null, sized_at: null, state: 'off' })
    .where('id', '=', data.id)
    .execute()
  expect(await sizeSegments(kit), 'nobody uses it').toBe(0)
})

it('names the filter of the riders’ list where the list has the same conditions', () => {
  expect(riderFilterOf(terms({ certified: 'yes', registeredDays: 7, balances: ['much'] }), now)).toEqual({
    state: 'active',
    from: now - 7 * dayMs,
    certified: true,
    balances: ['much'],
    banned: false,
  })
  expect(riderFilterOf(terms({ ridesMin: 1 }), now)).toBeNull()
  expect(riderFilterOf(terms({ tags: ['校园'] }), now)).toBeNull()
})

it('keeps the sums of riders by charges and refunds, and finds faults', async () => {
  await makeSpans({ db: kit.db, clock: kit.clock })
  await sql`
    insert into ride_order (id, agent_id, area_id, vehicle_id, vehicle_number, rider_id, state, placed_at, started_at,
      changed_at)
    select 300, ${agentId}, 31, v.id, v.number, ${riderIds[lapsed]!}, 'riding', ${new Date(now)}, ${new Date(now)},
      ${new Date(now)}
    from vehicle v limit 1`.execute(owner)
  await sql`
    update ride_order set state = 'due', ended_at = ${new Date(now)}, charged_cents = 700,
      price_version_id = (select max(id) from price_version) where id = 300`.execute(owner)
  expect(await places({ spentDays: 7, spentMinCents: 700 })).toEqual([lapsed])
  expect(await ridersThatDisagree(kit.db)).toEqual([])
  await sql`update rider_use set cents_90 = cents_90 + 1 where rider_id = ${riderIds[lapsed]!}`.execute(owner)
  await sql`update rider_day set rides = rides + 1 where rider_id = ${riderIds[regular]!} and rides = 1`.execute(owner)
  const faults = await ridersThatDisagree(kit.db)
  expect(faults.filter((fault) => fault.includes(`rider ${riderIds[lapsed]} has sums`))).toHaveLength(1)
  expect(faults.filter((fault) => fault.includes('the orders say 1'))).toHaveLength(4)
})
