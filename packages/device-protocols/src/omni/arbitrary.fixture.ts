import * as fc from 'fast-check'
import { omniHeaders, type OmniCommand, type OmniMessage } from './messages.ts'

const count = (max: number) => fc.integer({ min: 0, max })
const hundredths = (max: number) => count(max).map((value) => value / 100)
const tenths = (max: number) => count(max).map((value) => value / 10)
const word = fc.stringMatching(/^[A-Za-z0-9. ]{1,12}$/).filter((text) => text.trim() === text)
const operation = fc.constantFrom(0 as const, 1 as const)
const handshake = { operation, userId: count(999_999), timestamp: count(2_000_000_000) }
const microdegrees = (max: number) => fc.integer({ min: -max * 1e6, max: max * 1e6 }).map((value) => value / 1e6 + 0)
const timeUtc = fc
  .integer({ min: Date.UTC(2000, 0, 1) / 10, max: Date.UTC(2079, 11, 31) / 10 })
  .map((value) => value * 10)

const place = { located: fc.constant(true), lat: microdegrees(90), lng: microdegrees(180), timeUtc }
const noPlace = { located: fc.constant(false), timeUtc: fc.option(timeUtc, { nil: null }) }
const fixFacts = {
  instruction: fc.constant('D0' as const),
  trigger: count(1),
  satellites: count(40),
  hdop: hundredths(9999),
  altitudeM: tenths(90_000),
  mode: fc.constantFrom('A', 'N', 'D'),
}

/** Any value of a body may be absent when the protocol lets it; `required` names those that may not. */
function body<T extends object>(shape: { [N in keyof T]: fc.Arbitrary<T[N]> }, required: (keyof T & string)[]) {
  return fc.record(shape, { requiredKeys: ['instruction' as keyof T & string, ...required] as never[] })
}
const is = <I extends string>(instruction: I) => ({ instruction: fc.constant(instruction) })

const bodies = fc.oneof(
  body({ ...is('Q0'), voltageV: hundredths(9999), batteryPercent: count(100), signal: count(31) }, []),
  body(
    {
      ...is('H0'),
      locked: fc.boolean(),
      voltageV: hundredths(9999),
      signal: count(31),
      batteryPercent: count(100),
      charging: fc.boolean(),
    },
    ['locked'],
  ),
  body({ ...fixFacts, ...place }, ['trigger', 'located', 'lat', 'lng', 'timeUtc']),
  body({ ...fixFacts, ...noPlace }, ['trigger', 'located', 'timeUtc']),
  fc.record({ ...is('R0'), ...handshake, key: count(255) }),
  body({ ...is('L0'), result: count(3), userId: count(999_999), timestamp: count(2e9) }, ['result']),
  body({ ...is('L1'), result: count(3), userId: count(9999), timestamp: count(2e9), ridingTimeMin: count(999) }, [
    'result',
  ]),
  body(
    {
      ...is('S6'),
      batteryPercent: count(100),
      speedMode: count(3),
      speedKmh: tenths(600),
      charging: fc.boolean(),
      battery1V: tenths(600),
      battery2V: tenths(600),
      locked: fc.boolean(),
      signal: count(31),
      tripM: count(9999).map((value) => value * 10),
      odometerM: count(9_999_999).map((value) => value * 10),
    },
    [],
  ),
  body({ ...is('S5'), sensitivity: count(3), uploadWhileUnlocked: count(2), heartbeatS: count(999) }, []),
  body({ ...is('S8'), times: count(99) }, []),
  body({ ...is('L5'), operation: count(40), result: count(20) }, ['operation']),
  fc.record({ ...is('W0'), alarm: count(20) }),
  fc.record({ ...is('E0'), code: count(999) }),
  body({ ...is('G0'), firmware: word, buildDate: word }, ['firmware']),
  body({ ...is('U0'), firmware: word, deviceType: word }, ['firmware']),
  body({ ...is('U1'), packet: count(9999), deviceType: word }, ['packet']),
  body({ ...is('U2'), deviceType: word, result: count(3) }, ['deviceType']),
  body({ ...is('V0'), sound: count(20) }, []),
  body({ ...is('D1'), intervalS: count(999) }, []),
  body({ ...is('S1'), event: count(9) }, []),
  fc.record({ ...is('unknown'), code: fc.constantFrom('Z9', 'K0', 'A1') }),
)

const head = fc.record(
  {
    header: fc.constantFrom(...omniHeaders),
    vendor: fc.constantFrom('OM', 'X7'),
    deviceId: fc.stringMatching(/^\d{15}$/),
    sentAt: fc.integer({ min: Date.UTC(2010, 0, 1) / 1000, max: Date.UTC(2079, 0, 1) / 1000 }).map((s) => s * 1000),
  },
  { requiredKeys: ['header', 'vendor', 'deviceId'] },
)
const extra = fc.option(fc.record({ extra: fc.array(word, { minLength: 1, maxLength: 4 }) }), { nil: {} })

/** Messages on the wire's own grid (hundredths of a volt, millionths of a degree), so that nothing is rounded. */
export const anyOmniMessage = fc
  .tuple(head, bodies, extra)
  .map(([start, middle, end]) => Object.assign({}, start, middle, end) as OmniMessage)

export const anyOmniCommand = fc
  .tuple(
    head,
    fc.oneof(
      fc.record({ ...is('R0'), ...handshake, keySeconds: count(255) }),
      fc.record({ ...is('L0'), key: count(255), userId: count(9999), timestamp: count(2e9) }),
      fc.record({ ...is('L1'), key: count(255) }),
      fc.record({ ...is('ack'), of: fc.constantFrom('L0', 'L1', 'W0', 'E0', 'L5') }),
      fc.record({ ...is('D1'), intervalS: count(999) }),
      fc.record({ instruction: fc.constantFrom('D0', 'S6', 'G0') }),
      fc.record({ ...is('S8'), times: count(20) }),
      fc.record({ ...is('V0'), sound: count(20) }),
      fc.record({ ...is('L5'), operation: count(40) }),
      fc.record({ ...is('S1'), event: count(3) }),
      fc.record({
        ...is('U0'),
        packages: count(9999),
        packageBytes: count(400),
        crc16: count(65_535),
        deviceType: word,
        key: word,
      }),
      fc.record({
        ...is('U1'),
        packet: count(9999),
        crc16: count(65_535),
        hex: fc.uint8Array({ minLength: 1, maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString('hex')),
      }),
      fc.record({
        ...is('S5'),
        sensitivity: count(3),
        uploadWhileUnlocked: count(2),
        heartbeatS: count(999),
        uploadIntervalS: count(999),
      }),
      fc.record({ ...is('unknown'), code: fc.constantFrom('Z9', 'K0'), fields: fc.array(word, { maxLength: 3 }) }),
    ),
  )
  .map(([start, middle]) => Object.assign({}, start, middle) as OmniCommand)
