import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { ProtocolError } from '../error.ts'
import { decodeMqtt } from './codec.ts'
import { readUsualMessage } from './usual.ts'
import { thorough } from '../../../../scripts/lib/thorough.mjs'

const deviceId = '861234567890123'
const topic = `saddle/v1/${deviceId}/up/report`
const numRuns = thorough({ normal: 20_000, long: 200_000, full: 1_000_000 })

function outcome(text: string): unknown {
  try {
    return decodeMqtt({ topic, payload: Buffer.from(text) })
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return error.reason
  }
}

const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`))
const numberText = fc
  .tuple(fc.constantFrom('', '-'), digits(17), fc.constantFrom('', '.'), fc.option(digits(18), { nil: '' }))
  .map((parts) => parts.join(''))
const reading = fc.double({ min: -1e9, max: 1e9, noNaN: true }).map(String)
const degrees = fc.double({ min: -90, max: 90, noNaN: true }).map((value) => value.toFixed(6))
const strange = fc.constantFrom(
  '-0',
  '0',
  '00',
  '1.',
  '.5',
  '-',
  '1e3',
  '0.0',
  '-0.0',
  'null',
  '"1"',
  '[]',
  'tru',
  '9e999',
)
const value = fc.oneof(numberText, reading, degrees, fc.constantFrom('true', 'false'), strange)
const facts = ['batteryPercent', 'voltageV', 'signal', 'odometerM', 'locked', 'charging'] as const
const known = ['at', 'seq', 'lat', 'lng', 'fix', 'speedKmh', 'headingDeg', 'altitudeM', 'satellites', ...facts] as const
const name = fc.constantFrom(
  ...known,
  'compartmentOpen',
  'alarms',
  'Lat',
  'las',
  'l',
  '',
  'x\\u0061',
  'voltageW',
  '__proto__',
)
const pair = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom('lat', 'lng', 'speedKmh', 'voltageV', 'signal'), degrees) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('fix', 'locked', 'charging'), fc.constantFrom('true', 'false')) },
  { weight: 1, arbitrary: fc.tuple(name, value) },
)
const object = fc.array(pair, { maxLength: 12 }).map((pairs) => `{${pairs.map(([n, v]) => `"${n}":${v}`).join(',')}}`)

/** A space behind the object leads to the general way, which has to say the same. */
it('says what the general way says, of whatever names and values', () => {
  let read = 0
  fc.assert(
    fc.property(object, (text) => {
      if (readUsualMessage(deviceId, Buffer.from(text)) !== null) read += 1
      expect(outcome(text)).toEqual(outcome(`${text} `))
    }),
    { numRuns },
  )
  // Both ways must have been met.
  expect(read).toBeGreaterThan(numRuns / 20)
  expect(read).toBeLessThan(numRuns)
})

const place = { lat: 31.274151, lng: -120.7, fix: true, speedKmh: 17.5, headingDeg: 92, altitudeM: -3.25 }
const said = { batteryPercent: 64, voltageV: 48.2, locked: false, charging: true, signal: 24, odometerM: 1_234_560 }
const beside = { seq: 4711, satellites: 11, compartmentOpen: false }
const at = 1_785_542_400_123
const usual = JSON.stringify({ at, ...beside, ...place, ...said })

it('reads what a device says all day', () => {
  const report = { deviceId, occurredAt: at, position: place, ...said }
  expect(readUsualMessage(deviceId, Buffer.from(usual))).toEqual({ ...beside, report })
  expect(outcome(usual)).toEqual(outcome(`${usual} `))
})

it('says the same of a report that was cut short, or has another byte anywhere', () => {
  for (let place = 0; place < usual.length; place += 1) {
    const [before, after] = [usual.slice(0, place), usual.slice(place + 1)]
    for (const text of [before, ...Array.from('"{}:,-.e0 9tx\n', (other) => before + other + after)])
      expect(outcome(text)).toEqual(outcome(`${text} `))
  }
})
