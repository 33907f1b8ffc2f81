import { expect, test } from 'vitest'
import type { Position } from '@saddle/geo/earth.ts'
import { mainPart } from './mainPart.ts'

const town = [0, 1, 2, 3, 4].map((step): Position => [120.6 + step / 200, 31.2 + step / 200])

test('a map shows the town, and not the one point whose latitude and longitude were exchanged', () => {
  expect(mainPart([...town, [31.2, 20]])).toEqual(town)
})

test('points that lie apart evenly are all shown, and so is a single one', () => {
  const wide = town.map(([lng, lat]): Position => [lng, lat + (lng - 120.6) * 100])
  expect(mainPart(wide)).toEqual(wide)
  expect(mainPart(town.slice(0, 1))).toEqual(town.slice(0, 1))
  expect(mainPart([])).toEqual([])
})
