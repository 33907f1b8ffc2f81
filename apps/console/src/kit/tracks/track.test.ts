import { describe, expect, it } from 'vitest'
import type { Stretch } from '@saddle/contract/fleet/past.ts'
import { encodeTrack } from '@saddle/contract/telemetry/track.ts'
import { toBase64Url } from '@saddle/contract/wire/bytes.ts'
import { boundsOf, lineOf, placeAt, wayOf } from './track.ts'

const at0 = 1_700_000_000_000
const place = (lng: number) => ({ lat: 31, lng, batteryPercent: 50 })
const point = (seconds: number, lng: number) => ({
  at: at0 + seconds * 1000,
  ...place(lng),
  locked: false,
  unsure: false,
})
const ride: Stretch = {
  kind: 'trip',
  startedAt: at0,
  endedAt: at0 + 100_000,
  start: place(120),
  end: place(120.1),
  distanceM: 9_500,
  open: false,
  points: toBase64Url(encodeTrack([point(0, 120), point(100, 120.1)])),
}
const stay: Stretch = {
  ...ride,
  kind: 'stay',
  startedAt: at0 + 400_000,
  endedAt: at0 + 500_000,
  start: place(120.5),
  end: place(120.5),
  points: '',
}
const way = wayOf([ride, stay])

describe('a way', () => {
  it('is where the vehicle was at every moment of it', () => {
    expect(placeAt(way, at0 - 1)?.lng).toBeCloseTo(120)
    expect(placeAt(way, at0 + 50_000)?.lng).toBeCloseTo(120.05)
    expect(placeAt(way, at0 + 200_000)?.lng, 'between two legs').toBeCloseTo(120.1)
    expect(placeAt(way, at0 + 450_000)?.lng).toBeCloseTo(120.5)
    expect(placeAt(way, at0 + 900_000)?.lng).toBeCloseTo(120.5)
  })

  it('is drawn where somebody rode, and fits the map', () => {
    expect(lineOf(way).features).toHaveLength(1)
    const [west, , east] = boundsOf(way)!
    expect(west).toBeLessThan(120)
    expect(east).toBeGreaterThan(120.5)
    expect(boundsOf(wayOf([]))).toBeNull()
    expect(placeAt(wayOf([]), at0)).toBeNull()
  })
})
