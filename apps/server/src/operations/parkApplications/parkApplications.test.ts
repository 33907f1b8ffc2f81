import { beforeAll, describe, expect, it } from 'vitest'
import { parkApplicationList } from '@saddle/contract/operations/parkApplications.ts'
import { createAudit } from '#audit/public.ts'
import { createGeography } from '#geography/public.ts'
import { createPhotos } from '#photos/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { createParkApplicationHandlers } from './handlers.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const audit = createAudit(kit)
const handlers = createParkApplicationHandlers({
  kit,
  audit,
  photos: createPhotos(kit),
  geography: createGeography(kit, { audit }),
})

const permissions = ['0910', '091001', '0909']
const grant = { agentIds: [3], areaIds: [31, 32] }
const worker = sessionCall({ operatorId: 1008, agentId: 3, grant, name: '陆小川', permissions })
const desk = sessionCall({ operatorId: 1007, agentId: 3, grant, name: '周可', permissions })
const outsider = sessionCall({ operatorId: 1020, agentId: 4, grant: { agentIds: [4], areaIds: [41] }, permissions })

beforeAll(async () => {
  const ring = JSON.stringify([
    [120, 31],
    [121, 31],
    [121, 32],
    [120, 32],
    [120, 31],
  ])
  await owner.insertInto('agent').values({ id: 2, parent_id: null, company: '总部' }).execute()
  for (const [id, agentId] of [
    [31, 3],
    [32, 3],
    [41, 4],
  ] as const) {
    await owner
      .insertInto('agent')
      .values({ id: agentId, parent_id: 2, company: `公司${agentId}` })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const area = { id, agent_id: agentId, name: `区${id}`, centre_lat: 31.5, centre_lng: 120.5, ring }
    await owner.insertInto('service_area').values(area).execute()
  }
})

const wish = { areaId: 31, lat: 31.5, lng: 120.5, radiusM: 15, capacity: 20, reason: '常有人停', photos: [] }
const ask = async (name: string, areaId = 31): Promise<number> =>
  (await handlers.submitParkApplication({ ...wish, areaId, name }, worker)).data.id
const page = (question: object) => parkApplicationList.page.input.parse(question)
const namesOf = async (question: object, call = desk): Promise<string[]> =>
  (await handlers.listParkApplications(page(question), call)).data.list.map(({ name }) => name)

describe('requests for parking spots', () => {
  it('are listed by state and area, with what is near', async () => {
    const ids = [await ask('甲'), await ask('乙'), await ask('丙', 32)]
    expect((await namesOf({ filter: { states: ['waiting'] } })).toSorted()).toEqual(['丙', '乙', '甲'])
    expect(await namesOf({ filter: { areaIds: [32] } })).toEqual(['丙'])
    expect(await namesOf({ filter: { keyword: '乙' } })).toEqual(['乙'])
    expect(await namesOf({ filter: { mine: true } })).toEqual([])
    expect(await namesOf({}, outsider)).toEqual([])
    const { data } = await handlers.listParkApplications(page({ filter: { keyword: '甲' } }), worker)
    expect(data.list[0]).toMatchObject({ id: ids[0], isOwn: true, returns: 0, nearestM: null, areaName: '区31' })
  })

  it('are decided each for itself, and nobody decides about their own', async () => {
    const [first, second] = [await ask('丁'), await ask('戊')]
    const approval = { ids: [first, second], decision: 'approved' as const, note: '' }
    await expect(handlers.decideParkApplications({ ...approval, ids: [first] }, worker)).rejects.toMatchObject({
      code: 'park_own',
    })
    await handlers.decideParkApplications({ ids: [first], decision: 'rejected', note: '太近' }, desk)
    const { data } = await handlers.decideParkApplications(approval, desk)
    expect([data.decided, data.refused.map(({ id }) => id)]).toEqual([[second], [first]])
    const found = (await handlers.listParkApplications(page({ filter: { keyword: '戊' } }), desk)).data.list
    expect(found[0]).toMatchObject({ state: 'approved', decidedBy: '周可' })
    const counts = (await handlers.parkApplicationCounts({ filter: { areaIds: [31] } }, desk)).data
    expect(counts).toEqual({ waiting: 2, approved: 1, rejected: 1, withdrawn: 0 })
  })

  it('leave the platform as a file of all rows, which is audited once', async () => {
    for (let index = 0; index < 3; index++) await ask(`行${index}`)
    const { data } = await handlers.exportParkApplications({ ...page({ filter: { keyword: '行' } }) }, desk)
    expect(data.text.split('\r\n').filter((line) => line.includes('行'))).toHaveLength(3)
    const noted = await owner.selectFrom('audit_record').selectAll().where('action', '=', 'park.export').execute()
    expect(noted).toHaveLength(1)
  })
})
