import { describe, expect, it } from 'vitest'
import { telephoneContentSchema, type TelephoneContent } from '@saddle/contract/marketing/telephones.ts'
import { contentWorld } from '../content.fixture.ts'

const { kit, handlers, agentId, clerk, outsider, app, foreignApp } = await contentWorld()

const everyDay = [1, 2, 3, 4, 5, 6, 7]
const contentWith = (part: Partial<TelephoneContent> = {}): TelephoneContent =>
  telephoneContentSchema.parse({
    label: '客服热线',
    number: '400-820-1234',
    spans: [{ weekdays: everyDay, from: 8 * 60, to: 22 * 60 }],
    ...part,
  })
const add = async (part: Partial<TelephoneContent> = {}) =>
  (await handlers.saveTelephone({ agentId, content: contentWith(part) }, clerk)).data.id
const seen = async (areaId: number, language: 'zh' | 'en' = 'zh') =>
  (await handlers.riderTelephones({ areaId, language }, app)).data
/** An hour of Monday 23 November 2026 by business time. */
const at = (hour: number): number => Date.UTC(2026, 10, 23, hour - 8)

describe('telephone lines', () => {
  it('are shown by area and hour, and change at once', async () => {
    const id = await add()
    await add({
      label: '夜间',
      labelEn: 'Night',
      number: '13900160001',
      spans: [{ weekdays: everyDay, from: 1_320, to: 480 }],
    })
    await add({ label: '二区', number: '0512-61234567', areaIds: [32], priority: 1 })
    kit.clock.set(at(12))
    expect((await seen(31)).lines).toEqual([{ label: '客服热线', number: '400-820-1234' }])
    expect((await seen(32)).lines.map(({ label }) => label)).toEqual(['二区', '客服热线'])
    kit.clock.set(at(23))
    expect((await seen(31, 'en')).lines).toEqual([{ label: 'Night', number: '13900160001' }])
    await handlers.saveHolidays({ agentId, holidays: [{ day: '2026-11-23', name: '校庆' }] }, clerk)
    const content = contentWith({ isClosedOnHolidays: true, number: '95588' })
    expect((await handlers.saveTelephone({ id, version: 1, content }, clerk)).data).toEqual({ id, version: 2 })
    kit.clock.set(at(12))
    expect(await seen(31), 'a holiday').toEqual({ lines: [], nextAt: at(22) })
    await handlers.saveHolidays({ agentId, holidays: [] }, clerk)
    expect((await seen(31)).lines).toEqual([{ label: '客服热线', number: '95588' }])
    await handlers.saveTelephone({ id, version: 2, content: { ...content, state: 'off' } }, clerk)
    expect((await seen(31)).lines).toEqual([])
    await expect(handlers.saveTelephone({ id, version: 2, content }, clerk)).rejects.toMatchObject({ code: 'conflict' })
    const versions = (await handlers.telephoneVersions({ id }, clerk)).data.list
    expect(versions.map((one) => [one.version, one.content.number, one.content.state, one.madeBy])).toEqual([
      [3, '95588', 'off', clerk.caller.name],
      [2, '95588', 'on', clerk.caller.name],
      [1, '400-820-1234', 'on', clerk.caller.name],
    ])
    expect(versions[1]?.content).toEqual(content)
  })

  it('belong to a company', async () => {
    const id = await add()
    const refused = { code: 'not_found' }
    await expect(handlers.saveTelephone({ id, version: 1, content: contentWith() }, outsider)).rejects.toMatchObject(
      refused,
    )
    await expect(handlers.saveTelephone({ agentId, content: contentWith() }, outsider)).rejects.toMatchObject(refused)
    await expect(handlers.telephoneVersions({ id }, outsider)).rejects.toMatchObject(refused)
    await expect(handlers.listHolidays({ agentId }, outsider)).rejects.toMatchObject(refused)
    await expect(handlers.saveHolidays({ agentId, holidays: [] }, outsider)).rejects.toMatchObject(refused)
    await expect(add({ areaIds: [41] })).rejects.toMatchObject({ code: 'foreign_scope' })
    const filter = { id }
    expect((await handlers.listTelephones({ filter, sort: 'priority', pageSize: 20 }, outsider)).data.list).toEqual([])
    expect((await handlers.riderTelephones({ language: 'zh' }, foreignApp)).data).toEqual({ lines: [], nextAt: null })
    const { list } = (await handlers.listTelephones({ filter: {}, sort: 'priority', pageSize: 20 }, clerk)).data
    expect(list.map(({ priority }) => priority)).toEqual(list.map(({ priority }) => priority).toSorted())
    expect((await handlers.exportTelephones({ filter: {}, sort: 'priority' }, clerk)).data.rows).toBe(list.length)
  })
})
