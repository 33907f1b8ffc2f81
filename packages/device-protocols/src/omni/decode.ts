import { ProtocolError } from '../error.ts'
import { withoutAbsent } from '../report.ts'
import { utcMs } from '../time.ts'
import { createFieldReader, splitFrame, type FieldReader } from './fields.ts'
import type { OmniBody, OmniMessage, OmniOperation } from './messages.ts'
import { omniProfiles, type OmniProfile } from './profile.ts'

type BodyDecoder = (read: FieldReader, profile: OmniProfile) => { [key: string]: unknown }

const scaled = (value: number | undefined, divisor: number) => (value === undefined ? undefined : value / divisor)

export function readOperation(read: FieldReader): OmniOperation {
  const operation = read.required('operation', read.integer('operation'))
  if (operation !== 0 && operation !== 1) throw new ProtocolError('operation is neither 0 nor 1')
  return operation
}

/** `ddmm.mmmm` and a hemisphere letter to degrees, rounded to a millionth (0.1 m), which the wire's digits can carry. */
function readCoordinate({
  value,
  hemisphere,
  axis,
}: {
  value: string | undefined
  hemisphere: string | undefined
  axis: 'lat' | 'lng'
}): number | undefined {
  if (value === undefined) return undefined
  const parts = (axis === 'lat' ? /^(\d{2})(\d{2}(?:\.\d{1,8})?)$/ : /^(\d{3})(\d{2}(?:\.\d{1,8})?)$/).exec(value)
  const letters = axis === 'lat' ? 'NS' : 'EW'
  if (!parts) throw new ProtocolError(`${axis} is malformed`)
  if (hemisphere?.length !== 1 || !letters.includes(hemisphere)) throw new ProtocolError(`${axis} has no hemisphere`)
  const minutes = Number(parts[2])
  const degrees = Number(parts[1]) + minutes / 60
  if (minutes >= 60 || degrees > (axis === 'lat' ? 90 : 180)) throw new ProtocolError(`${axis} is out of range`)
  const sign = hemisphere === letters[1] ? -1 : 1
  return Math.round(sign * degrees * 1e6) / 1e6 + 0
}

/** NMEA time and date; a device that never had a fix sends none, or one of 1980. */
function readTime(time: string | undefined, date: string | undefined): number | null {
  if (time === undefined || date === undefined) return null
  const clock = /^(\d\d)(\d\d)(\d\d)(?:\.(\d{1,3}))?$/.exec(time)
  const day = /^(\d\d)(\d\d)(\d\d)$/.exec(date)
  if (!clock || !day) throw new ProtocolError('the date or time is malformed')
  const year = Number(day[3])
  return utcMs({
    year: year >= 80 ? 1900 + year : 2000 + year,
    month: Number(day[2]),
    day: Number(day[1]),
    hour: Number(clock[1]),
    minute: Number(clock[2]),
    second: Number(clock[3]),
    ms: Number((clock[4] ?? '0').padEnd(3, '0')),
  })
}

const decodePosition: BodyDecoder = (read) => {
  const trigger = read.required('trigger', read.integer('trigger'))
  const time = read.text('time')
  const status = read.text('status')
  if (status !== 'A' && status !== 'V') throw new ProtocolError('the fix is neither A nor V')
  const lat = readCoordinate({ value: read.text('lat'), hemisphere: read.text('hemisphere'), axis: 'lat' })
  const lng = readCoordinate({ value: read.text('lng'), hemisphere: read.text('hemisphere'), axis: 'lng' })
  const located = status === 'A'
  if (located && (lat === undefined || lng === undefined)) throw new ProtocolError('a fix without coordinates')
  const satellites = read.integer('satellites')
  const hdop = read.decimal('hdop')
  const timeUtc = readTime(time, read.text('date'))
  const altitudeM = read.decimal('altitude')
  // The unit of the altitude is always M.
  read.text('unit')
  return { trigger, timeUtc, located, lat, lng, satellites, hdop, altitudeM, mode: read.text('mode') }
}

