import { joinFrame, trimAbsent } from './fields.ts'
import type { OmniMessage, OmniMessageOf } from './messages.ts'

type Field = string | number | undefined

const flag = (value: boolean | undefined) => (value === undefined ? undefined : value ? 1 : 0)
const times = (value: number | undefined, factor: number) =>
  value === undefined ? undefined : Math.round(value * factor)

/** Degrees to `ddmm.mmmmm`, computed in whole hundred-thousandths of a minute so that 59.999999 never becomes 60. */
function coordinateFields(value: number | undefined, axis: 'lat' | 'lng'): [Field, Field] {
  if (value === undefined) return [undefined, undefined]
  const units = Math.round(Math.abs(value) * 60e5)
  const degrees = Math.floor(units / 60e5)
  const minutes = (units - degrees * 60e5) / 1e5
  const text = String(degrees).padStart(axis === 'lat' ? 2 : 3, '0') + minutes.toFixed(5).padStart(8, '0')
  const letters = axis === 'lat' ? 'NS' : 'EW'
  return [text, letters[value < 0 ? 1 : 0]]
}

function positionFields(message: OmniMessageOf<'D0'>): Field[] {
  const iso = message.timeUtc === null ? '' : new Date(message.timeUtc).toISOString()
  const time = iso === '' ? undefined : `${iso.slice(11, 19).replaceAll(':', '')}.${iso.slice(20, 22)}`
  const date = iso === '' ? undefined : iso.slice(8, 10) + iso.slice(5, 7) + iso.slice(2, 4)
  return [
    message.trigger,
    time,
    message.located ? 'A' : 'V',
    ...coordinateFields(message.lat, 'lat'),
    ...coordinateFields(message.lng, 'lng'),
    message.satellites,
    message.hdop,
    date,
    message.altitudeM,
    message.altitudeM === undefined ? undefined : 'M',
    message.mode,
  ]
}

function bodyFields(message: OmniMessage): Field[] {
  switch (message.instruction) {
    case 'Q0':
      return [times(message.voltageV, 100), message.batteryPercent, message.signal]
    case 'H0':
      return [
        flag(message.locked),
        times(message.voltageV, 100),
        message.signal,
        message.batteryPercent,
        flag(message.charging),
      ]
    case 'D0':
      return positionFields(message)
    case 'R0':
      return [message.operation, message.key, message.userId, message.timestamp]
    case 'L0':
      return [message.result, message.userId, message.timestamp]
    case 'L1':
      return [message.result, message.userId, message.timestamp, message.ridingTimeMin]
    case 'S6':
      return vehicleDataFields(message)
    case 'S5':
      return [message.sensitivity, message.uploadWhileUnlocked, message.heartbeatS, message.uploadIntervalS]
    case 'S8':
      return [message.times]
    case 'L5':
      return [message.operation, message.result]
    case 'W0':
      return [message.alarm]
    case 'E0':
      return [message.code]
    case 'G0':
      return [message.firmware, message.buildDate]
    case 'U0':
      return [message.firmware, message.deviceType]
    case 'U1':
      return [message.packet, message.deviceType]
    case 'U2':
      return [message.deviceType, message.result]
    case 'V0':
      return [message.sound]
    case 'D1':
      return [message.intervalS]
    case 'S1':
      return [message.event]
    case 'unknown':
      break
  }
  // What an unknown instruction carries is all in `extra`.
  return []
}

function vehicleDataFields(message: OmniMessageOf<'S6'>): Field[] {
  return [
    message.batteryPercent,
    message.speedMode,
    times(message.speedKmh, 10),
    flag(message.charging),
    times(message.battery1V, 10),
    times(message.battery2V, 10),
    flag(message.locked),
    message.signal,
    times(message.tripM, 0.1),
    times(message.odometerM, 0.1),
  ]
}

/** The frame of a message that a device sends, `*` to `#`, without line end. Inverse of decodeOmni. */
export function formatOmni(message: OmniMessage): string {
  const code = message.instruction === 'unknown' ? message.code : message.instruction
  const known = bodyFields(message)
  const fields = message.extra ? [...known, ...message.extra] : trimAbsent(known)
  return joinFrame({ head: message, code, fields })
}

/** The bytes that a device puts on the socket. */
export function encodeOmniToPlatform(message: OmniMessage): Uint8Array {
  return Buffer.from(`${formatOmni(message)}\n`, 'latin1')
}
