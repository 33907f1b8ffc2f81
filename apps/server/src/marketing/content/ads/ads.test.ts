import { describe, expect, it } from 'vitest'
import { adContentSchema, type AdContent, type AdFilter } from '@saddle/contract/marketing/ads.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { blankPng } from '#test/blankPng.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { contentWorld } from '../content.fixture.ts'

const { kit, content: own, handlers, agentId, clerk, outsider, app, foreignApp, db, owner } = await contentWorld()

let names = 0
const contentWith = (part: Partial<AdContent> = {}): AdContent => {
  names += 1
  return adContentSchema.parse({ name: `广告 ${names}`, text: '骑行八折', link: { to: 'none' }, startsAt: 0, ...part })
}
type Slot = 'popup' | 'banner' | 'scan' | 'ride_end' | 'mine'
const create = async (slot: Slot, part: Partial<AdContent> = {}) =>
  (await handlers.saveAd({ agentId, slot, content: contentWith(part) }, clerk)).data.id
const start = (id: number) => handlers.switchAd({ id, step: 'start' }, clerk)
const listed = async (filter: AdFilter, call = clerk) =>
  (await handlers.listAds({ filter, sort: 'created', pageSize: 200 }, call)).data.list
const adOf = async (id: number) => {
  const [row] = await listed({ id })
  if (row === undefined) throw new Error(`there is no placement ${id}`)
  return row
}
const phone = '13900170001'
const placed = async (slot: Slot, part: { phone?: string; areaId?: number; language?: 'zh' | 'en' } = {}, call = app) =>
  (await handlers.riderPlacements({ phone, areaId: 31, slot, language: 'zh', ...part }, call)).data.list
let events = 0
const event = (placementId: number, kind: 'impression' | 'tap', at = kit.clock.now()) => {
  events += 1
  return { id: `event-${String(events).padStart(6, '0')}`, placementId, kind, at }
}
type Event = ReturnType<typeof event>
const report = async (sent: Event[], part: { phone?: string; areaId?: number } = {}, call = app) =>
  (await handlers.riderReportPlacements({ phone, areaId: 31, events: sent, ...part }, call)).data

