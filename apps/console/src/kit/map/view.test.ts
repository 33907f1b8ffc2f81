import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundsAt, contains, formatViewpoint, isSameView, parseViewpoint, widen } from './view.ts'

describe('view in the link', () => {
  it('reads longitude, latitude and zoom', () => {
    expect(parseViewpoint('120.75,31.31,13.5')).toEqual({ lng: 120.75, lat: 31.31, zoom: 13.5 })
    expect(parseViewpoint('-70,-33.4,4')).toEqual({ lng: -70, lat: -33.4, zoom: 4 })
  })

  it.each([
    null,
    '',
    '120,31',
    '120,31,13,1',
    '200,31,13',
    '120,89,13',
    '120,31,40',
    '120,31,',
    'a,b,c',
    '1e2,31,13',
    'NaN,1,1',
  ])('refuses %s', (text) => {
    expect(parseViewpoint(text)).toBeNull()
  })

  it('comes back as it was written, to about a metre', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.double({ min: -85, max: 85, noNaN: true }),
        fc.double({ min: 0, max: 22, noNaN: true }),
        (lng, lat, zoom) => {
          const read = parseViewpoint(formatViewpoint({ lng, lat, zoom }))
          expect(read).not.toBeNull()
          expect(Math.abs((read?.lng ?? 999) - lng)).toBeLessThan(1e-5)
          expect(Math.abs((read?.lat ?? 999) - lat)).toBeLessThan(1e-5)
        },
      ),
    )
  })
})

describe('bounds', () => {
  const bounds = { west: 120, south: 31, east: 121, north: 32 }

  it('widens by a share on each side and stays on the globe', () => {
    expect(widen(bounds, 0.5)).toEqual({ west: 119.5, south: 30.5, east: 121.5, north: 32.5 })
    expect(widen({ west: -179, south: -89, east: 179, north: 89 }, 1)).toEqual({
      west: -180,
      south: -90,
      east: 180,
      north: 90,
    })
  })

  it('knows what a map shows before it is there', () => {
    const seen = boundsAt({ lng: 120.72, lat: 31.26, zoom: 12.4 }, { width: 1024, height: 512 })
    expect(seen.east - seen.west).toBeCloseTo((1024 / (512 * 2 ** 12.4)) * 360, 9)
    expect((seen.north + seen.south) / 2).toBeCloseTo(31.26, 3)
    expect((seen.north - seen.south) / (seen.east - seen.west)).toBeCloseTo(Math.cos((31.26 * Math.PI) / 180) / 2, 4)
    expect(boundsAt({ lng: 0, lat: 0, zoom: 0 }, { width: 512, height: 512 }).north).toBeCloseTo(85.0511, 3)
  })

  it('takes views that differ by less than a pixel for the same', () => {
    expect(isSameView(bounds, { ...bounds, west: 120.0005 })).toBe(true)
    expect(isSameView(bounds, { ...bounds, west: 120.01 })).toBe(false)
  })

  it('knows what lies inside', () => {
    expect(contains(bounds, { lng: 120.5, lat: 31.5 })).toBe(true)
    expect(contains(bounds, { lng: 119.9, lat: 31.5 })).toBe(false)
    expect(contains(bounds, { lng: 120.5, lat: 32.1 })).toBe(false)
  })
})
