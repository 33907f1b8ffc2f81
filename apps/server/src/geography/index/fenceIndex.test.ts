import { expect, it } from 'vitest'
import { createFenceIndex } from './fenceIndex.ts'

it('has an end for shapes beyond the world, and holds what is in it', () => {
  const index = createFenceIndex([
    {
      ring: [
        [120, 31],
        [9e15, 31],
        [9e15, 32],
        [120, 32],
        [120, 31],
      ],
    },
    { centre: { lng: -9e15, lat: 9e15 }, radiusM: 9e15 },
    {
      ring: [
        [Number.NaN, 31],
        [121, Number.NaN],
        [121, 32],
        [Number.NaN, 31],
      ],
    },
    { centre: { lng: 121, lat: 31.5 }, radiusM: 100 },
  ])
  const found: number[] = []
  index.visit(121, 31.5, (at) => found.push(at))
  expect(found).toContain(0)
  expect(found).toContain(3)
})
