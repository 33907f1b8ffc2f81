import { describe, expect, it } from 'vitest'
import type { FenceDraft } from '@saddle/contract/geography/manage.ts'
import { readFences } from '@saddle/contract/geography/exchange.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { metresPerDegree, metresPerDegreeLng } from '@saddle/geo/earth.ts'
import { createAudit } from '#audit/public.ts'
import { createGeography } from '#geography/public.ts'
import { insertTestTenants } from '#organisation/organisation.fixture.ts'
import { samples } from '#photos/codec/samples.fixture.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { checkPlan } from './check.ts'
import { clustersOf } from './clusters.ts'

const { db, owner } = await testDatabase()
await insertTestTenants(owner)
const kit = testKit(db)
const audit = createAudit(kit)
const { handlers, current } = createGeography(kit, { audit })
const elsewhere = createGeography(kit, { audit })

const codes = ['0503', '0504', '0505']
const north = { agentIds: [3], areaIds: [31, 32] }
const call = (permissions: readonly string[] = codes) =>
  sessionCall({ operatorId: 7, agentId: 3, grant: north, name: '周可', permissions })
const foreign = sessionCall({ operatorId: 8, agentId: 4, grant: { agentIds: [4], areaIds: [41] }, permissions: codes })

const [area] = await owner
  .selectFrom('service_area')
  .select(['centre_lat', 'centre_lng'])
  .where('id', '=', 31)
  .execute()
const centre = { lat: area!.centre_lat, lng: area!.centre_lng }
const at = (northM: number, eastM = 0) => ({
  lat: centre.lat + northM / metresPerDegree,
  lng: centre.lng + eastM / metresPerDegreeLng(centre.lat),
})
const circle = (name: string, northM: number, radiusM = 20): FenceDraft => ({
  name,
  capacity: 10,
  hours: null,
  shape: { centre: at(northM), radiusM },
})
const square = (halfM: number): [number, number][] =>
  [at(-halfM, -halfM), at(-halfM, halfM), at(halfM, halfM), at(halfM, -halfM), at(-halfM, -halfM)].map(
    ({ lat, lng }) => [lng, lat],
  )
const make = async (name: string, northM: number) => {
  const { data } = await handlers.createElectricFences(
    { areaId: 31, kind: 'parking', fences: [circle(name, northM)], note: '开工' },
    call(),
  )
  return data.list[0]!
}
const page = { sort: 'name', pageSize: 20 } as const
const filter = { kind: 'parking', removed: false, full: false } as const