const decodeVehicleData: BodyDecoder = (read, profile) => {
  const known = {
    batteryPercent: read.integer('battery'),
    speedMode: read.integer('speed mode'),
    speedKmh: scaled(read.integer('speed'), 10),
    charging: read.flag('charging'),
    battery1V: scaled(read.integer('battery 1 voltage'), 10),
    battery2V: scaled(read.integer('battery 2 voltage'), 10),
    locked: read.flag('lock state'),
    signal: read.integer('signal'),
  }
  const trip = read.text('trip')
  const odometer = read.text('odometer')
  return {
    ...known,
    // One generation sends the radio network's code in the place of the trip.
    tripM: trip === undefined || /^\d{3}-\d{2,3}$/.test(trip) ? undefined : readDistance(trip, 10),
    odometerM: odometer === undefined ? undefined : readDistance(odometer, profile.odometerRadix),
  }
}

/** Units of 10 m in decimal or hexadecimal digits; letters or 0x give the hexadecimal ones away. */
function readDistance(value: string, radix: 10 | 16): number {
  const digits = /^(0x)?([0-9A-Fa-f]{1,8})$/.exec(value)
  if (!digits?.[2]) throw new ProtocolError('a distance is not a number')
  const hexadecimal = radix === 16 || digits[1] !== undefined || /[A-Fa-f]/.test(digits[2])
  return Number.parseInt(digits[2], hexadecimal ? 16 : 10) * 10
}

const decoders: Record<Exclude<OmniBody['instruction'], 'unknown'>, BodyDecoder> = {
  Q0: (read) => ({
    voltageV: scaled(read.integer('voltage'), 100),
    batteryPercent: read.integer('battery'),
    signal: read.integer('signal'),
  }),
  H0: (read) => ({
    locked: read.required('lock state', read.flag('lock state')),
    voltageV: scaled(read.integer('voltage'), 100),
    signal: read.integer('signal'),
    batteryPercent: read.integer('battery'),
    charging: read.flag('charging'),
  }),
  D0: decodePosition,
  R0: (read) => ({
    operation: readOperation(read),
    key: read.required('key', read.integer('key')),
    userId: read.required('user', read.integer('user')),
    timestamp: read.required('timestamp', read.integer('timestamp')),
  }),
  L0: (read) => ({
    result: read.required('result', read.integer('result')),
    userId: read.integer('user'),
    timestamp: read.integer('timestamp'),
  }),
  L1: (read) => ({
    result: read.required('result', read.integer('result')),
    userId: read.integer('user'),
    timestamp: read.integer('timestamp'),
    ridingTimeMin: read.integer('riding time'),
  }),
  S6: decodeVehicleData,
  S5: (read) => ({
    sensitivity: read.integer('sensitivity'),
    uploadWhileUnlocked: read.integer('upload while unlocked'),
    heartbeatS: read.integer('heartbeat interval'),
    uploadIntervalS: read.integer('upload interval'),
  }),
  S8: (read) => ({ times: read.integer('times') }),
  L5: (read) => ({
    operation: read.required('operation', read.integer('operation')),
    result: read.integer('result'),
  }),
  W0: (read) => ({ alarm: read.required('alarm', read.integer('alarm')) }),
  E0: (read) => ({ code: read.required('code', read.integer('code')) }),
  G0: (read) => ({ firmware: read.required('firmware', read.text('firmware')), buildDate: read.text('build date') }),
  U0: (read) => ({ firmware: read.required('firmware', read.text('firmware')), deviceType: read.text('device type') }),
  U1: (read) => ({
    packet: read.required('packet', read.integer('packet')),
    deviceType: read.text('device type'),
  }),
  U2: (read) => ({
    deviceType: read.required('device type', read.text('device type')),
    result: read.integer('result'),
  }),
  V0: (read) => ({ sound: read.integer('sound') }),
  D1: (read) => ({ intervalS: read.integer('interval') }),
  S1: (read) => ({ event: read.integer('event') }),
}

const isKnown = (code: string): code is keyof typeof decoders => Object.hasOwn(decoders, code)

/**
 * Reads one frame that a device sent, with or without FF FF and line end. An instruction that is well formed but
 * unknown comes back as `unknown` with its fields in `extra`.
 *
 * @throws ProtocolError with a reason when the frame is malformed.
 */
export function decodeOmni(frame: string, profile: OmniProfile = omniProfiles.standard): OmniMessage {
  const { head, code, fields } = splitFrame(frame)
  if (!isKnown(code)) {
    return { ...head, instruction: 'unknown', code, ...(fields.length > 0 ? { extra: fields } : {}) }
  }
  const read = createFieldReader(fields)
  const body = decoders[code](read, profile)
  return withoutAbsent<OmniMessage>({ ...head, instruction: code, ...body, extra: read.rest() } as OmniMessage)
}
