import { dayMs, minuteMs } from '@saddle/contract/time.ts'
import type { ReportReading } from '@saddle/device-protocols/report.ts'
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
/** For most reports, so that each does not have its own. */
const none: readonly never[] = []
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
export function sanitizeReport(report: ReportReading, receivedAt: number): SanitizedReport {
  const faults: Faults = { found: none }
  return {
    occurredAt: believableTime(report.occurredAt, receivedAt, faults),
    receivedAt,
    position: soundPosition(report, faults),
    batteryPercent: within(faults, 'battery', report.batteryPercent, 0, 100),
    voltageV: within(faults, 'voltage', report.voltageV, 0, maxVoltageV),
    locked: report.locked ?? null,
    charging: report.charging ?? null,
    signal: whole(within(faults, 'signal', report.signal, -maxSignal, maxSignal)),
    odometerM: whole(within(faults, 'odometer', report.odometerM, 0, maxOdometerM)),
    alarms: report.alarms === undefined ? none : soundAlarms(report.alarms, faults),
    faults: faults.found,
  }
}

type Faults = { found: readonly ReportFault[] }

function note(faults: Faults, fault: ReportFault): void {
  faults.found = [...faults.found, fault]
}

function within(
  faults: Faults,
  fault: ReportFault,
  value: number | undefined,
  low: number,
  high: number,
): number | null {
  if (value === undefined) return null
  if (value >= low && value <= high) return value
  note(faults, fault)
  return null
}

const whole = (value: number | null): number | null => (value === null ? null : Math.round(value))

function soundAlarms(said: readonly string[], faults: Faults): readonly string[] {
  const alarms = said.filter((name) => alarmPattern.test(name)).slice(0, maxAlarms)
  if (alarms.length < said.length) note(faults, 'alarm')
  return alarms
}

function believableTime(claimed: number | null, receivedAt: number, faults: Faults): number {
  if (claimed === null) return receivedAt
  if (claimed > receivedAt + futureToleranceMs) {
    note(faults, 'future')
    return receivedAt
  }
  if (claimed < receivedAt - oldestReportMs) {
    note(faults, 'too_old')
    return receivedAt
  }
  return claimed
}

function soundPosition(report: ReportReading, faults: Faults): SanitizedReport['position'] {
  const { position } = report
  if (position === null) return null
  const { lat, lng } = position
  const isPlace = Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && !(Math.abs(lat) < 1e-3 && Math.abs(lng) < 1e-3)
  // A place that the device had a week ago, or dreams of for tomorrow, is not where it is.
  if (!isPlace || faults.found.includes('too_old')) {
    if (!isPlace) note(faults, 'position')
    return null
  }
  return {
    lat,
    lng,
    speedKmh: within(faults, 'speed', position.speedKmh, 0, maxSpeedKmh),
    headingDeg: within(faults, 'heading', position.headingDeg, 0, 360),
    altitudeM: within(faults, 'altitude', position.altitudeM, -500, 10_000),
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
    position: position?.fix === true ? position : null,
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