describe('versions of a fence', () => {
  it('keep who, when and why, and an older one comes back as the next', async () => {
    const fence = await make('东门', 1_000)
    kit.clock.advance(minuteMs)
    const wider = { ...circle('东门 A', 1_000, 40), lineId: fence.lineId, version: 1 }
    await handlers.updateElectricFences({ changes: [wider], adds: undefined, removes: [], note: '扩大' }, call())
    kit.clock.advance(minuteMs)
    const old = { ...circle('东门', 1_000), lineId: fence.lineId, version: 2, restoredFrom: 1 }
    await handlers.updateElectricFences({ changes: [old], adds: undefined, removes: [], note: '' }, call())
    const { data } = await handlers.electricFence({ lineId: fence.lineId }, call())
    expect(
      data.list.map(({ version, name, radiusM, note, restoredFrom }) => [version, name, radiusM, note, restoredFrom]),
    ).toEqual([
      [3, '东门', 20, '', 1],
      [2, '东门 A', 40, '扩大', null],
      [1, '东门', 20, '开工', null],
    ])
    expect(data.list.map(({ authorName }) => authorName)).toEqual(['周可', '周可', '周可'])
    expect(data.list[1]!.validTo).toBe(data.list[0]!.validFrom)
    // What held in between is found again by its moment.
    const then = await handlers.listFences({ kinds: ['parking'], at: data.list[1]!.validFrom }, call())
    expect(then.data.list.find(({ lineId }) => lineId === fence.lineId)?.name).toBe('东门 A')
    await expect(handlers.electricFence({ lineId: fence.lineId }, foreign)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('are changed by one of two who looked at the same', async () => {
    const fence = await make('西门', 2_000)
    const change = (name: string) =>
      handlers.updateElectricFences(
        {
          changes: [{ ...circle(name, 2_000), lineId: fence.lineId, version: 1 }],
          adds: undefined,
          removes: [],
          note: '',
        },
        call(),
      )
    const both = await Promise.allSettled([change('西门 1'), change('西门 2')])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const lost = both.find((one) => one.status === 'rejected')
    expect(lost?.reason).toMatchObject({ code: expect.stringMatching(/fence_changed|conflict/) })
    const third = change('西门 3')
    await expect(third).rejects.toMatchObject({ code: 'fence_changed', message: expect.stringContaining('周可') })
    const remove = handlers.deleteElectricFences({ fences: [{ lineId: fence.lineId, version: 1 }], note: '' }, call())
    await expect(remove).rejects.toMatchObject({ code: 'fence_changed' })
  })

  it('end with a removal that can be taken back', async () => {
    const fence = await make('南门', 3_000)
    await handlers.deleteElectricFences({ fences: [{ lineId: fence.lineId, version: 1 }], note: '施工' }, call())
    const { data } = await handlers.listElectricFences(
      { ...page, filter: { ...filter, removed: true, keyword: '南门' } },
      call(),
    )
    expect(data).toMatchObject({ count: 1, list: [{ removedBy: '周可', removedNote: '施工' }] })
    const back = { ...circle('南门', 3_000), lineId: fence.lineId, version: 1, restoredFrom: 1 }
    await handlers.updateElectricFences({ changes: [back], adds: undefined, removes: [], note: '' }, call())
    expect(
      (await handlers.listElectricFences({ ...page, filter: { ...filter, keyword: '南门' } }, call())).data.list[0],
    ).toMatchObject({
      version: 2,
    })
  })

  it('split and merge all at once or not at all', async () => {
    const [one, other] = [await make('北门甲', 4_000), await make('北门乙', 4_100)]
    const merged = { ...circle('北门', 4_050, 80), lineId: one.lineId, version: 1 }
    const removes = [{ lineId: other.lineId, version: 1 }]
    const wrong = handlers.updateElectricFences(
      { changes: [merged], adds: undefined, removes: [{ lineId: other.lineId, version: 5 }], note: '' },
      call(),
    )
    await expect(wrong).rejects.toMatchObject({ code: 'fence_changed' })
    await handlers.updateElectricFences({ changes: [merged], adds: undefined, removes, note: '合并' }, call())
    const { data } = await handlers.listElectricFences({ ...page, filter: { ...filter, keyword: '北门' } }, call())
    expect(data.list.map(({ name, version }) => [name, version])).toEqual([['北门', 2]])
  })
})

describe('photos of a place', () => {
  const file = samples.png.toString('base64')
  const edit = (fence: { lineId: number; version: number }, more: object) =>
    handlers.updateElectricFences(
      {
        changes: [{ ...circle('有照片', 9_000), lineId: fence.lineId, version: fence.version, ...more }],
        adds: undefined,
        removes: [],
        note: '',
      },
      call(),
    )
  const shown = async (lineId: number, version?: number, by = call()) =>
    (await handlers.fencePhotos({ lineId, version }, by)).data.photos.map(({ id }) => id)

  it('go on from version to version, are shown to their own area, and come back with an older one', async () => {
    const draft = { ...circle('有照片', 9_000), photos: [file] }
    const { data } = await handlers.createElectricFences(
      { areaId: 31, kind: 'parking', fences: [draft], note: '' },
      call(),
    )
    const { lineId, photoIds: first } = data.list[0]!
    expect(first).toHaveLength(1)
    expect(await shown(lineId)).toEqual(first)
    await expect(shown(lineId, undefined, foreign)).rejects.toMatchObject({ code: 'not_found' })
    await expect(shown(lineId, undefined, call(['0505']))).rejects.toMatchObject({ code: 'forbidden' })
    expect((await edit({ lineId, version: 1 }, {})).data.list[0]!.photoIds).toEqual(first)
    const { photoIds: two } = (await edit({ lineId, version: 2 }, { photos: [file] })).data.list[0]!
    expect(two).toEqual([...first, expect.any(String)])
    const { photoIds: second } = (await edit({ lineId, version: 3 }, { photoIds: two.slice(1) })).data.list[0]!
    expect(second).toEqual(two.slice(1))
    expect([await shown(lineId), await shown(lineId, 1)]).toEqual([second, first])
    expect((await edit({ lineId, version: 4 }, { restoredFrom: 1 })).data.list[0]!.photoIds).toEqual(first)
  })

  it('are no more than three, and none of another place', async () => {
    const place = await make('别人的', 9_200)
    const withOne = (await edit(await make('有照片 2', 9_400), { name: '有照片 2', photos: [file] })).data.list[0]!
    const taken = { name: '别人的', photoIds: withOne.photoIds }
    await expect(edit(place, taken)).rejects.toMatchObject({ code: 'photo_missing' })
    const many = { name: '有照片 2', photos: [file, file, file] }
    await expect(edit(withOne, many)).rejects.toMatchObject({ code: 'bad_request' })
    expect(await shown(withOne.lineId)).toEqual(withOne.photoIds)
    const zone = {
      areaId: 31,
      kind: 'no_stop' as const,
      fences: [{ ...circle('禁', 9_600), photos: [file] }],
      note: '',
    }
    expect((await handlers.createElectricFences(zone, call())).data.list[0]!.photoIds).toEqual([])
  })
})

describe('what is refused', () => {
  it('for its shape, its name, its place and who asks', async () => {
    const bowTie: [number, number][] = [at(0, 0), at(80, 80), at(80, 0), at(0, 80), at(0, 0)].map(({ lat, lng }) => [
      lng,
      lat,
    ])
    const draw = (draft: FenceDraft, kind: 'parking' | 'no_stop' = 'parking', by = call()) =>
      handlers.createElectricFences({ areaId: 31, kind, fences: [draft], note: '' }, by)
    const crossing = { ...circle('交叉', 0), shape: { ring: bowTie, holes: [] } }
    await expect(draw(crossing)).rejects.toMatchObject({ code: 'boundary_invalid' })
    await make('重名', 5_000)
    await expect(draw(circle('重名', 5_200))).rejects.toMatchObject({ code: 'fence_name_taken' })
    await expect(draw(circle('别处', 0), 'parking', foreign)).rejects.toMatchObject({ code: 'foreign_scope' })
    await expect(draw(circle('禁停', 0), 'no_stop', call(['0504']))).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('of a service area are a second one, holes and a removal', async () => {
    const outline = { areaId: 31, kind: 'service_area' as const, fences: [circle('新区', 0)], note: '' }
    await expect(handlers.createElectricFences(outline, call())).rejects.toMatchObject({ code: 'boundary_stays' })
  })
})

describe('what to know before', () => {
  it('names what a fence would overlap, what lies outside and what cannot be', async () => {
    await make('已有', 6_000)
    const drafts = [
      { ...circle('已有', 6_010), lineId: null },
      { ...circle('隔壁', 6_015), lineId: null },
      { ...circle('远方', 9_000_000 / 10), lineId: null },
    ]
    const { data } = await handlers.checkElectricFences({ areaId: 31, kind: 'parking', drafts, removes: [] }, call())
    expect(data.list[0]).toMatchObject({ problem: null, nameTaken: true })
    expect(data.list[1]!.overlaps.map(({ name }) => name)).toEqual(['已有', '已有'])
    expect(data.list[2]).toMatchObject({ outside: 'all', overlaps: [] })
  })

  it('judges each of many once, and measures none against those far away', () => {
    let looks = 0
    const drafts = Array.from({ length: 40 }, (_, index) => {
      const corners = [at(index * 100), at(index * 100 + 20), at(index * 100, 20), at(index * 100)]
      const ring = corners.map(({ lat, lng }): [number, number] => [lng, lat])
      const shape = {
        holes: [],
        get ring() {
          looks += 1
          return ring
        },
      }
      return { lineId: null, name: `place ${index}`, capacity: null, hours: null, shape }
    })
    const outline: [number, number][] = [at(-50, -50), at(-50, 90), at(5_000, 90), at(-50, -50)].map(({ lat, lng }) => [
      lng,
      lat,
    ])
    const found = checkPlan({ kind: 'parking', drafts, removes: [] }, { inForce: [], area: outline })
    expect(found.flatMap(({ overlaps }) => overlaps)).toEqual([])
    expect(looks).toBeLessThan(40 * 39)
  })

  it('finds where vehicles are left', () => {
    const near = (northM: number, eastM: number, day: string) => ({ ...at(northM, eastM), day, charged: true })
    const crowd = Array.from({ length: 40 }, (_, n) => near((n % 7) * 3, (n % 5) * 3, n < 30 ? 'a' : 'b'))
    const lone = Array.from({ length: 9 }, (_, n) => near(500 + n * 90, 0, 'a'))
    const clusters = clustersOf([...lone, ...crowd], { apartM: 25, returnsMin: 10 })
    expect(clusters).toMatchObject([{ returns: 40, charged: 40, busiestDay: 30 }])
    expect(clusters[0]!.radiusM).toBeLessThanOrEqual(15)
    expect(clustersOf([], { apartM: 25, returnsMin: 2 })).toEqual([])
  })
})

describe('fences in memory', () => {
  it('follow a change on every server, with the next question', async () => {
    const held = async (geography: { current: typeof current }, northM: number) =>
      (await geography.current.of([31]))
        .get(31)!
        .at(at(northM))
        .fences.map(({ name }) => name)
    expect(await held(elsewhere, 7_000)).toEqual([])
    const fence = await make('新点', 7_000)
    expect(await held(elsewhere, 7_000)).toEqual(['新点'])
    expect(await held({ current }, 7_000)).toEqual(['新点'])
    await handlers.deleteElectricFences({ fences: [{ lineId: fence.lineId, version: 1 }], note: '' }, call())
    expect(await held(elsewhere, 7_000)).toEqual([])
    // What is asked with every report may be half a second old.
    const far = async () => (await elsewhere.current.recent([31])).get(31)!.holds(at(1_000))
    const outline = (halfM: number) =>
      owner
        .updateTable('service_area')
        .set({ ring: JSON.stringify(square(halfM)) })
        .where('id', '=', 31)
        .execute()
    await outline(3_000)
    await elsewhere.current.of([31])
    expect(await far()).toBe(true)
    await outline(300)
    expect(await far()).toBe(true)
    kit.clock.advance(500)
    expect(await far()).toBe(false)
  })
})

describe('files', () => {
  it('come back as they went out', async () => {
    const hours = { opensMinute: 360, closesMinute: 1_320 }
    const ring = square(60)
    const hole = square(20)
    await handlers.createElectricFences(
      {
        areaId: 32,
        kind: 'parking',
        fences: [
          { name: '方 & <圆>', capacity: 12, hours, shape: { ring, holes: [hole] } },
          { ...circle('圆', 700), hours },
        ],
        note: '',
      },
      call(),
    )
    for (const format of ['geojson', 'kml'] as const) {
      const asked = { filter: { ...filter, areaIds: [32] }, sort: 'name' as const, format }
      const { data } = await handlers.exportElectricFences(asked, call())
      const read = readFences(data.text, { radiusM: 30, unnamed: '未命名' })
      expect(read.problem).toBeNull()
      expect(read.fences.map(({ problem }) => problem)).toEqual([null, null])
      const [shape, round] = read.fences.map(({ draft }) => draft!)
      expect(shape).toMatchObject({ name: '方 & <圆>', capacity: 12, hours })
      expect('ring' in shape!.shape && [shape!.shape.ring.length, shape!.shape.holes.length]).toEqual([5, 1])
      expect(round).toMatchObject({ name: '圆', capacity: 10, hours, shape: { radiusM: 20 } })
    }
  })

  it('say of each feature what is wrong with it', () => {
    const list =
      '名称,经度,纬度,半径,容量\n东门,120.61,31.3,25,8\n西门,x,31.3\n北门,120.62,31.31,99999\n南门,120.63,31.3,,-1'
    const asked = { radiusM: 30, unnamed: '未命名' }
    const read = readFences(list, asked)
    expect(read.fences.map(({ name, problem }) => [name, problem])).toEqual([
      ['东门', null],
      ['西门', 'place'],
      ['北门', 'radius'],
      ['南门', 'capacity'],
    ])
    const wrong = ['', '{', '<kml>', '<!DOCTYPE x [<!ENTITY a "b">]><kml/>', '{"type":"FeatureCollection"}']
    expect(wrong.map((text) => readFences(text, asked).problem)).toEqual([
      'empty',
      'geojson',
      'kml',
      'kml',
      'no_features',
    ])
    const line = '{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[]}}'
    expect(readFences(line, asked).fences[0]).toMatchObject({ name: '未命名 1', problem: 'shape_unknown' })
    expect(readFences('x'.repeat(2_000_001), asked).problem).toBe('too_large')
  })
})
