import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import { metresPerDegree, metresPerDegreeLng } from '@saddle/geo/earth.ts'
import { areaFencesOf, nearness } from '#geography/public.ts'
import { judgeReturn } from './judge.ts'

const centre = { lat: 31.3, lng: 120.6 }
/** A point at this distance in metres north and east of the centre. */
const at = (northM: number, eastM = 0) => ({
  lat: centre.lat + northM / metresPerDegree,
  lng: centre.lng + eastM / metresPerDegreeLng(centre.lat),
})
const square = (halfM: number): [number, number][] =>
  [at(-halfM, -halfM), at(-halfM, halfM), at(halfM, halfM), at(halfM, -halfM), at(-halfM, -halfM)].map(
    ({ lat, lng }) => [lng, lat],
  )
const fence = (changes: Partial<Fence>): Fence => ({
  id: 1,
  lineId: 1,
  agentId: 3,
  areaId: 31,
  kind: 'parking',
  name: '东门',
  centre,
  ring: null,
  holes: [],
  radiusM: 20,
  capacity: 10,
  hours: null,
  photoIds: [],
  version: 3,
  validFrom: 0,
  authorName: '',
  note: '',
  ...changes,
})
const places = [fence({}), fence({ id: 2, name: '西门', centre: at(0, -500) })]
const zone = fence({ id: 9, kind: 'no_stop', name: '学校', ring: square(120), radiusM: null })
const zones = areaFencesOf([...places, zone], square(1_000))

describe('where a vehicle is returned', () => {
  it.each([
    ['in a parking place', at(15), { kind: 'in_place', distanceM: 0 }, 1],
    ['a few metres beside it, as a fix may be off', at(29), { kind: 'in_place', distanceM: 0 }, 1],
    ['a parking place within a no-stop zone counts', at(0, 5), { kind: 'in_place' }, 1],
    ['in the no-stop zone', at(80), { kind: 'no_stop' }, 9],
    ['in the area, but in no place', at(0, -300), { kind: 'out_of_place' }, null],
    ['outside of the area', at(1_200), { kind: 'outside_area' }, null],
    ['on the border of the area', at(1_008), { kind: 'out_of_place' }, null],
    ['nobody knows where', null, { kind: 'unknown', distanceM: null }, null],
  ])('%s', (_, place, expected, fenceId) => {
    const judged = judgeReturn(place, zones)
    expect(judged).toMatchObject(expected)
    expect(judged.fence?.id ?? null).toBe(fenceId)
  })

  it('says how far the nearest place is', () => {
    expect(judgeReturn(at(0, -300), zones).distanceM).toBeCloseTo(180, 0)
  })

  it('lets a hole in a zone be no part of it', () => {
    const ring = areaFencesOf([{ ...zone, holes: [square(60)] }, places[1]!], square(1_000))
    expect(judgeReturn(at(80), ring).kind).toBe('no_stop')
    expect(judgeReturn(at(50), ring).kind).toBe('out_of_place')
  })

  it('takes vehicles everywhere where there are no places', () => {
    const free = areaFencesOf([], square(1_000))
    expect(judgeReturn(at(700), free).kind).toBe('in_place')
    expect(judgeReturn(at(1_300), free)).toMatchObject({ kind: 'outside_area' })
    expect(judgeReturn(at(1_300), free).distanceM).toBeCloseTo(300, 0)
  })
})

it('finds the same nearest place as looking at all of them does', () => {
  const metres = fc.integer({ min: -3_000, max: 3_000 })
  const somewhere = fc.tuple(metres, metres)
  const shape = fc.record({ corner: somewhere, size: fc.integer({ min: 4, max: 900 }), isRound: fc.boolean() })
  const fenceAt = (
    { corner: [northM, eastM], size, isRound }: { corner: [number, number]; size: number; isRound: boolean },
    index: number,
  ): Fence => {
    const around = [at(northM, eastM), at(northM + size, eastM), at(northM, eastM + size), at(northM, eastM)]
    const ring = isRound ? null : around.map(({ lat, lng }): [number, number] => [lng, lat])
    return fence({ id: index, centre: at(northM, eastM), ring, radiusM: isRound ? size : null })
  }
  fc.assert(
    fc.property(fc.array(shape, { minLength: 1, maxLength: 30 }), somewhere, (shapes, [northM, eastM]) => {
      const places = shapes.map(fenceAt)
      const from = at(northM, eastM)
      const distances = places.map((place) => nearness(from, place).distanceM)
      const nearest = areaFencesOf(places, square(5_000)).nearestParking(from)
      expect(nearest?.distanceM).toBe(Math.min(...distances))
      expect(nearest?.fence.id).toBe(distances.indexOf(Math.min(...distances)))
    }),
  )
})
