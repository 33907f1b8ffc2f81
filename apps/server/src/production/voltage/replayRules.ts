import {
  inOrderOfArrival,
  judgeBattery,
  lowBatteryAfter,
  nothingKnown,
  nothingSaidOfBattery,
  type BatteryReading,
  type BatteryScheme,
} from '#fleet/public.ts'

/** A stored report, as far as the percentage goes. */
export type StoredReading = Omit<BatteryReading, 'batteryPercent'> & {
  /** What counted. */
  readonly shown: number | null
  /** What the device said. */
  readonly said: number | null
  readonly alarms: readonly string[]
}

/** Of one reading: what counted then, and what would have by the version. */
export type ReplayedReading = {
  readonly at: number
  readonly voltageV: number | null
  readonly shown: number | null
  readonly replayed: number | null
}

export type ReplayOfVehicle = {
  readonly readings: number
  readonly changed: number
  readonly meanDifference: number
  readonly maxDifference: number
  readonly alarmsShown: number
  readonly alarmsReplayed: number
  readonly lastShown: number | null
  readonly lastReplayed: number | null
}

/** Stored as four bytes: a device's own percentage may differ from itself by less. */
const sameWithin = 1e-3

/**
 * What a vehicle would have shown by a version, in the order in which the platform heard it and by the rule that the gateway's
 * reports pass. What came before `fromMs` only says where the vehicle stood.
 */
export function replayVehicle(
  readings: readonly StoredReading[],
  terms: { readonly scheme: BatteryScheme; readonly fromMs: number; readonly lowBatteryBelow?: number },
): { readonly track: readonly ReplayedReading[]; readonly result: ReplayOfVehicle | null } {
  const { scheme, fromMs, lowBatteryBelow } = terms
  const track: ReplayedReading[] = []
  let known = nothingKnown
  let shownAlarm = nothingSaidOfBattery
  let replayedAlarm = nothingSaidOfBattery
  let [changed, sum, max, alarmsShown, alarmsReplayed] = [0, 0, 0, 0, 0]
  for (const stored of readings.toSorted(inOrderOfArrival)) {
    const judged = judgeBattery(known, { ...stored, batteryPercent: stored.said }, scheme)
    known = judged.known
    const counts = stored.receivedAt >= fromMs
    const before = [shownAlarm.opened, replayedAlarm.opened] as const
    shownAlarm = lowBatteryAfter(shownAlarm, { ...stored, batteryPercent: stored.shown }, lowBatteryBelow)
    replayedAlarm = lowBatteryAfter(replayedAlarm, { ...stored, batteryPercent: judged.percent }, lowBatteryBelow)
    if (!counts) continue
    alarmsShown += shownAlarm.opened - before[0]
    alarmsReplayed += replayedAlarm.opened - before[1]
    const { shown, voltageV } = stored
    if (shown === null && judged.percent === null) continue
    track.push({ at: Math.min(stored.occurredAt, stored.receivedAt), voltageV, shown, replayed: judged.percent })
    if (shown === null || judged.percent === null) continue
    const difference = judged.percent - shown
    if (Math.abs(difference) > sameWithin) changed += 1
    sum += difference
    max = Math.max(max, Math.abs(difference))
  }
  if (track.length === 0) return { track, result: null }
  const both = track.filter(({ shown, replayed }) => shown !== null && replayed !== null).length
  const result = {
    readings: track.length,
    changed,
    meanDifference: both === 0 ? 0 : sum / both,
    maxDifference: max,
    alarmsShown,
    alarmsReplayed,
    lastShown: track.findLast(({ shown }) => shown !== null)?.shown ?? null,
    lastReplayed: track.findLast(({ replayed }) => replayed !== null)?.replayed ?? null,
  }
  return { track, result }
}

/** At most so many points of a track, the last of each of equal parts. */
export function thinned<T>(track: readonly T[], most: number): readonly T[] {
  if (track.length <= most) return track
  return Array.from({ length: most }, (_, part) => track[Math.ceil(((part + 1) * track.length) / most) - 1]).filter(
    (point) => point !== undefined,
  )
}
