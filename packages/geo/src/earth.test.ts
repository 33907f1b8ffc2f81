import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boxAround, cornersOfCircle, greatCircleM, metresPerDegree, planeM, planeOf } from './earth.ts'

const shanghai = { lat: 31.2304, lng: 121.4737 }
const suzhou = { lat: 31.2989, lng: 120.5853 }

describe('distances', () => {
  it('knows the way between two cities', () => {
    expect(greatCircleM(shanghai, suzhou)).toBeCloseTo(84_763, -2)
    expect(greatCircleM({ lat: 0, lng: 0 }, { lat: 1, lng: 0 })).toBeCloseTo(metresPerDegree, 0)
    expect(greatCircleM({ lat: 0, lng: 0 }, { lat: 0, lng: 180 })).toBeCloseTo(Math.PI * 6_371_008.8, 3)
    expect(planeM(shanghai, shanghai)).toBe(0)
  })

  const lat = fc.double({ min: -60, max: 60, noNaN: true })
  const share = fc.double({ min: -1, max: 1, noNaN: true })
  it.each([
    [20_000, 1e-5],
    [100_000, 2e-4],
  ])('the plane differs from the great circle by little over %i m', (reachM, error) => {
    fc.assert(
      fc.property(lat, share, share, (at, north, east) => {
        const from = { lat: at, lng: 100 }
        const side = reachM / Math.SQRT2 / metresPerDegree
        const to = { lat: at + north * side, lng: 100 + (east * side) / Math.cos((at * Math.PI) / 180) }
        const exact = greatCircleM(from, to)
        expect(Math.abs(planeM(from, to) - exact)).toBeLessThanOrEqual(exact * error + 0.001)
      }),
      { numRuns: 2_000 },
    )
  })

  it('a plane of one origin is the same way there', () => {
    const { x, y } = planeOf(suzhou, { lat: suzhou.lat + 0.01, lng: suzhou.lng - 0.01 })
    expect(y).toBeCloseTo(1_112, 0)
    expect(x).toBeCloseTo(-950, 0)
  })
})

it('a box and the corners of a circle lie at its radius', () => {
  const box = boxAround(suzhou, 500)
  expect(greatCircleM(suzhou, { lat: box.north, lng: suzhou.lng })).toBeCloseTo(500, 1)
  expect(greatCircleM(suzhou, { lat: suzhou.lat, lng: box.west })).toBeCloseTo(500, 1)
  expect(boxAround({ lat: 90, lng: 0 }, 500).east).toBeLessThan(1)
  for (const [lng, lat] of cornersOfCircle(suzhou, 500, 12)) {
    expect(greatCircleM(suzhou, { lat, lng })).toBeCloseTo(500, 0)
    expect(lng).toBeLessThanOrEqual(box.east)
  }
})
