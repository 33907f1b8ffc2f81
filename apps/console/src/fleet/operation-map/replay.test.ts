import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeStretches, encodeStretches, type PastStretch } from '@saddle/contract/telemetry/past.ts'
import { encodeTrack } from '@saddle/contract/telemetry/track.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { createReplay } from './replay.ts'

const at0 = 1_700_000_000_000
const place = (lng: number) => ({ lat: 31, lng, batteryPercent: 50 })
const stay = (vehicleId: number, lng: number): PastStretch => ({
  vehicleId,
  kind: 'stay',
  startedAt: at0,
  endedAt: at0,
  start: place(lng),
  end: place(lng),
  points: new Uint8Array(0),
})
const ride: PastStretch = {
  vehicleId: 1,
  kind: 'trip',
  startedAt: at0 + minuteMs,
  endedAt: at0 + 160_000,
  start: place(120),
  end: place(120.1),
  points: encodeTrack(
    [0, 100].map((seconds) =>
      Object.assign(place(120 + seconds / 1000), { at: at0 + minuteMs + seconds * 1000, locked: false, unsure: false }),
    ),
  ),
}

describe('the replay of a fleet', () => {
  it('moves who rides and leaves the others where they stand, whatever order parts come in', () => {
    const replay = createReplay()
    replay.add([ride])
    replay.add([stay(1, 120), stay(2, 121)])
    replay.setStates([
      { id: 2, state: 'missing', ...place(121) },
      { id: 1, state: 'available', ...place(120) },
    ])
    const at = (ms: number) => replay.placesAt(ms).toSorted((a, b) => a.id - b.id)
    expect(at(at0)).toMatchObject([
      { lng: 120, state: 'available' },
      { lng: 121, state: 'missing' },
    ])
    const [riding] = at(at0 + 110_000)
    expect(riding?.state).toBe('on_trip')
    expect(riding?.lng).toBeCloseTo(120.05)
    expect(at(at0 + 900_000)[0]).toMatchObject({ lng: 120.1, state: 'available' })
    expect(at(at0 - 1)).toEqual([])
  })

  it('shows the whole fleet at the moment it was asked for, at every millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 0, max: 10 ** 9 }), (milliseconds, seconds) => {
        const at = (1_000_000_000 + seconds) * 1000 + milliseconds
        const fleet = [1, 2, 3].map((id) => Object.assign(stay(id, 120), { startedAt: at, endedAt: at }))
        const replay = createReplay()
        replay.add(decodeStretches(encodeStretches(fleet)))
        expect(replay.placesAt(at).map((one) => one.id)).toEqual([1, 2, 3])
      }),
      { numRuns: 1000 },
    )
  })
})
