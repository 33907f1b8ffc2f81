import { expect, it } from 'vitest'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { metresPerDegree } from '@saddle/geo/earth.ts'
import { areaFencesOf } from '#geography/public.ts'
import { effectOf } from './effect.ts'

const centre = { lat: 31.3, lng: 120.6 }
const at = (northM: number) => ({ lat: centre.lat + northM / metresPerDegree, lng: centre.lng })
const ring: [number, number][] = [
  [120.5, 31.2],
  [120.7, 31.2],
  [120.7, 31.4],
  [120.5, 31.4],
  [120.5, 31.2],
]
const fence = (id: number, northM: number, changes: Partial<Fence> = {}): Fence => ({
  id,
  lineId: id,
  agentId: 3,
  areaId: 31,
  kind: 'parking',
  name: `place ${id}`,
  centre: at(northM),
  ring: null,
  holes: [],
  radiusM: 30,
  capacity: 10,
  hours: null,
  photoIds: [],
  version: 1,
  validFrom: 0,
  authorName: '',
  note: '',
  ...changes,
})
const noon = Date.UTC(2026, 10, 20, 4)
const returns = [0, 0, 0, 500, 500, 900].map((northM, index) =>
  Object.assign({ orderId: index + 1, at: noon }, at(northM)),
)

it('counts what would have been charged, what would have been free, and names them', async () => {
  const before = areaFencesOf([fence(1, 0), fence(2, 2_000)], ring)
  const after = areaFencesOf([fence(2, 2_000), fence(3, 500)], ring)
  const effect = await effectOf(returns, { before, after, isNoStopRefused: false })
  expect(effect).toMatchObject({ returns: 6, refused: 0, charged: 3, better: 2 })
  expect(effect.before).toMatchObject({ in_place: 3, out_of_place: 3 })
  expect(effect.after).toMatchObject({ in_place: 2, out_of_place: 4 })
  expect(effect.examples.map(({ orderId }) => orderId)).toEqual([1, 2, 3, 4, 5])
  expect(effect.points.map(({ before: was, after: is }) => `${was} ${is}`)).toEqual([
    ...Array.from({ length: 3 }, () => 'in_place out_of_place'),
    ...Array.from({ length: 2 }, () => 'out_of_place in_place'),
    'out_of_place out_of_place',
  ])
  expect(effect.points[5], 'what does not change comes last').toMatchObject(at(900))
})

it('asks which places were open at the time', async () => {
  const night = { opensMinute: 1_320, closesMinute: 360 }
  const before = areaFencesOf([fence(1, 0)], ring)
  const after = areaFencesOf([fence(1, 0, { hours: night }), fence(2, 5_000)], ring)
  expect(await effectOf(returns, { before, after, isNoStopRefused: false })).toMatchObject({ charged: 3, better: 0 })
  const late = returns.map(({ orderId, lat, lng }) => ({ orderId, lat, lng, at: noon + 12 * hourMs }))
  expect(await effectOf(late, { before, after, isNoStopRefused: false })).toMatchObject({ charged: 0, better: 0 })
})

it('tells what would have been refused from what would only have cost a fee', async () => {
  const before = areaFencesOf([fence(1, 0)], ring)
  // Around the place and over the street where two were left, which cost a fee already.
  const after = areaFencesOf([fence(2, 5_000), fence(4, 500, { kind: 'no_stop' })], ring)
  expect(await effectOf(returns, { before, after, isNoStopRefused: true })).toMatchObject({ refused: 2, charged: 3 })
  expect(await effectOf(returns, { before, after, isNoStopRefused: false })).toMatchObject({ refused: 0, charged: 3 })
})
