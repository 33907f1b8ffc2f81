import type { VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { planeM } from '@saddle/geo/earth.ts'
import type { Waiting } from './batches.ts'
import type { SanitizedReport } from './rules.ts'
import type { AcceptedReport } from './store.ts'
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

/** What is stored of a device, as far as it tells whether the next report says anything new. Each report of it updates it. */
type Stored = {
  -readonly [
    K in 'receivedAt' | 'occurredAt' | 'batteryPercent' | 'voltageV' | 'locked' | 'charging' | 'signal' | 'odometerM'
  ]: SanitizedReport[K]
} & { place: { readonly lat: number; readonly lng: number } | null; isServed: boolean }

/** What a gateway remembers of a device whose reports repeat one another. */
export type Standing = {
  /** Counts connections: what was on its way when a new one began tells nothing of what is stored now. */
  connection: number
  /** Null until a report of this connection is stored. */
  stored: Stored | null
  /** Reports on their way to the history. */
  underWay: number
  /** The latest report that said nothing new, and how many there were. */
  held: { readonly row: TakenReport; readonly count: number } | null
}

export const newStanding = (): Standing => ({
  connection: 0,
  stored: null,
  underWay: 0,
  held: null,
})

export type StandingReports = {
  /**
   * Gives a report to the writer, which settles it with null after its commit. One that says what is stored already is not
   * written but held, and is settled at once: the latest of them is stored before the next one that says something new, and in
   * time before the vehicle would count as offline.
   */
  take(standing: Standing, row: TakenReport, options: { readonly isAwaited: boolean }): void
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

  const push = (standing: Standing, row: TakenReport, isPatient: boolean) => {
    row.begin(standing)
    writer.push(row, row, isPatient ? patientOptions : undefined)
  }
  const release = (standing: Standing): void => {
    const { held } = standing
    if (held === null) return
    holding.delete(standing)
    standing.held = null
    // The one that is held is answered already.
    const late = new TakenReport(held.row)
    late.unchanged = held.count - 1
    push(standing, late, true)
  }

  return {
    take(standing, row, { isAwaited }) {
      const { stored, underWay, held } = standing
      const isKept = isAwaited || row.commanded || row.isRepeat || underWay > 0
      if (!isKept && stored !== null && saysNothingNew(stored, { row, held })) {
        const before = held?.count ?? 0
        if (row.report.receivedAt - stored.receivedAt < heldForMs()) {
          standing.held = { row, count: before + 1 }
          holding.add(standing)
          onHeld()
          return row.settled(null)
        }
        // It is time to store one of them: this one is the latest.
        holding.delete(standing)
        standing.held = null
        row.unchanged = before
        return push(standing, row, true)
      }
      release(standing)
      const { locked, alarms } = row.report
      const isTold = alarms.length > 0 || (locked !== null && locked !== stored?.locked)
      return push(standing, row, stored !== null && !isAwaited && !row.commanded && !isTold)
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

const patientOptions = { isPatient: true }

/**
 * A report that a device has sent, until it is settled; whoever waits for that extends it. One object of a class for everything that is to be known of it by then,
 * because there are tens of thousands of them: copies and functions of each took most of the time of collecting garbage.
 */
export class TakenReport implements AcceptedReport, Waiting {
  readonly vehicleId: number
  readonly kind: string
  readonly frameCrc: number
  readonly commanded: boolean
  readonly isRepeat: boolean
  readonly report: SanitizedReport
  unchanged = 0
  /** Null until it is on its way to the history. */
  #standing: Standing | null = null
  #connection = 0
  /** Its vehicle waits for riders: whatever else happens to it is waited for. */
  #isServed = false

  constructor(said: Omit<AcceptedReport, 'unchanged' | 'onPlaced'>) {
    this.vehicleId = said.vehicleId
    this.kind = said.kind
    this.frameCrc = said.frameCrc
    this.commanded = said.commanded
    this.isRepeat = said.isRepeat
    this.report = said.report
  }

  begin(standing: Standing): void {
    this.#standing = standing
    this.#connection = standing.connection
    standing.underWay += 1
  }

  onPlaced(state: VehicleState, isJudged: boolean): void {
    this.#isServed = state === 'available' && !isJudged
  }

  settled(failure: unknown): void {
    const standing = this.#standing
    if (standing === null) return
    standing.underWay -= 1
    if (failure === null && !this.isRepeat && standing.connection === this.#connection)
      standing.stored = storedAfter(standing.stored, this.report, this.#isServed)
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

/** Changes what is stored in its place: this is done for every report. */
function storedAfter(before: Stored | null, report: SanitizedReport, isServed: boolean): Stored {
  const { position, receivedAt, occurredAt } = report
  const place = position?.fix === true ? position : null
  if (before === null) {
    const { batteryPercent, voltageV, locked, charging, signal, odometerM } = report
    return { receivedAt, occurredAt, batteryPercent, voltageV, locked, charging, signal, odometerM, place, isServed }
  }
  const isNewer = occurredAt >= before.occurredAt
  if (isNewer) before.occurredAt = occurredAt
  if (receivedAt > before.receivedAt) before.receivedAt = receivedAt
  before.batteryPercent = latest(isNewer, report.batteryPercent, before.batteryPercent)
  before.voltageV = latest(isNewer, report.voltageV, before.voltageV)
  before.locked = latest(isNewer, report.locked, before.locked)
  before.charging = latest(isNewer, report.charging, before.charging)
  before.signal = latest(isNewer, report.signal, before.signal)
  before.odometerM = latest(isNewer, report.odometerM, before.odometerM)
  before.place = latest(isNewer, place, before.place)
  before.isServed = isServed
  return before
}

const latest = <T>(isNewer: boolean, said: T | null, stored: T | null): T | null =>
  isNewer ? (said ?? stored) : (stored ?? said)
