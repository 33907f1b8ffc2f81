import { lowBatteryPercent, type VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Place, Zones } from './zones.ts'

export type AlarmChange = { readonly kind: string; readonly at: number; readonly change: 'open' | 'again' | 'close' }

/** A device that invents alarm codes must not fill the table. */
export const maxOpenAlarms = 20
/** A low-battery alarm closes so many per cents above where it opens, so that it does not flutter. */
export const batteryRecoveredPoints = 5
/** Words older than this are forgotten: a report that old is not believed any more. */
const rememberedForMs = 7 * dayMs
const maxRemembered = 40
const clearedSuffix = '_cleared'

/**
 * The latest word on an alarm: the device's time in milliseconds, negative where it says that the matter is over. What
 * is older than the latest word neither opens nor closes, so that the order of arrival does not matter.
 */
type Word = number
export type Words = Readonly<Record<string, Word>>

const timeOf = (word: Word | undefined): number => Math.abs(word ?? 0)
const opens = (word: Word | undefined): boolean => word !== undefined && word > 0

/** What is said or known of a vehicle from which an alarm follows by rule. */
export type Levels = {
  readonly battery: { readonly percent: number; readonly at: number } | null
  readonly lock: { readonly locked: boolean; readonly at: number } | null
  readonly place: (Place & { readonly at: number }) | null
}

/** Kinds that last as long as their reason: one that a person closed by hand stays closed until the reason has gone. */
const lasting = ['low_battery', 'outside_area'] as const
const isLasting = (kind: string): boolean => lasting.some((one) => one === kind)

/** The word of a person who closed an alarm: what lasts still does, but is dismissed; anything else is over. */
export const wordOfPerson = (kind: string, at: number): Word => (isLasting(kind) ? at : -at)

type Area = {
  readonly areaId: number
  readonly zones: Zones
  /** Below this its vehicles are low on battery. */
  readonly lowBatteryBelow?: number | undefined
}

/** What a level says of its alarm: 1 opens it, -1 closes it, 0 is a level between two thresholds, which says nothing. */
type Says = -1 | 0 | 1

function batterySays(percent: number | null, { lowBatteryBelow: low = lowBatteryPercent }: Area): Says {
  if (percent === null) return 0
  if (percent < low) return 1
  return percent >= low + batteryRecoveredPoints ? -1 : 0
}

function placeSays(place: Place | null, { areaId, zones }: Area): Says {
  const zone = place === null ? null : zones(areaId, place)
  if (zone === 'beyond') return 1
  return zone === 'inside' ? -1 : 0
}

/** Words that follow from a level. */
function wordsOf({ battery, lock, place }: Levels, area: Area): Record<string, Word> {
  const words: Record<string, Word> = {}
  const ofBattery = batterySays(battery?.percent ?? null, area)
  if (battery !== null && ofBattery !== 0) words['low_battery'] = ofBattery * battery.at
  // A person who may open the lock may also move the vehicle.
  if (lock?.locked === false) words['illegal_movement'] = -lock.at
  const ofPlace = placeSays(place, area)
  if (place !== null && ofPlace !== 0) words['outside_area'] = ofPlace * place.at
  return words
}

type Said = { readonly batteryPercent: number | null; readonly locked: boolean | null; readonly position: Place | null }

/**
 * Whether what was said first says more of alarms than what was said later, so that it must not be passed over. Asked for
 * every report of a batch: nothing is allocated.
 */
export function saysMore(first: Said, later: Said, area: Area): boolean {
  if (first.locked === false && later.locked !== false) return true
  if (batterySays(later.batteryPercent, area) === 0 && batterySays(first.batteryPercent, area) !== 0) return true
  return placeSays(later.position, area) === 0 && placeSays(first.position, area) !== 0
}

export type AlarmsKnown = {
  readonly areaId: number
  readonly lowBatteryBelow?: number | undefined
  readonly state: VehicleState
  readonly open: readonly string[]
  readonly words: Words
  /** As they were before this report, and as they are after it. */
  readonly before: Levels
  readonly after: Levels
}
export type AlarmsSaid = {
  readonly occurredAt: number
  readonly receivedAt: number
  readonly names: readonly string[]
  readonly levels: Levels
}
export type AlarmsEffect = {
  readonly open: readonly string[]
  readonly words: Words
  readonly changes: readonly AlarmChange[]
  /** Alarms that were not opened because the vehicle has too many open ones. */
  readonly refused: number
}

/** What a report makes of the alarms of its vehicle. */
export function alarmsAfter(known: AlarmsKnown, said: AlarmsSaid, zones: Zones): AlarmsEffect {
  const area = { areaId: known.areaId, zones, lowBatteryBelow: known.lowBatteryBelow }
  const implied = wordsOf(known.before, area)
  const words: Record<string, Word> = { ...known.words }
  const open = new Set(known.open)
  const changes: AlarmChange[] = []
  const at = said.receivedAt
  let refused = 0
  const close = (kind: string): void => {
    if (open.delete(kind)) changes.push({ kind, at, change: 'close' })
  }
  const raise = (kind: string): void => {
    if (open.has(kind)) {
      if (!isLasting(kind)) changes.push({ kind, at, change: 'again' })
    } else if (open.size >= maxOpenAlarms && !isLasting(kind)) {
      refused += 1
    } else {
      open.add(kind)
      changes.push({ kind, at, change: 'open' })
    }
  }
  const take = (kind: string, word: Word): void => {
    const stored = words[kind]
    const last = Math.max(timeOf(stored), timeOf(implied[kind]))
    if (timeOf(word) < last) {
      // An older word of an alarm that is open is one more of it.
      if (opens(word) && open.has(kind)) raise(kind)
      return
    }
    // In the depot nobody waits for a battery, and every depot lies outside some area.
    if (opens(word) && isLasting(kind) && known.state === 'removed') return
    words[kind] = word
    const isDismissed = isLasting(kind) && opens(stored) && !open.has(kind)
    if (!opens(word)) close(kind)
    else if (!isDismissed) raise(kind)
  }
  for (const name of said.names) {
    const isOver = name.endsWith(clearedSuffix)
    if (isOver) take(name.slice(0, -clearedSuffix.length), -said.occurredAt)
    else take(name, said.occurredAt)
  }
  for (const [kind, word] of Object.entries(wordsOf(said.levels, area))) take(kind, word)
  // Whenever it was said, it was heard just now.
  close('offline')
  return {
    open: [...open],
    words: worthKeeping({ words, implied, after: wordsOf(known.after, area), open, sinceMs: at - rememberedForMs }),
    changes,
    refused,
  }
}

/** Leaves out old words, and those that the latest levels repeat, so that most vehicles keep none. */
function worthKeeping(options: {
  words: Words
  implied: Words
  after: Words
  open: ReadonlySet<string>
  sinceMs: number
}): Words {
  const { words, implied, after, open, sinceMs } = options
  const kept: [string, Word][] = []
  for (const kind of new Set([...Object.keys(words), ...Object.keys(implied)])) {
    const [stored, known] = [words[kind], implied[kind]]
    const latest = timeOf(stored) >= timeOf(known) ? stored : known
    if (latest === undefined) continue
    const isDismissed = isLasting(kind) && opens(stored) && !open.has(kind)
    const isSaid = timeOf(after[kind]) >= timeOf(latest) && !isDismissed
    if (!isSaid && (timeOf(latest) >= sinceMs || isDismissed)) kept.push([kind, latest])
  }
  if (kept.length > maxRemembered) kept.sort((a, b) => timeOf(b[1]) - timeOf(a[1])).length = maxRemembered
  return Object.fromEntries(kept)
}
