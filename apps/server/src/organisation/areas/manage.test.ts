import { beforeAll, describe, expect, it } from 'vitest'
import type { Ring } from '@saddle/geo/ring.ts'
import { companyWorld } from '#organisation/companies.fixture.ts'

const { kit, owner, ids, handlers, calls, addPerson, recordsOf } = await companyWorld()
const { areasOfAgent, areasOfOperator, createArea, changeArea, removeArea, previewArea, areaUses } = handlers

const square = (west: number, south: number, size = 0.05): [number, number][] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
]
const bowTie: [number, number][] = [
  [120, 31],
  [120.1, 31.1],
  [120.1, 31],
  [120, 31.1],
  [120, 31],
]
const firstPage = { filter: {}, sort: 'company', pageSize: 20 } as const
const fencesOf = (areaId: number) =>
  owner.selectFrom('fence').selectAll().where('area_id', '=', areaId).orderBy('version').execute()

describe('areas of a company', () => {
  it('come by page with boundary and figures, as far as the scope reaches', async () => {
    const { data } = await areasOfAgent({ ...firstPage, filter: { agentId: 3 } }, calls.platform())
    expect(data.count).toBe(2)
    const first = data.list.find(({ id }) => id === 31)
    expect(first).toMatchObject({ id: 31, company: '东湖出行', state: 'enabled', vehicles: 0, people: 1 })
    expect(first?.areaKm2).toBeGreaterThan(4_000)
    expect((await areasOfAgent(firstPage, calls.worker())).data.list.map((row) => row.id)).toEqual([31])
    expect((await areasOfAgent(firstPage, calls.platform({ areaIds: [41] }))).data.list.map((row) => row.id)).toEqual([
      41,
    ])
    const found = await areasOfAgent(
      { ...firstPage, filter: { keyword: '大学', states: ['enabled'] } },
      calls.platform(),
    )
    expect(found.data).toMatchObject({ count: 1, list: [{ id: 32 }] })
    expect((await areasOfAgent({ ...firstPage, filter: { states: ['disabled'] } }, calls.platform())).data.count).toBe(
      0,
    )
    await expect(areasOfAgent({ ...firstPage, filter: { agentId: 4 } }, calls.manager())).rejects.toMatchObject({
      code: 'foreign_scope',
    })
  })

  it('are those that somebody reaches', async () => {
    const reach = async (operatorId: number | undefined, call = calls.platform()) =>
      (await areasOfOperator(operatorId === undefined ? {} : { operatorId }, call)).data
    expect(await reach(ids.worker)).toMatchObject({ allAreas: false, list: [{ id: 31, agentId: 3 }] })
    expect((await reach(ids.manager)).list.map((area) => area.id)).toEqual([31, 32])
    expect(await reach(undefined, calls.worker({}, []))).toMatchObject({ list: [{ id: 31 }] })
    await expect(reach(ids.manager, calls.worker({}, []))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(reach(ids.platform, calls.manager())).rejects.toMatchObject({ code: 'not_found' })
    const nowhere = await addPerson(4, '13800000009', [])
    expect(await reach(nowhere)).toEqual({ allAreas: false, list: [] })
  })
})

describe('a new area', () => {
  it('is drawn, put into force as a fence, and written down', async () => {
    const { data } = await createArea({ agentId: 3, name: '滨江', ring: square(122, 30) }, calls.manager())
    expect(data).toMatchObject({ name: '滨江', agentId: 3, company: '东湖出行', state: 'enabled' })
    expect(data.centre.lng).toBeCloseTo(122.025, 6)
    expect(await fencesOf(data.id)).toMatchObject([
      { kind: 'service_area', name: '滨江', version: 1, agent_id: 3, west: 122, valid_to: null },
    ])
    expect(await recordsOf('area', data.id)).toMatchObject([
      { agent_id: 3, action: 'area.create', after: { name: '滨江', ring: { corners: 4 } } },
    ])
  })

  it('has a name of its own within its company, also when two come at once', async () => {
    const twice = await Promise.allSettled([
      createArea({ agentId: 3, name: '北站', ring: square(122, 31) }, calls.manager()),
      createArea({ agentId: 3, name: '北站', ring: square(122, 32) }, calls.platform()),
    ])
    expect(twice.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const refused = twice.find((outcome) => outcome.status === 'rejected')
    expect(refused?.reason).toMatchObject({ code: 'name_taken' })
    await createArea({ agentId: 4, name: '北站', ring: square(122, 32) }, calls.platform())
  })

  it('is refused with a boundary that cannot be, to a foreign company, and to whoever is held to named areas', async () => {
    const make = (agentId: number, ring: [number, number][], call = calls.manager()) =>
      createArea({ agentId, name: '不成立', ring }, call)
    await expect(make(3, bowTie)).rejects.toMatchObject({ code: 'boundary_invalid', message: '边界自相交叉' })
    await expect(make(3, square(122, 33, 0.0001))).rejects.toMatchObject({ code: 'boundary_invalid' })
    await expect(make(4, square(122, 33))).rejects.toMatchObject({ code: 'foreign_scope' })
    await expect(make(3, square(122, 33), calls.worker())).rejects.toMatchObject({ code: 'areas_held' })
    const made = await owner.selectFrom('service_area').select('id').where('name', '=', '不成立').execute()
    expect(made).toEqual([])
  })
})

describe('changing an area', () => {
  it('adds a version of its boundary and keeps the one before', async () => {
    const { data } = await changeArea({ id: 41, ring: square(123, 31) }, calls.platform())
    expect(data.centre.lng).toBeCloseTo(123.025, 6)
    // Within the same moment of the clock.
    await changeArea({ id: 41, ring: square(123, 32), name: '西山北麓' }, calls.platform())
    const [first, second] = await fencesOf(41)
    expect(first).toMatchObject({ version: 1, name: '西山景区' })
    expect(second).toMatchObject({ version: 2, name: '西山北麓', valid_to: null })
    expect(first?.valid_to).toEqual(second?.valid_from)
    const lines = await recordsOf('area', 41)
    expect(lines.map((line) => line.after)).toMatchObject([{ ring: { corners: 4 } }, { name: '西山北麓' }])
    expect(lines[1]?.before).toMatchObject({ name: '西山景区' })
  })

  it('stops and starts it, without a new boundary', async () => {
    const count = (await fencesOf(41)).length
    expect((await changeArea({ id: 41, state: 'disabled' }, calls.platform())).data.state).toBe('disabled')
    expect((await changeArea({ id: 41, state: 'enabled' }, calls.platform())).data.state).toBe('enabled')
    expect(await fencesOf(41)).toHaveLength(count)
  })

  it('is refused outside of the scope and with the name of another', async () => {
    await expect(changeArea({ id: 41, name: '混入' }, calls.manager())).rejects.toMatchObject({ code: 'not_found' })
    await expect(changeArea({ id: 32, name: '混入' }, calls.worker())).rejects.toMatchObject({ code: 'not_found' })
    await expect(changeArea({ id: 31, name: '大学城' }, calls.manager())).rejects.toMatchObject({ code: 'name_taken' })
    await expect(changeArea({ id: 31, ring: bowTie }, calls.manager())).rejects.toMatchObject({
      code: 'boundary_invalid',
    })
  })
})

describe('before a boundary is saved', () => {
  beforeAll(async () => {
    const vehicle = await owner
      .insertInto('vehicle')
      .values({
        agent_id: 3,
        area_id: 32,
        number: 'SD900001',
        model: 'e-bike',
        protocol: 'omni',
        state: 'available',
        state_changed_at: new Date(kit.clock.now()),
        created_at: new Date(kit.clock.now()),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const position_at = new Date(kit.clock.now())
    await owner
      .insertInto('vehicle_status')
      .values({ vehicle_id: vehicle.id, agent_id: 3, area_id: 32, lat: 31.5, lng: 120.7, position_at })
      .execute()
  })

  const preview = async (ring: Ring, id?: number, call = calls.platform()) => {
    const input = { ring: [...ring] as [number, number][], ...(id !== undefined && { id }) }
    return (await previewArea(input, call)).data
  }

  it('says what is wrong, which areas it meets, and how many vehicles would stand outside', async () => {
    expect(await preview(bowTie)).toMatchObject({ problem: 'crossing', overlaps: [] })
    const over = square(120.6, 31.2, 0.2)
    expect((await preview(over)).overlaps.map((area) => area.id)).toEqual([31, 32])
    expect((await preview(over, 32)).overlaps.map((area) => area.id)).toEqual([31])
    expect(await preview(over, 32)).toMatchObject({ problem: null, vehiclesOutside: 1 })
    expect((await preview(square(120.65, 31.45, 0.1), 32)).vehiclesOutside).toBe(0)
    expect((await preview(square(140, 40))).overlaps).toEqual([])
  })

  it('names no area that the caller does not see', async () => {
    const over = square(120.6, 31.2, 0.2)
    expect((await preview(over, undefined, calls.worker())).overlaps.map((area) => area.id)).toEqual([31])
    await expect(preview(over, 32, calls.worker())).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('removing an area', () => {
  it('is refused with all that hangs on it', async () => {
    const vehicle = await owner.selectFrom('vehicle').select('id').executeTakeFirstOrThrow()
    const at = new Date(kit.clock.now())
    const place = { vehicle_id: vehicle.id, agent_id: 3, area_id: 32 }
    await owner
      .insertInto('task')
      .values([
        { ...place, kind: 'repair', state: 'open', source: 'manual', opened_at: at },
        { ...place, kind: 'move', state: 'done', source: 'manual', opened_at: at, done_at: at },
      ])
      .execute()
    const { data } = await areaUses({ id: 32 }, calls.manager())
    expect(data.list).toEqual([
      { kind: 'vehicles', count: 1 },
      { kind: 'tasks', count: 1 },
      { kind: 'records', count: 2 },
    ])
    expect(data.refusal).toContain('车辆 1、未完成的任务 1、历史记录')
    await expect(removeArea({ id: 32 }, calls.manager())).rejects.toMatchObject({ code: 'in_use' })
    await expect(removeArea({ id: 31 }, calls.manager())).rejects.toThrow('限定在此的人员 1')
  })

  it('takes an unused one with its boundaries, and leaves the line', async () => {
    const { data } = await createArea({ agentId: 3, name: '试点', ring: square(125, 31) }, calls.manager())
    expect((await areaUses({ id: data.id }, calls.platform({ areaIds: [data.id] }))).data).toEqual({
      list: [],
      refusal: null,
    })
    const seen = calls.platform({ areaIds: [data.id] })
    await removeArea({ id: data.id }, seen)
    expect(await fencesOf(data.id)).toEqual([])
    expect(await recordsOf('area', data.id)).toMatchObject([
      { action: 'area.create' },
      { action: 'area.remove', before: { name: '试点' } },
    ])
    await expect(removeArea({ id: data.id }, seen)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is refused outside of the scope', async () => {
    await expect(removeArea({ id: 41 }, calls.manager())).rejects.toMatchObject({ code: 'not_found' })
    await expect(areaUses({ id: 41 }, calls.manager())).rejects.toMatchObject({ code: 'not_found' })
  })
})
