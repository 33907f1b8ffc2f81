import type { DeviceReport } from '../report.ts'
import { jt808Status, type Jt808Message, type Jt808Position } from './messages.ts'
import { jt808Profiles, type Jt808Profile } from './profile.ts'

/** The protocol is younger than this; an earlier time comes from a clock that no satellite has set yet. */
const earliestBelievableMs = Date.UTC(2010, 0, 1)

function alarmsOf(alarmBits: number, profile: Jt808Profile): string[] {
  const names = new Set<string>()
  for (let bit = 0; bit < 32; bit++) {
    if ((alarmBits >>> bit) & 1) names.add(profile.alarms[bit] ?? `jt808_${bit}`)
  }
  return [...names]
}

function reportOf(deviceId: string, position: Jt808Position, profile: Jt808Profile): DeviceReport {
  const { lat, lng, speedKmh, headingDeg, altitudeM, timeUtc, statusBits, bike } = position
  const fix = (statusBits & jt808Status.located) !== 0
  const report: DeviceReport = {
    deviceId,
    occurredAt: timeUtc !== null && timeUtc >= earliestBelievableMs ? timeUtc : null,
    position: { lat, lng, speedKmh, headingDeg, altitudeM, fix },
  }
  if (bike) {
    report.batteryPercent = bike.batteryPercent
    report.voltageV = bike.voltageV
    report.locked = bike.locked
    report.charging = bike.charging
  } else if (profile.lockBit !== undefined) {
    const { bit, lockedWhenSet } = profile.lockBit
    report.locked = (((statusBits >>> bit) & 1) === 1) === lockedWhenSet
  }
  if (position.signal !== undefined) report.signal = position.signal
  if (position.odometerM !== undefined) report.odometerM = position.odometerM
  if (position.alarmBits !== 0) report.alarms = alarmsOf(position.alarmBits, profile)
  return report
}

/**
 * What a message says about the vehicle, in the words of every protocol: nothing, one report, or those of a batch
 * in the order of the frame. Values are passed on as the terminal sent them: to refuse what cannot be is the
 * receiver's rule.
 */
export function toReports(message: Jt808Message, profile: Jt808Profile = jt808Profiles.standard): DeviceReport[] {
  if (message.message === 'position') return [reportOf(message.deviceId, message, profile)]
  if (message.message === 'positionAnswer' || message.message === 'vehicleControlAnswer')
    return [reportOf(message.deviceId, message.position, profile)]
  if (message.message !== 'positionBatch') return []
  return message.positions.map((position) => reportOf(message.deviceId, position, profile))
}
