import { beforeAll, expect, it } from 'vitest'
import { createOrganisation } from '#organisation/public.ts'
import { insertTestTenants } from '#organisation/organisation.fixture.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'

const { db, owner } = await testDatabase()
const { listServiceAreas } = createOrganisation(testKit(db)).handlers

beforeAll(() => insertTestTenants(owner))

const platform = { operatorId: 1, agentId: 2, grant: { agentIds: [2, 3, 4], areaIds: [31, 32, 41] } }
const worker = { operatorId: 2, agentId: 3, grant: { agentIds: [3], areaIds: [32] } }
const firstPage = { page: 1, pageSize: 200 }

it('lists all granted areas with a point inside, although the header selects one of them', async () => {
  const call = sessionCall({ ...platform, scope: { ...platform.grant, areaIds: [41] } })
  const { data } = await listServiceAreas(firstPage, call)
  expect(data.count).toBe(3)
  expect(data.list[0]).toEqual({ id: 31, name: '东湖新城', agentId: 3, centre: { lat: 31.5, lng: 120.5 } })
})

it('lists only areas of the franchisees that the header selects', async () => {
  const { data } = await listServiceAreas(
    firstPage,
    sessionCall({ ...platform, scope: { ...platform.grant, agentIds: [3] } }),
  )
  expect(data).toMatchObject({ count: 2, list: [{ id: 31 }, { id: 32 }] })
})

it('shows a worker of one area that area and no more', async () => {
  const { data } = await listServiceAreas(firstPage, sessionCall(worker))
  expect(data).toMatchObject({ count: 1, list: [{ id: 32 }] })
})

it('filters by franchisee and name, and pages', async () => {
  const ask = async (input: Partial<Parameters<typeof listServiceAreas>[0]>) => {
    const { data } = await listServiceAreas({ ...firstPage, ...input }, sessionCall(platform))
    return { ids: data.list.map((area) => area.id), count: data.count }
  }
  expect(await ask({ agentId: 3 })).toEqual({ ids: [31, 32], count: 2 })
  expect(await ask({ keyword: '大学' })).toEqual({ ids: [32], count: 1 })
  expect(await ask({ keyword: '%' })).toEqual({ ids: [], count: 0 })
  expect(await ask({ page: 2, pageSize: 2 })).toEqual({ ids: [41], count: 3 })
  expect(await ask({ page: 9, pageSize: 2 })).toEqual({ ids: [], count: 3 })
})

it('refuses a foreign franchisee', async () => {
  const foreign = listServiceAreas({ ...firstPage, agentId: 4 }, sessionCall(worker))
  await expect(foreign).rejects.toMatchObject({ code: 'foreign_scope' })
})

it('shows nothing to a grant of nothing', async () => {
  const nobody = sessionCall({ ...worker, grant: { agentIds: [3], areaIds: [] } })
  expect((await listServiceAreas(firstPage, nobody)).data).toEqual({ list: [], count: 0 })
})