describe('a placement', () => {
  it('is a draft, runs, pauses and ends; its versions stay', async () => {
    const id = await create('scan', { text: '扫码领券', textEn: 'Scan for a coupon' })
    expect(await placed('scan'), 'a draft').toEqual([])
    expect((await start(id)).data).toEqual({ id, state: 'on', before: 'draft' })
    expect(await placed('scan', { language: 'en' })).toEqual([
      { id, agentId, slot: 'scan', text: 'Scan for a coupon', photoId: null, link: { to: 'none' } },
    ])
    const link = { to: 'page', page: 'coupon', id: null } as const
    await handlers.saveAd({ id, version: 1, content: contentWith({ name: '扫码', link }) }, clerk)
    expect(await placed('scan'), 'at once').toMatchObject([{ text: '骑行八折', link }])
    await handlers.switchAd({ id, step: 'pause' }, clerk)
    expect(await placed('scan')).toEqual([])
    expect((await adOf(id)).state).toBe('paused')
    await start(id)
    await handlers.switchAd({ id, step: 'end' }, clerk)
    expect(await adOf(id)).toMatchObject({ state: 'ended', version: 2, name: '扫码' })
    await expect(start(id)).rejects.toMatchObject({ code: 'ad_ended' })
    const change = { id, version: 2, content: contentWith() }
    await expect(handlers.saveAd(change, clerk)).rejects.toMatchObject({ code: 'ad_ended' })
    const { list } = (await handlers.adVersions({ id }, clerk)).data
    expect(list.map(({ version, content }) => [version, content.text])).toEqual([
      [2, '骑行八折'],
      [1, '扫码领券'],
    ])
  })

  it('is shown in its time span, and says so', async () => {
    const now = kit.clock.now()
    const id = await create('popup', { startsAt: now + hourMs, endsAt: now + 2 * hourMs })
    await start(id)
    expect((await adOf(id)).state).toBe('scheduled')
    expect(await placed('popup')).toEqual([])
    kit.clock.advance(hourMs)
    expect((await adOf(id)).state).toBe('on')
    expect(await placed('popup')).toHaveLength(1)
    kit.clock.advance(hourMs)
    expect((await listed({ states: ['ended'] })).map((row) => row.id)).toContain(id)
    expect(await placed('popup')).toEqual([])
    await handlers.switchAd({ id, step: 'pause' }, clerk)
    await expect(start(id)).rejects.toMatchObject({ code: 'ad_over' })
    kit.clock.set(TEST_START_MS)
  })

  it('belongs to a company', async () => {
    const id = await create('mine')
    await start(id)
    const refused = { code: 'not_found' }
    await expect(handlers.saveAd({ agentId, slot: 'mine', content: contentWith() }, outsider)).rejects.toMatchObject(
      refused,
    )
    await expect(handlers.saveAd({ id, version: 1, content: contentWith() }, outsider)).rejects.toMatchObject(refused)
    await expect(handlers.switchAd({ id, step: 'end' }, outsider)).rejects.toMatchObject(refused)
    await expect(handlers.adVersions({ id }, outsider)).rejects.toMatchObject(refused)
    expect(await listed({ id }, outsider)).toEqual([])
    expect(await placed('mine', { areaId: 41 }, foreignApp)).toEqual([])
    await expect(create('mine', { areaIds: [41] })).rejects.toMatchObject({ code: 'foreign_scope' })
  })

  it('opens one thing of its company by name, and says when that is over', async () => {
    const now = kit.clock.now()
    const activity = (id: number, company: number) => ({
      id,
      agent_id: company,
      kind: 'riding',
      name: `周末立减 ${id}`,
      starts_at: new Date(now),
      ends_at: new Date(now + hourMs),
      bearer: 'company',
      created_at: new Date(now),
      changed_at: new Date(now),
      changed_by: '周可',
    })
    await owner
      .insertInto('activity')
      .values([activity(71, 3), activity(72, 4)])
      .execute()
    const targets = async (of: number, call = clerk) => (await handlers.adTargets({ agentId: of }, call)).data.list
    const offered = [{ page: 'activity', id: 71, name: '周末立减 71' }]
    expect(await targets(3)).toEqual(offered)
    expect(await targets(4), 'of another company').toEqual([])
    const link = (id: number, page: 'activity' | 'mall' | 'wallet' = 'activity') => ({ to: 'page', page, id }) as const
    const id = await create('mine', { link: link(71) })
    expect(await adOf(id)).toMatchObject({ targetName: '周末立减 71', isTargetOver: false })
    for (const wrong of [link(72), link(71, 'mall'), link(71, 'wallet')]) {
      await expect(create('mine', { link: wrong })).rejects.toMatchObject({ code: 'ad_target_missing' })
      const change = { id, version: 1, content: contentWith({ link: wrong }) }
      await expect(handlers.saveAd(change, clerk)).rejects.toMatchObject({ code: 'ad_target_missing' })
    }
    await handlers.saveAd({ id, version: 1, content: contentWith() }, clerk)
    expect(await adOf(id)).toMatchObject({ targetName: null, isTargetOver: false })
    kit.clock.advance(hourMs)
    expect(await targets(3)).toEqual([])
    const { list } = (await handlers.adVersions({ id }, clerk)).data
    expect(list.map(({ targetName, isTargetOver }) => [targetName, isTargetOver])).toEqual([
      [null, false],
      ['周末立减 71', true],
    ])
    kit.clock.set(TEST_START_MS)
  })

  it('takes a picture of the size of its slot', async () => {
    const photo = (width: number, height: number) => blankPng(width, height).toString('base64')
    const keep = (slot: Slot, file: string) => handlers.keepAdPicture({ agentId, slot, photo: file }, clerk)
    await expect(keep('banner', photo(640, 640))).rejects.toMatchObject({ code: 'ad_picture_unfit', message: /16:9/ })
    const { photoId } = (await keep('banner', photo(640, 360))).data
    const id = await create('banner', { photoId, text: '' })
    await expect(create('mine', { photoId }), 'of another slot').rejects.toMatchObject({ code: 'ad_picture_unfit' })
    await expect(handlers.riderPicture({ id: photoId }, app), 'a draft').rejects.toMatchObject({ code: 'not_found' })
    await start(id)
    expect((await handlers.riderPicture({ id: photoId }, app)).data).toMatchObject({ width: 640, height: 360 })
    await expect(handlers.riderPicture({ id: photoId }, foreignApp)).rejects.toMatchObject({ code: 'not_found' })
    expect((await handlers.adPictures({ ids: [photoId] }, clerk)).data.list).toHaveLength(1)
    expect((await handlers.adPictures({ ids: [photoId] }, outsider)).data.list).toEqual([])
    await handlers.switchAd({ id, step: 'end' }, clerk)
  })
})

