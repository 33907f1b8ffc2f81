import { saysMore } from '../alarms/rules.ts'
import type { Zones } from '../alarms/zones.ts'
import { facts, type VehicleReport } from './rules.ts'

type Area = { readonly areaId: number; readonly zones: Zones; readonly lowBatteryBelow?: number | undefined }

/** Whether `newer` alone leaves the vehicle in the same state as `older` and then `newer`. */
function covers(older: VehicleReport, newer: VehicleReport, area: Area): boolean {
  if (older.alarms.length > 0 || older.commanded !== newer.commanded) return false
  if (older.position !== null && newer.position === null) return false
  // A lock that turned is an event, even when it turned back at once.
  if (older.locked !== null && older.locked !== newer.locked) return false
  for (const fact of facts) if (older[fact] !== null && newer[fact] === null) return false
  return older.receivedAt <= newer.receivedAt && !saysMore(older, newer, area)
}

/**
 * Leaves out reports that a later one of the same vehicle makes pointless for its status: a batch that holds many
 * reports of one vehicle then costs little more than one report. Takes them in the order of their time.
 */
export function withoutCovered(reports: readonly VehicleReport[], area: Area): readonly VehicleReport[] {
  const kept: VehicleReport[] = []
  for (const report of reports) {
    const last = kept.at(-1)
    if (last !== undefined && covers(last, report, area)) kept.pop()
    kept.push(report)
  }
  return kept
}
