import type { FleetDay } from '@saddle/contract/fleet/analysis.ts'

/** Figures of several areas or days taken together. Shares are weighed by vehicles, not averaged. */
export interface Sum {
  /** Vehicle-days: what turnover, utilisation and idleness are parts of. */
  readonly vehicles: number
  readonly ridden: number
  readonly trips: number
  readonly rideSeconds: number
  readonly distanceM: number
  readonly turnover: number
  readonly utilisation: number
  readonly idleShare: number
  readonly batteryPercent: number | null
  readonly lowBattery: number
}

export function sumOf(days: readonly FleetDay[]): Sum {
  const sum = (value: (day: FleetDay) => number): number => days.reduce((total, day) => total + value(day), 0)
  const vehicles = sum((day) => day.vehicles)
  const part = (total: number): number => (vehicles === 0 ? 0 : total / vehicles)
  const told = days.filter((day) => day.batteryPercent !== null)
  const toldVehicles = told.reduce((total, day) => total + day.vehicles, 0)
  const battery = told.reduce((total, day) => total + (day.batteryPercent ?? 0) * day.vehicles, 0)
  const trips = sum((day) => day.trips)
  return {
    vehicles,
    ridden: sum((day) => day.ridden),
    trips,
    rideSeconds: sum((day) => day.rideSeconds),
    distanceM: sum((day) => day.distanceM),
    turnover: part(trips),
    utilisation: part(sum((day) => day.utilisation * day.vehicles)),
    idleShare: part(sum((day) => day.idleShare * day.vehicles)),
    batteryPercent: toldVehicles === 0 ? null : battery / toldVehicles,
    lowBattery: sum((day) => day.lowBattery),
  }
}

const dayMs = 24 * 3_600_000
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Every day of a span, the first first. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs) days.push(dayText(at))
  return days
}

/** The span of the same length just before. */
export function spanBefore(from: string, to: string): { from: string; to: string } {
  const length = Date.parse(to) - Date.parse(from) + dayMs
  return { from: dayText(Date.parse(from) - length), to: dayText(Date.parse(from) - dayMs) }
}

/** How much more than before, in per cent; null where there was nothing to compare with. */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : ((now - before) / before) * 100
}