describe('what riders report', () => {
  it('counts once, however often and at once it is sent', async () => {
    const id = await create('ride_end')
    await start(id)
    const sent = [event(id, 'impression'), event(id, 'impression'), event(id, 'tap')]
    const answers = await Promise.all([1, 2, 3, 4].map(() => report(sent)))
    expect(answers.map(({ counted }) => counted).toSorted()).toEqual([0, 0, 0, 3])
    expect(answers.map(({ repeated }) => repeated).toSorted()).toEqual([0, 3, 3, 3])
    const [first] = sent
    expect(await report([first!, first!, event(id, 'impression')]), 'twice in one report').toMatchObject({
      counted: 1,
      repeated: 2,
    })
    expect(await adOf(id)).toMatchObject({ impressions: 3, taps: 1, rate: 33.33, riderDays: 1 })
    await report([event(id, 'impression')], { phone: '13900170002', areaId: 32 })
    expect(await adOf(id)).toMatchObject({ impressions: 4, riderDays: 2 })
  })

  it('is refused with the reason where it is forged, foreign, late or never seen', async () => {
    const [id, draft] = [await create('ride_end'), await create('ride_end')]
    await start(id)
    const now = kit.clock.now()
    const forged = event(999_999, 'impression')
    const sent = [
      forged,
      event(draft, 'impression'),
      event(id, 'impression', now - 49 * hourMs),
      event(id, 'impression', now + hourMs),
      event(id, 'tap'),
    ]
    const { counted, refused } = await report(sent, { phone: '13900170003' })
    expect(counted).toBe(0)
    expect(refused.map(({ why }) => why)).toEqual(['unknown', 'unknown', 'late', 'late', 'unseen'])
    expect(refused[0]?.id).toBe(forged.id)
    const foreign = await report([event(id, 'impression')], { areaId: 41 }, foreignApp)
    expect(foreign.refused).toMatchObject([{ why: 'unknown' }])
    await expect(report([event(id, 'impression')], { areaId: 41 }), 'a foreign area').rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await adOf(id)).toMatchObject({ impressions: 0, taps: 0, rate: null })
  })

  it('of one rider on one day is limited', async () => {
    const id = await create('ride_end')
    await start(id)
    const batch = () => Array.from({ length: 100 }, () => event(id, 'impression'))
    const answers = [await report(batch(), { phone: '13900170004' }), await report(batch(), { phone: '13900170004' })]
    expect(answers.map(({ counted }) => counted)).toEqual([100, 100])
    expect(await report(batch(), { phone: '13900170004' })).toMatchObject({ counted: 100, refused: [] })
    const over = await report(batch(), { phone: '13900170004' })
    expect(over.counted).toBe(0)
    expect(over.refused[0]).toMatchObject({ why: 'over' })
  })

  it('holds a placement to its cap for a rider and a day', async () => {
    const id = await create('mine', { riderDayCap: 1, areaIds: [32] })
    await start(id)
    const own32 = { areaId: 32, phone: '13900170005' }
    const ids = async () => (await placed('mine', own32)).map((row) => row.id)
    const others = (await listed({ slots: ['mine'], states: ['on'] })).filter((row) => row.id !== id)
    for (const row of others) await handlers.switchAd({ id: row.id, step: 'pause' }, clerk)
    expect(await ids()).toEqual([id])
    await report([event(id, 'impression')], own32)
    expect(await ids()).toEqual([])
    kit.clock.advance(dayMs)
    expect(await ids(), 'on the next day').toEqual([id])
    kit.clock.set(TEST_START_MS)
  })

  it('is counted by day and area, and the sums agree', async () => {
    const id = await create('ride_end')
    await start(id)
    await report([event(id, 'impression'), event(id, 'tap')], { phone: '13900170006' })
    kit.clock.advance(dayMs)
    await report([event(id, 'impression')], { phone: '13900170006', areaId: 32 })
    const ask = { filter: { placementId: id }, sort: 'day' as const, pageSize: 20 }
    const { list } = (await handlers.listAdDays(ask, clerk)).data
    expect(list.map(({ area, impressions, taps, riders }) => [area, impressions, taps, riders])).toEqual([
      ['城北二区', 1, 0, 1],
      ['城北', 1, 1, 1],
    ])
    expect((await handlers.listAdDays(ask, outsider)).data.list).toEqual([])
    const trend = (await handlers.adTrend({ id, days: 30 }, clerk)).data.list
    expect(trend.map(({ impressions, taps }) => [impressions, taps])).toEqual([
      [1, 1],
      [1, 0],
    ])
    expect((await handlers.adTrend({ id, days: 30 }, outsider)).data.list).toEqual([])
    expect((await handlers.exportAdDays({ filter: {}, sort: 'day' }, clerk)).data.rows).toBeGreaterThan(2)
    expect((await handlers.exportAds({ filter: {}, sort: 'created' }, clerk)).data.rows).toBeGreaterThan(2)
    const sums = (table: 'ad_day' | 'ad_total') =>
      db.systemRead((k) =>
        k
          .selectFrom(table)
          .select(({ fn }) => [
            'placement_id',
            fn.sum<number>('impressions').as('impressions'),
            fn.sum<number>('taps').as('taps'),
            fn.sum<number>('riders').as('riders'),
          ])
          .groupBy('placement_id')
          .orderBy('placement_id')
          .compile(),
      )
    expect(await sums('ad_total')).toEqual(await sums('ad_day'))
    kit.clock.set(TEST_START_MS)
  })

  it('keeps ids no longer than they could be reported', async () => {
    kit.clock.set(TEST_START_MS + 10 * dayMs)
    expect(await own.purge()).toBeGreaterThan(300)
    expect(await own.purge()).toBe(0)
    kit.clock.set(TEST_START_MS)
  })
})
