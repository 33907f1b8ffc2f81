import { describe, expect, test } from 'vitest'
import { planeM } from '@saddle/geo/earth.ts'
import { navigationLinks } from '#kit/map/navigation.ts'
import { distanceText } from '#kit/format.ts'
import { groupsOf, lengthOf, routeOf } from './rules.ts'

const at = (lat: number, lng: number) => ({ lat, lng })

describe('the way through my tasks', () => {
  test('visits every place once and crosses no way of its own', () => {
    const stops = [at(0, 0.03), at(0, 0.01), at(0.01, 0.02), at(0, 0.02), at(0.01, 0.01)]
    const order = routeOf(at(0, 0), stops)
    expect(order.toSorted()).toEqual([0, 1, 2, 3, 4])
    const length = (way: readonly number[]) =>
      lengthOf(
        at(0, 0),
        way.map((index) => stops[index]!),
      )
    // Within a tenth of the best of all hundred and twenty.
    const all = (rest: number[]): number[][] =>
      rest.length === 0
        ? [[]]
        : rest.flatMap((one) => all(rest.filter((other) => other !== one)).map((way) => [one].concat(way)))
    expect(length(order)).toBeLessThan(1.1 * Math.min(...all([0, 1, 2, 3, 4]).map(length)))
  })

  test('is empty without places, and begins at the first without a start', () => {
    expect(routeOf(null, [])).toEqual([])
    expect(routeOf(null, [at(1, 1), at(1, 1.1)])).toEqual([0, 1])
  })

  test('is told in metres and kilometres', () => {
    expect(planeM(at(31, 121), at(31.01, 121))).toBeCloseTo(1112, 0)
    expect([4, 823, 996, 3_420, 25_400].map(distanceText)).toEqual(['0 m', '820 m', '1.0 km', '3.4 km', '25 km'])
  })
})

test('a navigation link is in the datum of whom it goes to', () => {
  const links = navigationLinks({ lat: 31.2304, lng: 121.4737 }, 'SD100001')
  expect(links.device).toBe('geo:31.230400,121.473700?q=31.230400%2C121.473700(SD100001)')
  const to = new URL(links.amap).searchParams.get('to')?.split(',') ?? []
  expect(Number(to[0])).toBeCloseTo(121.4782, 3)
  expect(Number(to[1])).toBeCloseTo(31.2285, 3)
  expect(to[2]).toBe('SD100001')
})

test('tasks on top of each other are one dot, in the order of the way', () => {
  const list = [at(31, 121), at(31.01, 121), at(31.0001, 121), at(31.001, 121)].map((place) => ({ place }))
  expect(groupsOf(list).map((group) => group.map((one) => list.indexOf(one)))).toEqual([[0, 2], [1], [3]])
})
