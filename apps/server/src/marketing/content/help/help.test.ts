import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { helpContentSchema, type HelpContent, type HelpFilter } from '@saddle/contract/marketing/help.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { samples } from '#photos/codec/samples.fixture.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { contentWorld } from '../content.fixture.ts'

const { kit, photos, handlers, agentId, clerk, outsider, app, foreignApp, owner } = await contentWorld()

let titles = 0
const contentWith = (part: Partial<HelpContent> = {}): HelpContent => {
  titles += 1
  return helpContentSchema.parse({ category: 'start', title: `文章 ${titles}`, body: '正文', ...part })
}
const create = async (part: Partial<HelpContent> = {}) =>
  (await handlers.saveHelp({ agentId, content: contentWith(part) }, clerk)).data.id
const publish = (id: number, version = 1, at?: number) =>
  handlers.publishHelp({ id, version, ...(at !== undefined && { at }) }, clerk)
const listed = async (filter: HelpFilter, call = clerk) =>
  (await handlers.listHelp({ filter, sort: 'order', pageSize: 200 }, call)).data.list
const articleOf = async (id: number) => {
  const [row] = await listed({ id })
  if (row === undefined) throw new Error(`there is no article ${id}`)
  return row
}
const shown = async (part: { areaId?: number; language?: 'zh' | 'en'; text?: string } = {}, call = app) =>
  (await handlers.riderHelp({ language: 'zh', ...part }, call)).data.list
const keep = async () => {
  const photo = samples.png.toString('base64')
  return (await handlers.keepHelpPicture({ agentId, photo }, clerk)).data.photoId
}

