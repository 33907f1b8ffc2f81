import type { Ring } from '@saddle/geo/ring.ts'
import { expect, it } from 'vitest'
import { ringProblem } from './ring.ts'

const square = (west: number, south: number, size = 0.1): Ring => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
]

it('a boundary is a ring between the size of a square of a hundred metres and of a municipality', () => {
  expect(ringProblem(square(120, 31))).toBeNull()
  expect(ringProblem(square(120, 31).slice(0, 4))).toBe('open')
  expect(ringProblem(square(120, 31, 0.0005))).toBe('small')
  expect(ringProblem(square(100, 20, 12))).toBe('large')
})
