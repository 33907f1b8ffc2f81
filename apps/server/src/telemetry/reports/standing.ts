import { minuteMs } from '@saddle/contract/time.ts'
import { planeM } from '@saddle/geo/earth.ts'
import type { SanitizedReport } from './rules.ts'
import type { AcceptedReport, KnownAs } from './store.ts'
import type { ReportWriter } from './writer.ts'

/** Fixes of a vehicle that stands differ by less. Measured from the place that is stored, so that no drift adds up. */
const samePlaceM = 15
const sameVoltageV = 0.15
const sameSignal = 3
const standingKmh = 1
/** A report that comes later than this was kept by its device, and goes into the history at its own place. */
const inTimeMs = minuteMs
/** The last report of a standing vehicle is stored so long before it would count as offline. */
const spareMs = minuteMs

/** What is stored of a device, as far as it tells whether the next report says anything new. */
type Stored = Pick<
  SanitizedReport,
  'receivedAt' | 'occurredAt' | 'batteryPercent' | 'voltageV' | 'locked' | 'charging' | 'signal' | 'odometerM'
> & { readonly place: { readonly lat: number; readonly lng: number } | null; readonly isServed: boolean }

/** What a gateway remembers of a device whose reports repeat one another. */
export type Standing = {
  /** Counts connections: what was on its way when a new one began tells nothing of what is stored now. */
  connection: number
  /** Null until a report of this connection is stored. */
  stored: Stored | null
  /** Reports on their way to the history. */
  underWay: number
  /** The latest report that said nothing new, and how many there were. */
  held: { readonly row: AcceptedReport; readonly count: number } | null
}

export const newStanding = (): Standing => ({
  connection: 0,
  stored: null,
  underWay: 0,
  held: null,
})

export type StandingReports = {
  /**
   * Gives a report to the writer, and calls back with null after its commit. One that says what is stored already is not written
   * but held, and is answered at once: the latest of them is stored before the next one that says something new, and in time
   * before the vehicle would count as offline.
   */
  take(
    standing: Standing,
    row: AcceptedReport,
    options: { readonly isAwaited: boolean; readonly settled: (failure: unknown) => void },
  ): void
  /** Stores what is held of a device. */
  release(standing: Standing): void
  /** The device has a new connection, perhaps after another gateway had it: what is stored of it is not known. */
  begin(standing: Standing): void
  /** Stores what was held long enough. */
  tick(nowMs: number): void
  releaseAll(): void
}

export function createStandingReports(options: {
  readonly writer: Pick<ReportWriter, 'push'>
  /** The shortest time after which a vehicle counts as offline. */
  readonly offlineAfterMs: () => number
  readonly onHeld: () => void
}): StandingReports {
  const { writer, offlineAfterMs, onHeld } = options
  const holding = new Set<Standing>()
  const heldForMs = (): number => offlineAfterMs() - spareMs

  const push = (standing: Standing, row: AcceptedReport, settled: (failure: unknown) => void, isPatient: boolean) => {
    let known: KnownAs | null = null
    const { connection } = standing
    standing.underWay += 1
    writer.push(
      { ...row, onPlaced: (as) => (known = as) },
      (failure) => {
        standing.underWay -= 1
        const isKnown = failure === null && !row.isRepeat && standing.connection === connection
        if (isKnown) standing.stored = storedAfter(standing.stored, row, known)
        settled(failure)
      },
      { isPatient },
    )
  }
  const release = (standing: Standing): void => {
    const { held } = standing
    holding.delete(standing)
    standing.held = null
    if (held !== null) push(standing, { ...held.row, unchanged: held.count - 1 }, () => {}, true)
  }

  return {
    take(standing, row, { isAwaited, settled }) {
      const { stored, underWay, held } = standing
      const isKept = isAwaited || row.commanded || row.isRepeat || underWay > 0
      if (!isKept && stored !== null && saysNothingNew(stored, { row, held })) {
        const before = held?.count ?? 0
        if (row.report.receivedAt - stored.receivedAt < heldForMs()) {
          standing.held = { row, count: before + 1 }
          holding.add(standing)
          onHeld()
          return settled(null)
        }
        // It is time to store one of them: this one is the latest.
        holding.delete(standing)
        standing.held = null
        return push(standing, { ...row, unchanged: before }, settled, true)
      }
      release(standing)
      const { locked, alarms } = row.report
      const isTold = alarms.length > 0 || (locked !== null && locked !== stored?.locked)
      return push(standing, row, settled, stored !== null && !isAwaited && !row.commanded && !isTold)
    },
    release,
    begin(standing) {
      release(standing)
      standing.stored = null
      standing.connection += 1
    },
    tick(nowMs) {
      for (const standing of holding) {
        if (nowMs - (standing.stored?.receivedAt ?? 0) >= heldForMs()) release(standing)
      }
    },
    releaseAll() {
      for (const standing of holding) release(standing)
    },
  }
}

/** Whether a report of a vehicle that stands locked leaves everything as it is stored, but for its time. */
function saysNothingNew(
  stored: Stored,
  { row, held }: { readonly row: AcceptedReport; readonly held: Standing['held'] },
): boolean {
  const { report } = row
  const { position } = report
  if (!stored.isServed || stored.locked !== true || report.alarms.length > 0) return false
  // In its time, and in order.
  if (Math.abs(report.receivedAt - report.occurredAt) > inTimeMs) return false
  if (report.occurredAt < Math.max(stored.occurredAt, held?.row.report.occurredAt ?? 0)) return false
  if (position !== null) {
    if (!position.fix || stored.place === null || (position.speedKmh ?? 0) >= standingKmh) return false
    if (planeM(stored.place, position) > samePlaceM) return false
  }
  return (
    isSame(report.locked, stored.locked) &&
    isSame(report.charging, stored.charging) &&
    isSame(report.batteryPercent, stored.batteryPercent) &&
    isSame(report.odometerM, stored.odometerM) &&
    isNear(report.voltageV, stored.voltageV, sameVoltageV) &&
    isNear(report.signal, stored.signal, sameSignal)
  )
}

/** What a report does not say is as it was. */
const isSame = <T>(said: T | null, stored: T | null): boolean => said === null || said === stored
const isNear = (said: number | null, stored: number | null, within: number): boolean =>
  said === null || (stored !== null && Math.abs(said - stored) <= within)

function storedAfter(before: Stored | null, { report }: AcceptedReport, known: KnownAs | null): Stored {
  const { position, receivedAt, occurredAt } = report
  const said = {
    receivedAt,
    occurredAt,
    batteryPercent: report.batteryPercent,
    voltageV: report.voltageV,
    locked: report.locked,
    charging: report.charging,
    signal: report.signal,
    odometerM: report.odometerM,
    place: position?.fix === true ? { lat: position.lat, lng: position.lng } : null,
    // Only of a vehicle that waits for riders: whatever else happens to it is waited for.
    isServed: known?.state === 'available' && !known.isJudged,
  }
  if (before === null) return said
  const [older, newer] = occurredAt < before.occurredAt ? [said, before] : [before, said]
  return {
    receivedAt: Math.max(before.receivedAt, receivedAt),
    occurredAt: newer.occurredAt,
    batteryPercent: newer.batteryPercent ?? older.batteryPercent,
    voltageV: newer.voltageV ?? older.voltageV,
    locked: newer.locked ?? older.locked,
    charging: newer.charging ?? older.charging,
    signal: newer.signal ?? older.signal,
    odometerM: newer.odometerM ?? older.odometerM,
    place: newer.place ?? older.place,
    isServed: said.isServed,
  }
}