describe('an article', () => {
  it('has versions, of which riders read the one that is published', async () => {
    const id = await create({ title: '怎么开锁', body: '扫码' })
    expect(await articleOf(id)).toMatchObject({ state: 'draft', version: 1, liveVersion: null, titleEn: '' })
    await expect(handlers.riderReadHelp({ id, language: 'zh' }, app)).rejects.toMatchObject({ code: 'not_found' })
    await publish(id)
    const next = contentWith({ title: '怎么开锁', body: '扫车把上的码' })
    expect((await handlers.saveHelp({ id, version: 1, content: next }, clerk)).data).toEqual({ id, version: 2 })
    expect(await articleOf(id)).toMatchObject({ state: 'published', version: 2, liveVersion: 1 })
    const read = (await handlers.riderReadHelp({ id, language: 'en' }, app)).data
    expect(read, 'Chinese where English is missing').toMatchObject({
      title: '怎么开锁',
      language: 'zh',
      blocks: [{ kind: 'paragraph', spans: [{ kind: 'text', text: '扫码' }] }],
    })
    await expect(handlers.saveHelp({ id, version: 1, content: next }, clerk)).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(publish(id, 1), 'not the latest').rejects.toMatchObject({ code: 'conflict' })
    const { list } = (await handlers.helpVersions({ id }, clerk)).data
    expect(list.map(({ version, madeBy, content }) => [version, madeBy, content.body])).toEqual([
      [2, '周可', '扫车把上的码'],
      [1, '周可', '扫码'],
    ])
    await handlers.withdrawHelp({ id }, clerk)
    expect(await articleOf(id)).toMatchObject({ state: 'withdrawn', liveVersion: null })
    await expect(handlers.riderReadHelp({ id, language: 'zh' }, app)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is read from its time on', async () => {
    const id = await create()
    const at = kit.clock.now() + hourMs
    expect((await publish(id, 1, at)).data.state).toBe('scheduled')
    expect(await articleOf(id)).toMatchObject({ state: 'scheduled', nextAt: at, nextVersion: 1 })
    expect((await listed({ states: ['scheduled'] })).map((row) => row.id)).toContain(id)
    kit.clock.advance(hourMs)
    expect(await articleOf(id)).toMatchObject({ state: 'published', nextAt: null, liveVersion: 1 })
    expect((await listed({ states: ['scheduled'] })).map((row) => row.id)).not.toContain(id)
    expect((await shown()).map((row) => row.id)).toContain(id)
    kit.clock.set(TEST_START_MS)
  })

  it('belongs to a company', async () => {
    const id = await create()
    const content = contentWith()
    await publish(id)
    const refused = { code: 'not_found' }
    await expect(handlers.saveHelp({ agentId, content }, outsider)).rejects.toMatchObject(refused)
    await expect(handlers.saveHelp({ id, version: 1, content }, outsider)).rejects.toMatchObject(refused)
    await expect(handlers.publishHelp({ id, version: 1 }, outsider)).rejects.toMatchObject(refused)
    await expect(handlers.withdrawHelp({ id }, outsider)).rejects.toMatchObject(refused)
    await expect(handlers.moveHelp({ id, position: 1 }, outsider)).rejects.toMatchObject(refused)
    await expect(handlers.helpVersions({ id }, outsider)).rejects.toMatchObject(refused)
    await expect(handlers.riderReadHelp({ id, language: 'zh' }, foreignApp)).rejects.toMatchObject(refused)
    expect(await listed({ id }, outsider)).toEqual([])
    expect(await shown({}, foreignApp)).toEqual([])
    await expect(create({ areaIds: [41] })).rejects.toMatchObject({ code: 'foreign_scope' })
  })

  it('is shown in its areas, in its language, and found by text', async () => {
    const id = await create({
      areaIds: [31],
      title: '夜间骑行',
      body: '请开灯',
      titleEn: 'Riding at night',
      bodyEn: '**Switch** the light on',
    })
    await publish(id)
    const ids = async (part: Parameters<typeof shown>[0]) => (await shown(part)).map((row) => row.id)
    expect(await ids({ areaId: 31 })).toContain(id)
    expect(await ids({ areaId: 32 })).not.toContain(id)
    expect(await shown({ text: '开灯', language: 'en' })).toEqual([
      { id, category: 'start', title: 'Riding at night', language: 'en', beginning: 'Switch the light on' },
    ])
    expect((await listed({ text: 'LIGHT' })).map((row) => row.id)).toEqual([id])
    expect((await listed({ isUntranslated: false })).map((row) => row.id)).toEqual([id])
    expect((await listed({ areaIds: [32] })).map((row) => row.id)).not.toContain(id)
  })
})

describe('the order', () => {
  it('is moved within a category, and closed where an article leaves it', async () => {
    const [a, b, c] = [
      await create({ category: 'safety' }),
      await create({ category: 'safety' }),
      await create({ category: 'safety' }),
    ]
    const order = async () => (await listed({ categories: ['safety'] })).map(({ id, position }) => [id, position])
    expect(await order()).toEqual([
      [a, 1],
      [b, 2],
      [c, 3],
    ])
    expect((await handlers.moveHelp({ id: c, position: 1 }, clerk)).data).toEqual({ id: c, position: 1, before: 3 })
    expect(await order()).toEqual([
      [c, 1],
      [a, 2],
      [b, 3],
    ])
    await handlers.saveHelp({ id: a, version: 1, content: contentWith({ category: 'other' }) }, clerk)
    expect(await order()).toEqual([
      [c, 1],
      [b, 2],
    ])
  })
})

describe('pictures', () => {
  it('stay with the versions that show them, and go where nothing does', async () => {
    const [used, unused] = [await keep(), await keep()]
    const id = await create({ body: `![图](photo:${used})` })
    const content = contentWith({ body: `再看\n\n![图](photo:${used})` })
    await handlers.saveHelp({ id, version: 1, content }, clerk)
    expect((await articleOf(id)).pictures).toBe(1)
    kit.clock.advance(2 * dayMs)
    expect(await photos.sweep()).toBe(1)
    kit.clock.set(TEST_START_MS)
    expect((await handlers.helpPictures({ ids: [used, unused] }, clerk)).data.list.map((photo) => photo.id)).toEqual([
      used,
    ])
    expect((await handlers.helpPictures({ ids: [used] }, outsider)).data.list).toEqual([])
    const missing = { agentId, content: contentWith({ body: `![图](photo:${unused})` }) }
    await expect(handlers.saveHelp(missing, clerk)).rejects.toMatchObject({ code: 'photo_missing' })
    await expect(handlers.riderPicture({ id: used }, app), 'a draft').rejects.toMatchObject({ code: 'not_found' })
    await publish(id, 2)
    expect((await handlers.riderPicture({ id: used }, app)).data).toMatchObject({ kind: 'png', width: 24, height: 16 })
    await expect(handlers.riderPicture({ id: used }, foreignApp)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('readers', () => {
  const judge = (id: number, phone: string, isUseful: boolean) => handlers.riderJudgeHelp({ id, phone, isUseful }, app)

  it('count once a minute, and an opinion replaces the one before', async () => {
    const id = await create()
    await publish(id)
    const read = (phone: string) => handlers.riderReadHelp({ id, phone, language: 'zh' }, app)
    await Promise.all([read('13900150001'), read('13900150001'), read('13900150002')])
    expect(await articleOf(id)).toMatchObject({ views: 2, readers: 2 })
    kit.clock.advance(minuteMs)
    await read('13900150001')
    expect(await articleOf(id)).toMatchObject({ views: 3, readers: 2, useful: 0 })
    await judge(id, '13900150001', true)
    await judge(id, '13900150001', true)
    await judge(id, '13900150002', true)
    await judge(id, '13900150002', false)
    await judge(id, '13900150003', false)
    expect(await articleOf(id)).toMatchObject({ readers: 3, useful: 1, useless: 2 })
    expect((await read('13900150002')).data.opinion).toBe('useless')
    const ask = { filter: { articleId: id, opinions: ['useless' as const] }, sort: 'last' as const, pageSize: 20 }
    const { list } = (await handlers.listHelpReaders(ask, clerk)).data
    expect(list.map(({ phone }) => phone).toSorted()).toEqual(['139****0002', '139****0003'])
    expect((await handlers.listHelpReaders(ask, outsider)).data.list).toEqual([])
    expect((await handlers.exportHelpReaders({ filter: { articleId: id }, sort: 'last' }, clerk)).data.rows).toBe(3)
    kit.clock.set(TEST_START_MS)
  })

  it('add up to what their rows say', async () => {
    const { rows } = await sql`
      select from help_article ha where
        (select row(count(*)::bigint, coalesce(sum(views), 0)::bigint) from help_reader where article_id = ha.id)
        is distinct from
        (select row(coalesce(sum(readers), 0)::bigint, coalesce(sum(views), 0)::bigint) from help_count where article_id = ha.id)`.execute(
      owner,
    )
    expect(rows).toEqual([])
  })
})

it('articles are written into a file', async () => {
  const { data } = await handlers.exportHelp({ filter: {}, sort: 'order' }, clerk)
  expect(data.rows).toBeGreaterThan(5)
  expect(data.text).toContain('夜间骑行')
})
