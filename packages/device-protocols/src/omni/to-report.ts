import { withoutAbsent, type DevicePosition, type DeviceReport } from '../report.ts'
import { omniResult, type OmniMessage, type OmniMessageOf } from './messages.ts'
import { omniProfiles, type OmniProfile } from './profile.ts'

/** The protocol is younger than this; an earlier time comes from a clock that no satellite has set yet. */
const earliestBelievableMs = Date.UTC(2010, 0, 1)

function positionOf(message: OmniMessageOf<'D0'>): DevicePosition | null {
  const { lat, lng, altitudeM, located: fix } = message
  if (lat === undefined || lng === undefined) return null
  return altitudeM === undefined ? { lat, lng, fix } : { lat, lng, altitudeM, fix }
}

function factsOf(message: OmniMessage, profile: OmniProfile): Partial<DeviceReport> | null {
  switch (message.instruction) {
    case 'Q0':
    case 'H0': {
      const { batteryPercent, voltageV, signal } = message
      const heartbeat = message.instruction === 'H0' ? { locked: message.locked, charging: message.charging } : {}
      return withoutAbsent<Partial<DeviceReport>>({ batteryPercent, voltageV, signal, ...heartbeat })
    }
    case 'D0': {
      const timed = message.timeUtc !== null && message.timeUtc >= earliestBelievableMs
      return { position: positionOf(message), occurredAt: timed ? message.timeUtc : null }
    }
    case 'S6': {
      const { batteryPercent, battery1V: voltageV, locked, charging, signal, odometerM } = message
      return withoutAbsent<Partial<DeviceReport>>({ batteryPercent, voltageV, locked, charging, signal, odometerM })
    }
    case 'L0':
      return message.result === omniResult.success ? { locked: false } : null
    case 'L1':
      return message.result === omniResult.success ? { locked: true } : null
    case 'W0':
      return { alarms: [profile.alarms[message.alarm] ?? `omni_${message.alarm}`] }
    case 'R0':
    case 'S5':
    case 'S8':
    case 'L5':
    case 'E0':
    case 'G0':
    case 'U0':
    case 'U1':
    case 'U2':
    case 'V0':
    case 'D1':
    case 'S1':
    case 'unknown':
      break
  }
  return null
}

/**
 * What a message says about the vehicle, in the words of every protocol; null when it says nothing of that kind.
 * Values are passed on as the device sent them: to refuse a battery of 300 % is the receiver's rule, which counts it.
 */
export function toReport(message: OmniMessage, profile: OmniProfile = omniProfiles.standard): DeviceReport | null {
  const facts = factsOf(message, profile)
  if (facts === null) return null
  return { deviceId: message.deviceId, occurredAt: message.sentAt ?? null, position: null, ...facts }
}
