import fc from 'fast-check'
import { expect, it } from 'vitest'
import { vehicleStates } from '../fleet/vehicles.ts'
import { decodeMoment, decodeStretches, encodeMoment, encodeStretches } from './past.ts'

const degrees = (limit: number) => fc.integer({ min: -limit * 1e6, max: limit * 1e6 }).map((value) => value / 1e6)
const battery = fc.option(fc.integer({ min: 0, max: 100 }))
const place = { lat: degrees(90), lng: degrees(180) }
const id = fc.integer({ min: 1, max: 2 ** 32 - 1 })
const time = fc.integer({ min: 0, max: 2 ** 42 })

const vehicle = fc.record({ id, ...place, batteryPercent: battery, state: fc.constantFrom(...vehicleStates) })
const stretch = fc.record({
  vehicleId: id,
  kind: fc.constantFrom('trip' as const, 'stay' as const),
  startedAt: time,
  endedAt: time,
  start: fc.record({ ...place, batteryPercent: battery }),
  end: fc.record({ ...place, batteryPercent: battery }),
  points: fc.uint8Array({ maxLength: 30 }),
})

it('gives back a moment and its stretches', () => {
  fc.assert(
    fc.property(fc.array(vehicle), fc.array(stretch), (vehicles, stretches) => {
      expect(decodeMoment(encodeMoment(vehicles))).toEqual(vehicles)
      expect(decodeStretches(encodeStretches(stretches))).toEqual(stretches)
    }),
  )
})

it('refuses bytes that are cut, too long, or something else', () => {
  fc.assert(
    fc.property(fc.array(stretch, { minLength: 1 }), fc.nat(), (stretches, cut) => {
      const whole = encodeStretches(stretches)
      expect(() => decodeStretches(whole.subarray(0, cut % whole.length))).toThrow(RangeError)
      expect(() => decodeStretches(Uint8Array.from([...whole, 0]))).toThrow('left over')
      expect(() => decodeMoment(whole)).toThrow(RangeError)
    }),
  )
  expect(() => decodeMoment(Uint8Array.from([1, 0, 0, 0, 255, 255, 255, 255]))).toThrow('wrong length')
  expect(() => decodeStretches(Uint8Array.from([3, 0, 0, 0, 255, 255, 255, 255]))).toThrow('cut short')
})
