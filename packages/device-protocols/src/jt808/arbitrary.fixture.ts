import * as fc from 'fast-check'
import {
  jt808Status,
  type Jt808Command,
  type Jt808Message,
  type Jt808Parameter,
  type Jt808Position,
} from './messages.ts'
import type { Jt808Head } from './packets.ts'
import { jt808ParameterKind } from './parameters.ts'

const u8 = fc.integer({ min: 0, max: 0xff })
const u16 = fc.integer({ min: 0, max: 0xffff })
const u32 = fc.integer({ min: 0, max: 0xffff_ffff })
const tenths = (max: number) => fc.integer({ min: 0, max }).map((value) => value / 10)
/** Bytes that need an escape are frequent, so that none is left untested. */
const hexOf = (constraints: { minLength?: number; maxLength: number }) =>
  fc
    .array(fc.oneof(u8, fc.constantFrom(0x7e, 0x7d, 0x01, 0x02)), constraints)
    .map((bytes) => Buffer.from(bytes).toString('hex'))
/** GBK text that no filling byte ends. */
const text = (maxLength: number) =>
  fc
    .array(fc.constantFrom(...Array.from('ABC019-_ ~}粤京川€单车锁啊龥')), { maxLength })
    .map((characters) => characters.join('').trimEnd())
/** Fixed fields count bytes; a Chinese character has two. */
const field = (bytes: number) => text(Math.floor(bytes / 2))

/** On the grid of the wire: whole seconds whose year by China's clock has two digits. */
const timeUtc = fc
  .integer({ min: Date.UTC(1980, 0, 2) / 1000, max: Date.UTC(2079, 11, 30) / 1000 })
  .map((second) => second * 1000)

const fixed = fc.record({
  alarmBits: u32,
  statusBits: u32,
  lat: fc.integer({ min: 0, max: 90_000_000 }),
  lng: fc.integer({ min: 0, max: 180_000_000 }),
  altitudeM: fc.integer({ min: -0x8000, max: 0x7fff }),
  speedKmh: tenths(0xffff),
  headingDeg: u16,
  timeUtc: fc.option(timeUtc, { nil: null }),
})

const items = fc.record(
  {
    odometerM: u32.map((value) => value * 100),
    fuelL: tenths(0xffff),
    recorderSpeedKmh: tenths(0xffff),
    alarmEvent: u16,
    vehicleSignalBits: u32,
    ioBits: u16,
    analogBits: u32,
    signal: u8,
    satellites: u8,
    bike: fc.record({
      batteryPercent: u8,
      voltageV: u16.map((value) => value / 100),
      locked: fc.boolean(),
      charging: fc.boolean(),
      compartmentOpen: fc.boolean(),
    }),
    // No number of the standard's, and 0x01 with a width that it has not.
    items: fc.array(
      fc.oneof(
        fc.record({ id: fc.integer({ min: 0x40, max: 0xff }), hex: hexOf({ maxLength: 6 }) }),
        fc.record({ id: fc.constant(0x01), hex: hexOf({ minLength: 5, maxLength: 9 }) }),
      ),
      { minLength: 1, maxLength: 5 },
    ),
    // One byte can be no item, and 0x99 promises more than follows.
    trailingHex: fc.constantFrom('7e', '99', '99ff7d7e'),
  },
  { requiredKeys: [] },
)

const anyPosition = fc.tuple(fixed, items).map(([basic, more]): Jt808Position => {
  const south = (basic.statusBits & jt808Status.south) !== 0
  const west = (basic.statusBits & jt808Status.west) !== 0
  const lat = ((south ? -1 : 1) * basic.lat) / 1e6 + 0
  const lng = ((west ? -1 : 1) * basic.lng) / 1e6 + 0
  return Object.assign(basic, { lat, lng }, more)
})

const numericIds = [0x01, 0x13, 0x18, 0x29, 0x31, 0x55, 0x5b, 0x83, 0x84, 0x0110, 0xf001]
const anyParameter = fc
  .tuple(fc.constantFrom(...numericIds), u32, text(20), hexOf({ minLength: 5, maxLength: 12 }))
  .map(([id, number, value, hex]): Jt808Parameter => {
    const kind = jt808ParameterKind(id)
    if (kind === 'text') return { id, text: value }
    return kind === 'bytes' ? { id, hex } : { id, number: number % 2 ** (8 * kind) }
  })
const parameters = fc.array(anyParameter, { maxLength: 12 })

const is = <M extends string>(message: M) => ({ message: fc.constant(message) })
const answer = { ...is('generalAnswer'), answeredSerial: u16, answeredId: u16, result: fc.integer({ min: 0, max: 4 }) }

