import { describe, expect, it } from 'vitest'
import { minuteMs as minute } from '@saddle/contract/time.ts'
import { sessionCall, TEST_START_MS } from '#test/kit.ts'
import { testPriceRules } from '#test/rides.ts'
import { pastWorld } from '../past.fixture.ts'

const { owner, kit, call, foreign, handlers } = await pastWorld()

describe('price versions', () => {
  it('begin in the future, and what is past keeps its own', async () => {
    const validFrom = TEST_START_MS + 60 * minute
    const dearer = { ...testPriceRules, startCents: 300 }
    await handlers.publishPriceVersion({ areaIds: [31, 32], name: '冬季', rules: dearer, validFrom }, call)
    const of31 = async () => (await handlers.listPriceVersions({ areaId: 31 }, call)).data.list
    expect((await of31()).map(({ name, inForce }) => [name, inForce])).toEqual([
      ['冬季', false],
      ['首版计价', true],
    ])
    const ride = { areaId: 31, distanceM: 0, returnKind: 'in_place' as const, benefits: [] }
    const cost = async (startedAt: number) =>
      (await handlers.itineraryCost({ ride: { ...ride, startedAt, endedAt: startedAt + 5 * minute } }, call)).data
    expect(await cost(validFrom - 1)).toMatchObject({ totalCents: 200, version: { name: '首版计价' } })
    expect(await cost(validFrom)).toMatchObject({ totalCents: 300, version: { name: '冬季' } })
    kit.clock.set(validFrom)
    expect((await of31()).map(({ inForce }) => inForce)).toEqual([true, false])
    expect((await handlers.listPriceVersions({}, call)).data.list.map(({ areaId, name }) => [areaId, name])).toEqual([
      [31, '冬季'],
      [32, '冬季'],
    ])
    expect((await handlers.listPriceVersions({ areaId: 31 }, foreign)).data.list).toEqual([])
    kit.clock.set(TEST_START_MS)
  })

  it('are taken back before they begin and not after, by whoever may set prices there', async () => {
    const validFrom = TEST_START_MS + 30 * minute
    const asked = { areaIds: [32], name: '涨价', rules: testPriceRules, validFrom }
    await handlers.publishPriceVersion(asked, call)
    const next = async () =>
      (await handlers.listPriceVersions({}, call)).data.list.find(({ areaId }) => areaId === 32)?.next
    expect(await next()).toEqual({ name: '涨价', validFrom })
    await expect(handlers.withdrawPriceVersions({ areaIds: [32, 41] }, call)).rejects.toThrow('权限范围')
    await expect(handlers.withdrawPriceVersions({ areaIds: [32] }, foreign)).rejects.toThrow('权限范围')
    const withdrawn = await handlers.withdrawPriceVersions({ areaIds: [32] }, call)
    expect(withdrawn.data.list.map(({ name }) => name).toSorted()).toEqual(['冬季', '涨价'])
    expect(await next()).toBeNull()
    kit.clock.set(validFrom + 2 * 60 * minute)
    const [before, ...history] = (await handlers.listPriceVersions({ areaId: 32 }, call)).data.list
    expect([before, ...history].map((version) => [version?.name, version?.inForce, version?.withdrawn?.by])).toEqual([
      ['冬季', false, '周可'],
      ['涨价', false, '周可'],
      ['首版计价', true, undefined],
    ])
    const again = await handlers.withdrawPriceVersions({ areaIds: [31, 32] }, call)
    expect(again.data.list, 'what has begun stays').toEqual([])
    kit.clock.set(TEST_START_MS)
  })

  it('are missing where an area is new, and the list says so', async () => {
    const shape = ['agent_id', 'centre_lat', 'centre_lng', 'ring'] as const
    const old = await owner.selectFrom('service_area').select(shape).where('id', '=', 31).executeTakeFirstOrThrow()
    const area = { ...old, id: 33, name: '城北三区', ring: JSON.stringify(old.ring) }
    const wider = sessionCall({ operatorId: 7, agentId: 3, grant: { agentIds: [3], areaIds: [31, 33] }, name: '周可' })
    await owner.insertInto('service_area').values(area).execute()
    const unpriced = async (by = wider) => (await handlers.listPriceVersions({}, by)).data.unpriced
    expect(await unpriced()).toEqual([{ areaId: 33, areaName: '城北三区' }])
    expect(await unpriced(foreign)).toEqual([])
    await handlers.publishPriceVersion({ areaIds: [33], name: '首版', rules: testPriceRules }, wider)
    expect(await unpriced()).toEqual([])
  })

  it('are refused for the past and for areas of others', async () => {
    const version = { areaIds: [31], name: '旧', rules: testPriceRules }
    await expect(handlers.publishPriceVersion({ ...version, validFrom: TEST_START_MS - 1 }, call)).rejects.toThrow(
      '生效',
    )
    await expect(handlers.publishPriceVersion({ ...version, areaIds: [31, 41] }, call)).rejects.toThrow('权限范围')
    const change = kit.db.system((tx) => tx.updateTable('price_version').set({ name: '改' }).execute())
    await expect(change, 'not even by the platform').rejects.toThrow('permission denied')
  })
})
