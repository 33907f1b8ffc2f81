import fc from 'fast-check'
import { expect, it } from 'vitest'
import { metresPerDegree, metresPerDegreeLng } from '@saddle/geo/earth.ts'
import { areaOf, outsideMarginM, zoneOf } from './zones.ts'

const square = areaOf([
  [120, 31],
  [120.1, 31],
  [120.1, 31.1],
  [120, 31.1],
  [120, 31],
])

it('knows inside, the margin, and beyond, on every side', () => {
  const north = (metres: number) => ({ lat: 31.1 + metres / metresPerDegree, lng: 120.05 })
  const west = (metres: number) => ({
    lat: 31.05,
    lng: 120 - metres / metresPerDegreeLng(31.05),
  })
  for (const side of [north, west]) {
    expect(zoneOf(square, side(-1))).toBe('inside')
    expect(zoneOf(square, side(1))).toBe('edge')
    expect(zoneOf(square, side(outsideMarginM - 1))).toBe('edge')
    expect(zoneOf(square, side(outsideMarginM + 1))).toBe('beyond')
  }
  expect(zoneOf(square, { lat: 31.1 + 40 / metresPerDegree, lng: 120.1 + 40 / metresPerDegree })).toBe('beyond')
})

it('a ring that bends back leaves its bay outside, closed or not, whichever way it goes round', () => {
  const ring = [
    [0, 0],
    [0.3, 0],
    [0.3, 0.3],
    [0.2, 0.3],
    [0.2, 0.1],
    [0.1, 0.1],
    [0.1, 0.3],
    [0, 0.3],
  ] as const
  for (const way of [ring, ring.toReversed(), [...ring, [0, 0] as const]]) {
    const area = areaOf(way)
    expect(zoneOf(area, { lat: 0.2, lng: 0.15 })).toBe('beyond')
    expect(zoneOf(area, { lat: 0.2, lng: 0.05 })).toBe('inside')
    expect(zoneOf(area, { lat: 0.05, lng: 0.15 })).toBe('inside')
  }
})

it('agrees with the plain comparison for a rectangle', () => {
  const near = (low: number) => fc.double({ min: low - 0.05, max: low + 0.15, noNaN: true })
  fc.assert(
    fc.property(near(31), near(120), (lat, lng) => {
      const isInside = lat > 31 && lat < 31.1 && lng > 120 && lng < 120.1
      const isOnEdge = [lat - 31, lat - 31.1, lng - 120, lng - 120.1].some((by) => Math.abs(by) < 1e-9)
      fc.pre(!isOnEdge)
      expect(zoneOf(square, { lat, lng }) === 'inside').toBe(isInside)
    }),
  )
})
