import { dayMs, minuteMs } from '@saddle/contract/time.ts'
import type { DeviceReport } from '@saddle/device-protocols/report.ts'
import type { VehicleReport } from '#fleet/public.ts'

/** Clocks of devices that have just seen a satellite differ by less; a later time is not believed. */
export const futureToleranceMs = 5 * minuteMs
/** What a device kept for longer while it was offline is no longer worth a partition. */
export const oldestReportMs = 6 * dayMs

const maxVoltageV = 1_000
const maxSpeedKmh = 200
const maxOdometerM = 2_000_000_000
const maxSignal = 32_767
const maxAlarms = 8
const alarmPattern = /^[a-z0-9_]{3,40}$/

/** What is counted when a value is not taken over. */
type ReportFault =
  | 'future'
  | 'too_old'
  | 'position'
  | 'speed'
  | 'heading'
  | 'altitude'
  | 'battery'
  | 'voltage'
  | 'signal'
  | 'odometer'
  | 'alarm'
  | 'jump'

export type SanitizedReport = {
  /** The time that the report is kept under: the device's if believable, else that of arrival. */
  readonly occurredAt: number
  readonly receivedAt: number
  /** Where the device says it is, sure or not. */
  readonly position:
    | (NonNullable<VehicleReport['position']> & { readonly altitudeM: number | null; readonly fix: boolean })
    | null
  readonly batteryPercent: number | null
  readonly voltageV: number | null
  readonly locked: boolean | null
  readonly charging: boolean | null
  readonly signal: number | null
  readonly odometerM: number | null
  readonly alarms: readonly string[]
  readonly faults: readonly ReportFault[]
}

/** Takes out of a report what cannot be: a battery of 300 %, tomorrow's time, an island off Africa at 0, 0. */
export function sanitizeReport(report: DeviceReport, receivedAt: number): SanitizedReport {
  const faults: ReportFault[] = []
  const within = (fault: ReportFault, value: number | undefined, low: number, high: number): number | null => {
    if (value === undefined) return null
    if (value >= low && value <= high) return value
    faults.push(fault)
    return null
  }
  const whole = (value: number | null): number | null => (value === null ? null : Math.round(value))
  const occurredAt = believableTime(report.occurredAt, receivedAt, faults)
  const alarms = (report.alarms ?? []).filter((name) => alarmPattern.test(name)).slice(0, maxAlarms)
  if (alarms.length < (report.alarms?.length ?? 0)) faults.push('alarm')
  return {
    occurredAt,
    receivedAt,
    position: soundPosition(report, faults, within),
    batteryPercent: within('battery', report.batteryPercent, 0, 100),
    voltageV: within('voltage', report.voltageV, 0, maxVoltageV),
    locked: report.locked ?? null,
    charging: report.charging ?? null,
    signal: whole(within('signal', report.signal, -maxSignal, maxSignal)),
    odometerM: whole(within('odometer', report.odometerM, 0, maxOdometerM)),
    alarms,
    faults,
  }
}

function believableTime(claimed: number | null, receivedAt: number, faults: ReportFault[]): number {
  if (claimed === null) return receivedAt
  if (claimed > receivedAt + futureToleranceMs) {
    faults.push('future')
    return receivedAt
  }
  if (claimed < receivedAt - oldestReportMs) {
    faults.push('too_old')
    return receivedAt
  }
  return claimed
}

function soundPosition(
  report: DeviceReport,
  faults: ReportFault[],
  within: (fault: ReportFault, value: number | undefined, low: number, high: number) => number | null,
): SanitizedReport['position'] {
  const { position } = report
  if (position === null) return null
  const { lat, lng } = position
  const isPlace = Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && !(Math.abs(lat) < 1e-3 && Math.abs(lng) < 1e-3)
  // A place that the device had a week ago, or dreams of for tomorrow, is not where it is.
  if (!isPlace || faults.includes('too_old')) {
    if (!isPlace) faults.push('position')
    return null
  }
  return {
    lat,
    lng,
    speedKmh: within('speed', position.speedKmh, 0, maxSpeedKmh),
    headingDeg: within('heading', position.headingDeg, 0, 360),
    altitudeM: within('altitude', position.altitudeM, -500, 10_000),
    fix: position.fix,
  }
}

/** The part of a report that says something of the vehicle now. */
export function vehicleReport(options: {
  vehicleId: number
  report: SanitizedReport
  commanded: boolean
}): VehicleReport {
  const { vehicleId, report, commanded } = options
  const { position } = report
  return {
    vehicleId,
    receivedAt: report.receivedAt,
    // A clock that is a little fast must not make the next report look old.
    occurredAt: Math.min(report.occurredAt, report.receivedAt),
    position:
      position?.fix === true
        ? { lat: position.lat, lng: position.lng, speedKmh: position.speedKmh, headingDeg: position.headingDeg }
        : null,
    batteryPercent: report.batteryPercent,
    voltageV: report.voltageV,
    locked: report.locked,
    charging: report.charging,
    signal: report.signal,
    odometerM: report.odometerM,
    alarms: report.alarms,
    commanded,
  }
}
