import type { Tx } from '#kit/db/pool.ts'
import { factTime } from '../reports/rules.ts'
import type { Known } from '../reports/store.ts'
import type { createSchemes } from './inForce.ts'
import { judgeBattery, type BatteryKnown, type BatteryReading } from './rules.ts'

/** A stored report as far as the percentage goes. */
export type Judged = {
  readonly batteryPercent: number | null
  /** Null: the device said the percentage. */
  readonly batteryVersion: number | null
  /** What the device said where a version counts instead. */
  readonly saidPercent: number | null
}

export type Reading = { readonly vehicleId: number; readonly report: BatteryReading }

/** In the order in which the platform heard them; those of one frame by the device's clock. A replay takes the same. */
export const inOrderOfArrival = (
  one: Pick<BatteryReading, 'receivedAt' | 'occurredAt'>,
  other: Pick<BatteryReading, 'receivedAt' | 'occurredAt'>,
): number => one.receivedAt - other.receivedAt || one.occurredAt - other.occurredAt

export type JudgeReadings = <T extends Reading>(
  tx: Tx,
  locked: ReadonlyMap<number, Known>,
  readings: readonly T[],
) => Promise<ReadonlyMap<T, Judged>>

/**
 * The percentages that count, of those readings for which it is not simply what the device said: of vehicles whose model has a
 * scheme in force, or had one until now. Most batches have none of them, and cost nothing here.
 */
export async function judgeReadings<T extends Reading>(
  tx: Tx,
  {
    schemes,
    locked,
  }: { readonly schemes: ReturnType<typeof createSchemes>; readonly locked: ReadonlyMap<number, Known> },
  readings: readonly T[],
): Promise<ReadonlyMap<T, Judged>> {
  const judged = new Map<T, Judged>()
  const schemeOf = await schemes.current(tx)
  if (schemeOf === null) return judged
  for (const [vehicleId, own] of Map.groupBy(readings, (reading) => reading.vehicleId)) {
    const known = locked.get(vehicleId)
    if (known === undefined) continue
    if (own.every(({ report }) => schemeOf(known, report.receivedAt) === null)) continue
    let state = knownOf(known)
    for (const reading of own.toSorted((one, other) => inOrderOfArrival(one.report, other.report))) {
      const { report } = reading
      const { known: after, percent, versionId } = judgeBattery(state, report, schemeOf(known, report.receivedAt))
      state = after
      const isOwn = versionId === null && percent === report.batteryPercent
      if (isOwn) continue
      judged.set(reading, { batteryPercent: percent, batteryVersion: versionId, saidPercent: report.batteryPercent })
    }
  }
  return judged
}

function knownOf({ now, told, batteryVersion }: Known): BatteryKnown {
  return {
    percent: now.batteryPercent,
    percentAt: factTime(now, told, 'batteryPercent'),
    versionId: batteryVersion,
    locked: now.locked,
    lockedAt: factTime(now, told, 'locked'),
    charging: now.charging,
    chargingAt: factTime(now, told, 'charging'),
  }
}
