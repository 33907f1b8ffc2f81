import { expect, it } from 'vitest'
import { roadNearMaxM } from '@saddle/contract/geography/fences.ts'
import { metresPerDegree } from '@saddle/geo/earth.ts'
import { createRoadIndex, createRoadSearch } from './streets.ts'

const streets = [
  {
    name: '人民路',
    line: [
      [120.7, 31.25],
      [120.7, 31.27],
    ],
  },
  {
    name: '桥东街',
    line: [
      [120.69, 31.26],
      [120.705, 31.26],
      [120.72, 31.261],
    ],
  },
] satisfies Parameters<typeof createRoadIndex>[0]
const road = createRoadIndex(streets)
const north = (metres: number): number => metres / metresPerDegree

it('tells the nearest road and how far it is', () => {
  expect(road({ lat: 31.255, lng: 120.7 })).toEqual({ name: '人民路', distanceM: 0 })
  const found = road({ lat: 31.26 + north(40), lng: 120.693 })
  expect(found?.name).toBe('桥东街')
  expect(found?.distanceM).toBeCloseTo(40, 0)
})

it('knows of a long piece at each of its places, and of none that is too far', () => {
  expect(road({ lat: 31.2699, lng: 120.7001 })?.name).toBe('人民路')
  expect(road({ lat: 31.27 + north(roadNearMaxM - 1), lng: 120.7 })?.name).toBe('人民路')
  expect(road({ lat: 31.27 + north(roadNearMaxM + 1), lng: 120.7 })).toBeNull()
  expect(createRoadIndex([])({ lat: 31.26, lng: 120.7 })).toBeNull()
})

it('finds roads by a part of their name, all pieces of one name as one', () => {
  const further = { name: '人民路', line: [[120.7, 31.28] as const, [120.71, 31.29] as const] }
  const find = createRoadSearch([...streets, further, { name: '新人民路', line: [[120.6, 31.2] as const] }])
  expect(find('人民')).toEqual([
    { name: '人民路', bounds: { west: 120.7, south: 31.25, east: 120.71, north: 31.29 } },
    { name: '新人民路', bounds: { west: 120.6, south: 31.2, east: 120.6, north: 31.2 } },
  ])
  expect(find('桥东').map(({ name }) => name)).toEqual(['桥东街'])
  expect(find('没有')).toEqual([])
})