function head(version: 2013 | 2019): fc.Arbitrary<Jt808Head> {
  const digits = version === 2013 ? 12 : 20
  return fc.record({
    headerVersion: fc.constant(version),
    ...(version === 2019 ? { protocolVersion: u8 } : {}),
    deviceId: fc.stringMatching(new RegExp(`^\\d{${digits}}$`)),
    serial: u16,
  })
}

function registering(layout: 2011 | 2013 | 2019) {
  const [manufacturer, model, terminalId] = { 2011: [5, 8, 7], 2013: [5, 20, 7], 2019: [11, 30, 30] }[layout] as [
    number,
    number,
    number,
  ]
  return fc.record({
    ...is('register'),
    layout: fc.constant(layout),
    provinceId: u16,
    cityId: u16,
    manufacturer: field(manufacturer),
    model: field(model),
    terminalId: field(terminalId),
    plateColour: u8,
    // A longer one would make a registration of 2011 as long as one of 2013.
    plate: field(layout === 2011 ? 10 : 40),
  })
}

function bodies(version: 2013 | 2019): fc.Arbitrary<object> {
  const modern = version === 2019
  return fc.oneof(
    fc.record(answer),
    fc.record({ message: fc.constantFrom('heartbeat', 'logout', 'timeQuery') }),
    modern ? registering(2019) : fc.oneof(registering(2011), registering(2013)),
    fc.record({
      ...is('authenticate'),
      code: fc.stringMatching(/^[0-9A-Za-z]{1,30}$/),
      ...(modern ? { imei: fc.stringMatching(/^\d{15}$/), firmware: field(20) } : {}),
    }),
    fc.record({ ...is('authenticate'), code: fc.stringMatching(/^[0-9A-Za-z]{1,30}$/) }),
    fc.record({ ...is('parameters'), answeredSerial: u16, parameters }),
    fc.record({ ...is('packetRequest'), firstSerial: u16, parts: fc.array(u16, { maxLength: 20 }) }),
    fc.record({ ...is('upgradeResult'), type: u8, result: u8 }),
    fc.record({
      ...is('attributes'),
      terminalType: u16,
      manufacturer: field(5),
      model: field(20),
      terminalId: field(7),
      iccid: fc.stringMatching(/^\d{20}$/),
      hardware: text(30),
      firmware: text(30),
      satelliteSystems: u8,
      networks: u8,
    }),
    anyPosition.map((position) => ({ message: 'position', ...position })),
    fc.record({
      message: fc.constantFrom('positionAnswer', 'vehicleControlAnswer'),
      answeredSerial: u16,
      position: anyPosition,
    }),
    fc.record({
      ...is('positionBatch'),
      blindArea: fc.boolean(),
      positions: fc.array(anyPosition, { maxLength: 12 }),
    }),
    fc.record({
      ...is('unknown'),
      messageId: fc.constantFrom(0x0900, 0x7e7d),
      hex: hexOf({ maxLength: 2000 }),
    }),
  )
}

const commandBodies = (version: 2013 | 2019): fc.Arbitrary<object> =>
  fc.oneof(
    fc.record(answer),
    fc.record({
      ...is('registerAnswer'),
      answeredSerial: u16,
      result: u8,
      code: text(20).filter((code) => code !== ''),
    }),
    fc.record({ ...is('registerAnswer'), answeredSerial: u16, result: u8 }),
    fc.record({ ...is('setParameters'), parameters }),
    fc.record({ message: fc.constantFrom('queryParameters', 'queryAttributes', 'queryPosition') }),
    fc.record({ ...is('control'), command: u8, argument: text(40).filter((argument) => argument !== '') }),
    fc.record({ ...is('control'), command: u8 }),
    fc.record({ ...is('text'), flags: u8, ...(version === 2019 ? { kind: u8 } : {}), text: text(900) }),
    fc.record({ ...is('serverTime'), timeUtc: fc.option(timeUtc, { nil: null }) }),
    version === 2013
      ? fc.record({ ...is('vehicleControl'), flags: u8 })
      : fc.record({
          ...is('vehicleControl'),
          controls: fc.array(fc.record({ type: u16, value: u8 }), { maxLength: 8 }),
        }),
    fc.record({ ...is('passthrough'), type: u8, hex: hexOf({ maxLength: 900 }) }),
    fc.record({ ...is('unknown'), messageId: fc.constantFrom(0x8a00, 0x8003), hex: hexOf({ maxLength: 2000 }) }),
  )

const version = fc.constantFrom(2013 as const, 2019 as const)
const joined = (bodiesOf: (one: 2013 | 2019) => fc.Arbitrary<object>) =>
  version.chain((one) => fc.tuple(head(one), bodiesOf(one)).map(([start, body]) => Object.assign({}, start, body)))

/** Messages on the wire's own grid, so that nothing is rounded. */
export const anyJt808Message = joined(bodies) as fc.Arbitrary<Jt808Message>
export const anyJt808Command = joined(commandBodies) as fc.Arbitrary<Jt808Command>
