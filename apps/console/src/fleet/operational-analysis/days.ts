import type { FleetDay } from '@saddle/contract/fleet/analysis.ts'
import { figureOf, metricOf } from '@saddle/contract/reports/metrics.ts'
import { statisticsMetrics } from '@saddle/contract/reports/statisticsMetrics.ts'

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
  const told = days.filter((day) => day.batteryPercent !== null)
  const batteryVehicleDays = told.reduce((total, day) => total + day.vehicles, 0)
  const batteryPercents = told.reduce((total, day) => total + (day.batteryPercent ?? 0) * day.vehicles, 0)
  const trips = sum((day) => day.trips)
  const ridden = sum((day) => day.ridden)
  const rideSeconds = sum((day) => day.rideSeconds)
  // A day that runs counts as the part of it that is over.
  const timed = sum((day) => day.vehicles * day.dayShare)
  const measures = { vehicleDays: vehicles, riddenVehicleDays: ridden, trips }
  return {
    vehicles,
    ridden,
    trips,
    rideSeconds,
    distanceM: sum((day) => day.distanceM),
    turnover: figureOf(metricOf('tripsPerVehicleDay'), measures) ?? 0,
    utilisation:
      (figureOf(metricOf('utilisationPercent'), { tripSeconds: rideSeconds, vehicleDays: timed }) ?? 0) / 100,
    idleShare: (figureOf(metricOf('idlePercent'), measures) ?? 0) / 100,
    batteryPercent: figureOf(statisticsMetrics.batteryPercent, { batteryPercents, batteryVehicleDays }),
    lowBattery: sum((day) => day.lowBattery),
  }
}
