import type { Ring } from '@saddle/geo/ring.ts'
import { expect, it } from 'vitest'
import { boundaryProblem } from './boundary.ts'

const square = (west: number, south: number, size = 0.1): Ring => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
]

it('a boundary is a ring between the size of a square of a hundred metres and of a municipality', () => {
  expect(boundaryProblem(square(120, 31))).toBeNull()
  expect(boundaryProblem(square(120, 31).slice(0, 4))).toBe('open')
  expect(boundaryProblem(square(120, 31, 0.0005))).toBe('small')
  expect(boundaryProblem(square(100, 20, 12))).toBe('large')
})
