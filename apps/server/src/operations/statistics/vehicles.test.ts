import { beforeAll, describe, expect, it } from 'vitest'
import { createAudit } from '#audit/public.ts'
import { createPhotos } from '#photos/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'
import { createStatisticsHandlers } from './handlers.ts'

const { db } = await testDatabase()
const kit = testKit(db)
const handlers = createStatisticsHandlers({ kit, audit: createAudit(kit), photos: createPhotos(kit) })
const today = { from: '2026-11-21', to: '2026-11-21' }
let alpha: TenantFixture
let bravo: TenantFixture

const callOf = (of: TenantFixture) =>
  sessionCall({
    operatorId: of.managerId,
    agentId: of.agentId,
    grant: { agentIds: [of.agentId], areaIds: [...of.areaIds] },
    permissions: ['0906', '0907'],
  })

beforeAll(async () => {
  ;[alpha, bravo] = await seedTenants(kit)
})

describe('vehicles and places', () => {
  it('counts the vehicles of the scope by state, model, area and band', async () => {
    const { data } = await handlers.vehicleFigures({ filter: {} }, callOf(alpha))
    expect(data.total.vehicles).toBe(2)
    expect(data.areas.map(({ areaId, vehicles }) => [areaId, vehicles])).toEqual(alpha.areaIds.map((id) => [id, 1]))
    expect(data.models.map(({ name }) => name)).toEqual(['TENANTALPHA model'])
    expect(data.states.reduce((sum, { count }) => sum + count, 0)).toBe(2)
    expect(data.idle.reduce((sum, count) => sum + count, 0)).toBe(2)
    const narrowed = await handlers.vehicleFigures(
      { filter: { areaIds: [alpha.areaIds[0], bravo.areaIds[0]] } },
      callOf(alpha),
    )
    expect(narrowed.data.total.vehicles).toBe(1)
  })

  it('tells a place’s hours, and none of another franchisee', async () => {
    const { data } = await handlers.stationFigures({ filter: today }, callOf(alpha))
    expect(data.hours).toBe(12)
    expect(data.list.map(({ areaId }) => areaId).toSorted()).toEqual([...alpha.areaIds].toSorted())
    const part = (await handlers.stationFigures({ filter: { ...today, hours: 5 } }, callOf(alpha))).data
    expect(part.hours, 'as much of a day as is asked for').toBe(5)
    expect(part.list.map(({ stocks }) => stocks)).toEqual(data.list.map(({ stocks }) => stocks.slice(0, 5)))
    const [first] = data.list
    const foreign = (await handlers.stationFigures({ filter: today }, callOf(bravo))).data.list[0]
    const hours = await handlers.stationHours({ ...today, fenceId: first?.fenceId ?? 0 }, callOf(alpha))
    expect(hours.data.hours).toHaveLength(12)
    expect(hours.data.hours.at(-1)?.stock).toBe(first?.stock)
    const wrong = { ...today, fenceId: foreign?.fenceId ?? 0 }
    await expect(handlers.stationHours(wrong, callOf(alpha))).rejects.toMatchObject({ code: 'not_found' })
  })
})
