import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { campaignTermsSchema } from '@saddle/contract/marketing/campaigns.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { isHeldOut } from '@saddle/contract/marketing/holdout.ts'
import { rowOf } from '#kit/db/rows.ts'
import { createSeededRandom } from '#kit/random.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { couponsThatDisagree } from '../coupons/verify.ts'
import { isQuiet } from './rules.ts'
import { sendChunk } from './send.ts'
import { campaignWorld } from './campaigns.fixture.ts'

const world = await campaignWorld()
const { db, owner, kit, handlers, marketing, agentId, clerk, outsider, app, newRiders, create } = world
const { segment, campaign, act, manyRiders, found } = world

const reachedRow = rowOf('campaign_rider', 'n', ['rider_id', 'outcome'])
const reachedBy = async (id: number) => {
  const { rows } =
    await reachedRow.select`from campaign_rider n where n.campaign_id = ${id} order by n.rider_id`.execute(owner)
  return rows
}
const setting = (controlPercent: number, weeklyMax: number | null) =>
  handlers.setMarketingSetting({ agentId, setting: { controlPercent, weeklyMax } }, clerk)

beforeAll(async () => {
  await setting(0, null)
})

describe('a campaign', () => {
  it('is changed until it starts, by people of its company', async () => {
    const segmentId = await segment()
    const id = await campaign({ segmentId })
    const [row] = (await handlers.listCampaigns({ filter: { id }, sort: 'created', pageSize: 20 }, clerk)).data.list
    const terms = campaignTermsSchema.parse(row!.terms)
    await expect(handlers.createCampaign({ agentId, terms }, clerk)).rejects.toMatchObject({ code: 'name_taken' })
    await expect(handlers.createCampaign({ agentId, terms }, outsider)).rejects.toMatchObject({ code: 'not_found' })
    await expect(handlers.changeCampaign({ id, version: 2, terms }, clerk)).rejects.toMatchObject({ code: 'conflict' })
    await expect(handlers.actOnCampaign({ id, act: 'start' }, outsider)).rejects.toMatchObject({ code: 'not_found' })
    await handlers.switchSegment({ id: segmentId, state: 'off' }, clerk)
    await expect(handlers.changeCampaign({ id, version: 1, terms }, clerk)).rejects.toMatchObject({
      code: 'segment_off',
    })
    await handlers.switchSegment({ id: segmentId, state: 'on' }, clerk)
    await handlers.changeCampaign({ id, version: 1, terms: { ...terms, title: '改过' } }, clerk)
    await expect(act(id, 'resume')).rejects.toMatchObject({ code: 'campaign_state' })
    await act(id, 'start')
    await marketing.sendCampaigns()
    expect(await found(id)).toMatchObject({ state: 'done' })
    await expect(handlers.changeCampaign({ id, version: 2, terms }, clerk)).rejects.toMatchObject({
      code: 'campaign_started',
    })
    await expect(act(id, 'cancel')).rejects.toMatchObject({ code: 'campaign_state' })
    const versions = (await handlers.campaignVersions({ id }, clerk)).data.list
    expect(versions.map((one) => [one.version, one.terms.title, one.madeBy, one.templateName])).toEqual([
      [2, '改过', '周可', null],
      [1, terms.title, '周可', null],
    ])
    await expect(handlers.campaignVersions({ id }, outsider)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('reaches every rider of its segment once, but those held out, and the riders read it', async () => {
    const { phones, riderIds } = await newRiders(40)
    await handlers.tagRiders({ agentId, tag: '四十', phones, isRemoved: false }, clerk)
    const id = await campaign({ segmentId: await segment({ tags: ['四十'] }), holdoutPercent: 25, startsAt: null })
    await act(id, 'start')
    await Promise.all([1, 2, 3].map(() => marketing.sendCampaigns()))
    const reached = await reachedBy(id)
    expect(reached.map((row) => row.rider_id)).toEqual(riderIds.toSorted((a, b) => a - b))
    const held = (riderId: number) => isHeldOut({ agentId, id, of: 'campaign', percent: 25, riderId })
    for (const row of reached) expect(row.outcome).toBe(held(row.rider_id) ? 'held_out' : 'sent')
    const heldOut = riderIds.filter(held).length
    expect(await found(id)).toMatchObject({ state: 'done', audience: 40, sent: 40 - heldOut, heldOut })
    const phone = phones[riderIds.findIndex((riderId) => !held(riderId))]!
    const own = (await handlers.riderMessages({ phone }, app)).data
    expect(own).toMatchObject({ unread: 1, list: [{ title: '周末骑行', body: '来骑车', readAt: null }] })
    expect((await handlers.riderReadMessages({ phone }, app)).data.read).toBe(1)
    expect((await handlers.riderMessages({ phone }, app)).data.unread).toBe(0)
    const other = phones[riderIds.findIndex(held)]!
    expect((await handlers.riderMessages({ phone: other }, app)).data.list).toEqual([])
    const shown = await handlers.listCampaignRiders(
      { filter: { campaignId: id, outcomes: ['held_out'] }, sort: 'at', pageSize: 100 },
      clerk,
    )
    expect(shown.data.list).toHaveLength(heldOut)
    expect(shown.data.list[0]?.phone).toMatch(/^139\*{4}\d{4}$/)
    const file = await handlers.exportCampaignRiders({ filter: { campaignId: id }, sort: 'at' }, clerk)
    expect(file.data.rows).toBe(40)
    const foreign = { filter: { campaignId: id }, sort: 'at', pageSize: 20 } as const
    expect((await handlers.listCampaignRiders(foreign, outsider)).data.list).toEqual([])
  })

  it('waits for its time and for the end of the quiet hours', async () => {
    const { phones } = await newRiders(3)
    await handlers.tagRiders({ agentId, tag: '夜间', phones, isRemoved: false }, clerk)
    const night = Date.UTC(2026, 10, 22, 15)
    const quiet = { from: 1_320, to: 480 }
    const id = await campaign({
      segmentId: await segment({ tags: ['夜间'] }),
      startsAt: night,
      quiet,
      holdoutPercent: 0,
    })
    await act(id, 'start')
    kit.clock.set(night - hourMs)
    await marketing.sendCampaigns()
    expect(await found(id)).toMatchObject({ state: 'scheduled' })
    kit.clock.set(night + hourMs)
    await marketing.sendCampaigns()
    expect(await found(id), 'it is night').toMatchObject({ state: 'scheduled', sent: 0 })
    kit.clock.set(night + 9 * hourMs)
    await marketing.sendCampaigns()
    expect(await found(id)).toMatchObject({ state: 'done', sent: 3 })
    kit.clock.set(TEST_START_MS)
  })

  it('keeps the weekly number, the control group and the number of a coupon, and says whom it left out', async () => {
    await setting(20, 1)
    const { phones, riderIds } = await newRiders(60)
    await handlers.tagRiders({ agentId, tag: '上限', phones, isRemoved: false }, clerk)
    const segmentId = await segment({ tags: ['上限'] })
    const first = await campaign({ segmentId, holdoutPercent: 0 })
    await act(first, 'start')
    await marketing.sendCampaigns()
    const before = await found(first)
    expect(before.control).toBeGreaterThan(0)
    expect(before).toMatchObject({ sent: 60 - before.control, weekly: 0 })
    const second = await campaign({ segmentId, holdoutPercent: 10 })
    await act(second, 'start')
    await marketing.sendCampaigns()
    expect(await found(second)).toMatchObject({ sent: 0, heldOut: 0, weekly: before.sent, control: before.control })
    kit.clock.advance(8 * dayMs)
    await setting(0, null)
    const templateId = await create({ riderMax: 1, validDays: 30 })
    await world.issue(templateId, riderIds.slice(0, 10))
    const third = await campaign({ segmentId, channel: 'coupon', templateId, holdoutPercent: 0 })
    await act(third, 'start')
    await marketing.sendCampaigns()
    expect(await found(third)).toMatchObject({ sent: 50, capped: 10 })
    expect(await world.template(templateId)).toMatchObject({ issued: 60, open: 60 })
    const { list: issuers } = (await handlers.couponTemplateSources({ id: templateId }, clerk)).data
    expect(issuers.map(({ campaign: by, issued }) => [by?.id, issued])).toEqual([
      [third, 50],
      [undefined, 10],
    ])
    const ask = { filter: { campaignId: third }, sort: 'made' as const, pageSize: 20 }
    expect((await handlers.listCouponBatches(ask, clerk)).data.list).toMatchObject([{ issued: 50 }])
    expect((await handlers.listCouponBatches(ask, outsider)).data.list).toEqual([])
    kit.clock.set(TEST_START_MS)
  })

  it('stops at its budget, and while its coupon is paused', async () => {
    const { phones } = await newRiders(30)
    await handlers.tagRiders({ agentId, tag: '预算', phones, isRemoved: false }, clerk)
    const segmentId = await segment({ tags: ['预算'] })
    const templateId = await create()
    const id = await campaign({ segmentId, channel: 'coupon', templateId, holdoutPercent: 50, budgetSends: 7 })
    await handlers.switchCouponTemplate({ id: templateId, state: 'off' }, clerk)
    await act(id, 'start')
    await marketing.sendCampaigns()
    expect(await found(id)).toMatchObject({ state: 'paused', halt: 'coupon_off' })
    await handlers.switchCouponTemplate({ id: templateId, state: 'on' }, clerk)
    await act(id, 'resume')
    await marketing.sendCampaigns()
    expect(await found(id)).toMatchObject({ state: 'done', halt: 'budget', sent: 7 })
    expect(await world.template(templateId)).toMatchObject({ issued: 7 })
  })

  it('is tried on one phone, which counts nowhere', async () => {
    const { phones } = await newRiders(1)
    const segmentId = await segment()
    const templateId = await create()
    const coupon = await campaign({ segmentId, channel: 'coupon', templateId })
    await handlers.testCampaign({ id: coupon, phone: phones[0]! }, clerk)
    expect((await handlers.riderCoupons({ phone: phones[0]! }, app)).data.list).toHaveLength(1)
    const message = await campaign({ segmentId })
    await handlers.testCampaign({ id: message, phone: phones[0]! }, clerk)
    expect((await handlers.riderMessages({ phone: phones[0]! }, app)).data.list).toHaveLength(1)
    expect(await reachedBy(coupon)).toEqual([])
    await expect(handlers.testCampaign({ id: coupon, phone: '13900000001' }, clerk)).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

it('lists by every condition, and writes them into a file', async () => {
  const segmentId = await segment()
  const id = await campaign({ segmentId })
  const list = async (filter: Parameters<typeof handlers.listCampaigns>[0]['filter'], call = clerk) =>
    (await handlers.listCampaigns({ filter, sort: 'created', pageSize: 100 }, call)).data.list.map((row) => row.id)
  expect(await list({ segmentId })).toEqual([id])
  expect(await list({ states: ['draft'], channel: 'message' })).toContain(id)
  expect(await list({ states: ['done'] })).not.toContain(id)
  expect(await list({}, outsider)).toEqual([])
  const { data } = await handlers.exportCampaigns({ filter: { id }, sort: 'created' }, clerk)
  expect(data.rows).toBe(1)
})

describe.each([1, 2, 3, 4])('with seed %i', (seed) => {
  it('a campaign that is killed again and again gives every rider one coupon', async () => {
    await manyRiders(500)
    const templateId = await create()
    const id = await campaign({ segmentId: await segment(), channel: 'coupon', templateId, holdoutPercent: 10 })
    await act(id, 'start')
    const { fraction } = createSeededRandom(seed)
    // What a kill leaves behind is a transaction that was never committed: it ends at any of its statements.
    let statements = 0
    const dying = {
      clock: kit.clock,
      db: {
        ...db,
        system: <T>(work: Parameters<typeof db.system<T>>[0]) =>
          db.system<T>(async (tx) => {
            const result = await work(tx)
            if (fraction() < 0.5) throw new Error('killed')
            return result
          }),
      },
    }
    let kills = 0
    for (let round = 0; round < 2_000; round += 1) {
      const steps = await Promise.allSettled([1, 2].map(() => sendChunk(dying, id, 1 + Math.floor(fraction() * 200))))
      kills += steps.filter(({ status }) => status === 'rejected').length
      statements += 1
      if (steps.some((step) => step.status === 'fulfilled' && step.value === 'ended')) break
    }
    expect(kills).toBeGreaterThan(0)
    expect(statements).toBeLessThan(2_000)
    const { rows } = await sql<{ twice: number; held: number; riders: number }>`
      select (select count(*) - count(distinct rider_id) from coupon where template_id = ${templateId}) as twice,
        (select count(*) from coupon k join campaign_rider n on n.rider_id = k.rider_id and n.campaign_id = ${id}
          where k.template_id = ${templateId} and n.outcome <> 'sent') as held,
        (select count(*) from rider where agent_id = ${agentId} and closed_at is null) as riders`.execute(owner)
    expect(rows[0]).toMatchObject({ twice: 0, held: 0 })
    const done = await found(id)
    expect(done.sent + done.heldOut).toBe(rows[0]?.riders)
    expect(await world.template(templateId)).toMatchObject({ issued: done.sent })
    expect(await couponsThatDisagree(db)).toEqual([])
  })
})

it('quiet hours go over midnight', () => {
  const at = (hour: number) => Date.UTC(2026, 10, 22, hour - 8)
  expect([7, 8, 21, 22, 23].map((hour) => isQuiet({ from: 1_320, to: 480 }, at(hour)))).toEqual([
    true,
    false,
    false,
    true,
    true,
  ])
  expect([11, 12, 13, 14].map((hour) => isQuiet({ from: 720, to: 840 }, at(hour)))).toEqual([false, true, true, false])
  expect(isQuiet(null, at(3))).toBe(false)
})
