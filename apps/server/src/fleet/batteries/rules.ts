import { isOfPack, percentAt, type CurvePoint } from '@saddle/contract/fleet/batteryCurve.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { alarmsAfter, type Levels, type Words } from '../alarms/rules.ts'
import type { Zones } from '../alarms/zones.ts'

/** A version of a voltage scheme, as far as it makes percentages. */
export type BatteryScheme = {
  readonly versionId: number
  readonly points: readonly CurvePoint[]
  readonly hysteresisPercent: number
  readonly loadDropV: number
  readonly chargeRiseV: number
}

/** What is known of a vehicle before a reading; times are minus infinity where nothing was said yet. */
export type BatteryKnown = {
  readonly percent: number | null
  readonly percentAt: number
  readonly versionId: number | null
  readonly locked: boolean | null
  readonly lockedAt: number
  readonly charging: boolean | null
  readonly chargingAt: number
}

const never = Number.NEGATIVE_INFINITY
export const nothingKnown: BatteryKnown = {
  percent: null,
  percentAt: never,
  versionId: null,
  locked: null,
  lockedAt: never,
  charging: null,
  chargingAt: never,
}

/** What a device said, after implausible values were taken out. */
export type BatteryReading = {
  readonly occurredAt: number
  readonly receivedAt: number
  readonly batteryPercent: number | null
  readonly voltageV: number | null
  readonly locked: boolean | null
  readonly charging: boolean | null
}

type JudgedBattery = {
  readonly known: BatteryKnown
  /** What counts of this reading. */
  readonly percent: number | null
  readonly versionId: number | null
}

/** For so long after a voltage the device's own percentage does not count beside it: the two follow different tables. */
const voltageCountsForMs = dayMs

/**
 * Which percentage a reading means. A scheme reads the voltage as it would be at rest, and shows no change that is smaller than its
 * hysteresis; without a scheme, or a voltage of the pack, the device's own percentage counts. A reading that is older than the
 * latest is read by itself and changes nothing that is known, so that late reports change nothing that was shown.
 */
export function judgeBattery(
  known: BatteryKnown,
  reading: BatteryReading,
  scheme: BatteryScheme | null,
): JudgedBattery {
  // A clock that is a little fast must not make the next reading look old.
  const at = Math.min(reading.occurredAt, reading.receivedAt)
  const turned = afterTurns(known, reading, at)
  // As it is stored: a replay reads the same number.
  const voltageV = reading.voltageV === null ? null : Math.fround(reading.voltageV)
  if (scheme === null || voltageV === null || !isOfPack(scheme.points, voltageV)) {
    const isCovered =
      scheme !== null && known.versionId !== null && at - known.percentAt < voltageCountsForMs && known.percent !== null
    if (reading.batteryPercent === null || isCovered) return { known: turned, percent: null, versionId: null }
    const percent = reading.batteryPercent
    const after = at >= known.percentAt ? { ...turned, percent, percentAt: at, versionId: null } : turned
    return { known: after, percent, versionId: null }
  }
  const { versionId, points, hysteresisPercent } = scheme
  const atRestV = voltageV + loadOf(scheme, { locked: turned.locked, charging: turned.charging })
  const target = Math.round(percentAt(points, atRestV))
  if (at < known.percentAt) return { known: turned, percent: target, versionId }
  const isSame = known.percent !== null && known.versionId === versionId
  const isEnd = target === 0 || target === 100
  const isHeld = isSame && !isEnd && Math.abs(target - (known.percent ?? target)) < hysteresisPercent
  const percent = isHeld ? (known.percent ?? target) : target
  return { known: { ...turned, percent, percentAt: at, versionId }, percent, versionId }
}

/** What the reading lacks, or has too much, beside a pack at rest. */
function loadOf(
  { loadDropV, chargeRiseV }: BatteryScheme,
  { locked, charging }: { readonly locked: boolean | null; readonly charging: boolean | null },
): number {
  if (charging === true) return -chargeRiseV
  return locked === false ? loadDropV : 0
}

/** Lock and charger as they are after the reading. */
function afterTurns(known: BatteryKnown, { locked, charging }: BatteryReading, at: number): BatteryKnown {
  return {
    ...known,
    ...(locked !== null && at >= known.lockedAt && { locked, lockedAt: at }),
    ...(charging !== null && at >= known.chargingAt && { charging, chargingAt: at }),
  }
}

/** The low-battery alarm of one vehicle: what the next report starts from, and how often it has opened. */
type BatteryAlarm = {
  readonly open: readonly string[]
  readonly words: Words
  readonly battery: Levels['battery']
  readonly opened: number
}
export const nothingSaidOfBattery: BatteryAlarm = { open: [], words: {}, battery: null, opened: 0 }

const nowhere: Zones = () => null
const lowBattery = 'low_battery'

/** The alarm after one more report of a vehicle in service: by the rule of all alarms, of which only this one is looked at. */
export function lowBatteryAfter(
  alarm: BatteryAlarm,
  { occurredAt, receivedAt, batteryPercent, alarms }: BatteryReading & { readonly alarms: readonly string[] },
  lowBatteryBelow?: number,
): BatteryAlarm {
  const at = Math.min(occurredAt, receivedAt)
  const said = batteryPercent === null ? null : { percent: batteryPercent, at }
  const battery = said !== null && said.at >= (alarm.battery?.at ?? Number.NEGATIVE_INFINITY) ? said : alarm.battery
  const level = (of: Levels['battery']): Levels => ({ battery: of, lock: null, place: null })
  const { open, words, changes } = alarmsAfter(
    {
      areaId: 0,
      lowBatteryBelow,
      state: 'available',
      open: alarm.open,
      words: alarm.words,
      before: level(alarm.battery),
      after: level(battery),
    },
    {
      occurredAt: at,
      receivedAt,
      names: alarms.filter((name) => name === lowBattery || name === `${lowBattery}_cleared`),
      levels: level(said),
    },
    nowhere,
  )
  const opened = changes.filter(({ kind, change }) => kind === lowBattery && change === 'open').length
  return { open, words, battery, opened: alarm.opened + opened }
}
