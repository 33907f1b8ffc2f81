import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areaKm2Of, isInRing, ringFault, ringsOverlap, type Ring } from './ring.ts'

const square = (west: number, south: number, size = 0.1): Ring => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
]

describe('a boundary', () => {
  it('is a closed ring that does not meet itself', () => {
    expect(ringFault(square(120, 31))).toBeNull()
    expect(ringFault(square(120, 31).toReversed())).toBeNull()
    const wrong: [Ring, string][] = [
      [[], 'few_points'],
      [square(120, 31).slice(0, 3), 'few_points'],
      [square(120, 31).slice(0, 4), 'open'],
      [square(179.95, 31), 'outside_world'],
      [
        [
          [120, 31],
          [Number.NaN, 31],
          [120.1, 31.1],
          [120, 31],
        ],
        'outside_world',
      ],
      [
        [
          [120, 31],
          [120.1, 31.1],
          [120.1, 31],
          [120, 31.1],
          [120, 31],
        ],
        'crossing',
      ],
      [
        [
          [120, 31],
          [120.1, 31],
          [120.1, 31.1],
          [120.1, 31],
          [120, 31],
        ],
        'repeated',
      ],
      [
        [
          [120, 31],
          [120.1, 31],
          [120.05, 31],
          [120, 31.1],
          [120, 31],
        ],
        'crossing',
      ],
      // A corner that touches the far side splits the area in two.
      [
        [
          [120, 31],
          [120.1, 31],
          [120.1, 31.1],
          [120.05, 31],
          [120, 31.1],
          [120, 31],
        ],
        'crossing',
      ],
    ]
    expect(wrong.map(([ring]) => ringFault(ring))).toEqual(wrong.map(([, problem]) => problem))
  })

  it('has the size that a map says', () => {
    // One hundredth of a degree at 31° north: 1.1119 km by 0.9531 km.
    expect(areaKm2Of(square(120, 31, 0.01))).toBeCloseTo(1.0597, 3)
  })

  it('drawn around a centre by angle never crosses itself', () => {
    const star = fc.array(fc.double({ min: 0.3, max: 1, noNaN: true }), { minLength: 8, maxLength: 60 })
    fc.assert(
      fc.property(star, (radii) => {
        const corners = radii.map((radius, index): [number, number] => {
          const angle = (2 * Math.PI * index) / radii.length
          return [120 + 0.1 * radius * Math.cos(angle), 31 + 0.1 * radius * Math.sin(angle)]
        })
        expect(ringFault([...corners, corners[0]!])).toBeNull()
      }),
    )
  })

  it('that is even crosses itself once two distant corners change places', () => {
    const even = fc.record({
      count: fc.integer({ min: 8, max: 60 }),
      radius: fc.double({ min: 0.3, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(even, ({ count, radius }) => {
        const corners = Array.from({ length: count }, (_, index): [number, number] => {
          const angle = (2 * Math.PI * index) / count
          return [120 + 0.1 * radius * Math.cos(angle), 31 + 0.1 * radius * Math.sin(angle)]
        })
        const [a, b] = [0, Math.floor(count / 2)]
        const swapped = corners.with(a, corners[b]!).with(b, corners[a]!)
        expect(ringFault([...swapped, swapped[0]!])).toBe('crossing')
      }),
    )
  })
})

describe('two boundaries', () => {
  it('overlap when they share an inside, not when they share a line or a corner', () => {
    const here = square(120, 31)
    expect(ringsOverlap(here, square(120.05, 31.05))).toBe(true)
    expect(ringsOverlap(here, here)).toBe(true)
    expect(ringsOverlap(here, square(120.02, 31.02, 0.02))).toBe(true)
    expect(ringsOverlap(square(120.02, 31.02, 0.02), here)).toBe(true)
    expect(ringsOverlap(here, square(120.1, 31))).toBe(false)
    expect(ringsOverlap(here, square(120.1, 31.1))).toBe(false)
    expect(ringsOverlap(here, square(121, 31))).toBe(false)
  })

  it('agree with the boxes that they are, on a net whose places have no rounding', () => {
    const box = fc.record({ west: fc.integer({ min: 0, max: 20 }), south: fc.integer({ min: 0, max: 20 }) })
    fc.assert(
      fc.property(box, box, (one, other) => {
        const ring = ({ west, south }: typeof one): Ring => square(120 + west / 64, 31 + south / 64, 10 / 64)
        const [a, b] = [ring(one), ring(other)]
        const isShared = Math.abs(one.west - other.west) < 10 && Math.abs(one.south - other.south) < 10
        expect(ringsOverlap(a, b)).toBe(isShared)
      }),
    )
  })
})

it('a place is inside or not', () => {
  expect(isInRing(square(120, 31), [120.05, 31.05])).toBe(true)
  expect(isInRing(square(120, 31), [120.15, 31.05])).toBe(false)
})
