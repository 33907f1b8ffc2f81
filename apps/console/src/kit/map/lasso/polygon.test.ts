import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInside, type Corner } from './polygon.ts'

const square: Corner[] = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
]

describe('a drawn shape', () => {
  it('holds what lies in it and nothing else', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -20, max: 20, noNaN: true }),
        fc.double({ min: -20, max: 20, noNaN: true }),
        (lng, lat) => {
          fc.pre(lng !== 0 && lng !== 10 && lat !== 0 && lat !== 10)
          expect(isInside(square, { lng, lat })).toBe(lng > 0 && lng < 10 && lat > 0 && lat < 10)
        },
      ),
    )
  })

  it('may be bent inwards, and is nothing before its third corner', () => {
    const bent: Corner[] = [...square, [5, 5]]
    expect(isInside(bent, { lng: 1, lat: 5 })).toBe(false)
    expect(isInside(bent, { lng: 8, lat: 5 })).toBe(true)
    expect(isInside(square.slice(0, 2), { lng: 5, lat: 0.1 })).toBe(false)
  })
})
