import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeTrack, encodeTrack, placeOnTrack, trackMaxPoints, type TrackPoint } from './track.ts'

const start = Date.UTC(2026, 10, 21)
const point = (seconds: number, lat: number, lng: number, parts: Partial<TrackPoint> = {}): TrackPoint => ({
  at: start + seconds * 1000,
  lat,
  lng,
  batteryPercent: 80,
  locked: false,
  unsure: false,
  ...parts,
})

const micro = (low: number, high: number) => fc.integer({ min: low * 1e6, max: high * 1e6 }).map((value) => value / 1e6)
const anyTrack = fc
  .array(
    fc.record({
      seconds: fc.nat(100_000),
      lat: micro(-90, 90),
      lng: micro(-180, 180),
      batteryPercent: fc.option(fc.integer({ min: 0, max: 100 })),
      locked: fc.boolean(),
      unsure: fc.boolean(),
    }),
    { maxLength: 60 },
  )
  .map((steps) => {
    let at = start
    return steps.map(({ seconds, ...rest }): TrackPoint => {
      at += seconds * 1000
      return { at, ...rest }
    })
  })

describe('track codec', () => {
  it('gives back what was put in', () => {
    fc.assert(
      fc.property(anyTrack, (track) => {
        expect(decodeTrack(encodeTrack(track))).toEqual(track)
      }),
    )
  })

  it('takes a few bytes a point', () => {
    const ride = Array.from({ length: 500 }, (_, index) => point(index * 8, 31.26 + index * 2e-4, 120.7 + index * 1e-4))
    expect(encodeTrack(ride).length / ride.length).toBeLessThan(7)
  })

  it('refuses what is no track, in bounded time and memory', () => {
    const whole = encodeTrack([point(0, 31, 120), point(8, 31.001, 120.001)])
    for (let length = 0; length < whole.length; length++) {
      expect(() => decodeTrack(whole.subarray(0, length)), `cut at ${length}`).toThrow(RangeError)
    }
    expect(() => decodeTrack(Uint8Array.from([...whole, 0]))).toThrow('left over')
    expect(() => decodeTrack(Uint8Array.from([2, 0]))).toThrow('not a track')
    expect(() => decodeTrack(Uint8Array.from([1, 255, 255, 255, 255, 127]))).toThrow('cut short')
    expect(() => decodeTrack(Uint8Array.from([1, ...Array.from({ length: 9 }, () => 255)]))).toThrow('too long')
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          expect(decodeTrack(bytes).length).toBeLessThanOrEqual(50)
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
      }),
    )
  })

  it('writes no track whose time goes back, and none without end', () => {
    expect(() => encodeTrack([point(8, 31, 120), point(0, 31, 120)])).toThrow('go back')
    const endless = Array.from({ length: trackMaxPoints + 1 }, (_, index) => point(index, 31, 120))
    expect(() => encodeTrack(endless)).toThrow('too many')
  })
})

describe('place on a track', () => {
  const track = [point(0, 31, 120), point(10, 31.1, 120.2, { batteryPercent: 79 }), point(20, 31.1, 120.2)]

  it('stands on the line between two points, and at the ends beyond them', () => {
    expect(placeOnTrack(track, start + 5_000)).toEqual({
      lat: expect.closeTo(31.05, 9) as number,
      lng: expect.closeTo(120.1, 9) as number,
      batteryPercent: 80,
    })
    expect(placeOnTrack(track, start + 10_000)).toMatchObject({ lat: 31.1, batteryPercent: 79 })
    expect(placeOnTrack(track, start - 1)).toMatchObject({ lat: 31, lng: 120 })
    expect(placeOnTrack(track, start + 99_000)).toMatchObject({ lat: 31.1, lng: 120.2 })
    expect(placeOnTrack([], start)).toBeNull()
  })
})
