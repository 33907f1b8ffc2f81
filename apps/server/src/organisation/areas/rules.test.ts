import { expect, it } from 'vitest'
import { centreOf, type Position } from './rules.ts'

const square: Position[] = [
  [120, 31],
  [121, 31],
  [121, 32],
  [120, 32],
  [120, 31],
]

it('the centre of a square is its middle, whichever way round it is drawn', () => {
  for (const ring of [square, square.toReversed()]) {
    const centre = centreOf(ring)
    expect(centre.lat).toBeCloseTo(31.5, 9)
    expect(centre.lng).toBeCloseTo(120.5, 9)
  }
})

it('many points on one side do not pull the centre to it', () => {
  const dense: Position[] = Array.from({ length: 50 }, (_, index) => [120, 32 - index / 50])
  const centre = centreOf([...square.slice(0, 3), ...dense, [120, 31]])
  expect(centre.lng).toBeCloseTo(120.5, 9)
  expect(centre.lat).toBeCloseTo(31.5, 9)
})

it('a ring without area has its first point', () => {
  const line: Position[] = [
    [120, 31],
    [121, 31],
    [120, 31],
  ]
  expect(centreOf(line)).toEqual({ lat: 31, lng: 120 })
})
