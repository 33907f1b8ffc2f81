import type { VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import type { VehicleNow } from '../messages.ts'
import { isContactable, stateAfter, type ContactableState, type VehicleEvent } from '../states/rules.ts'

/** What a device said about its vehicle, after implausible values were taken out. */
export type VehicleReport = {
  readonly vehicleId: number
  readonly receivedAt: number
  /** By the device's clock; never after `receivedAt`. */
  readonly occurredAt: number
  readonly position: {
    readonly lat: number
    readonly lng: number
    readonly speedKmh: number | null
    readonly headingDeg: number | null
  } | null
  readonly batteryPercent: number | null
  readonly voltageV: number | null
  readonly locked: boolean | null
  readonly charging: boolean | null
  readonly signal: number | null
  readonly odometerM: number | null
  /** Names of alarms; `…_cleared` closes the one before it. */
  readonly alarms: readonly string[]
  /** True when the lock turned because an operator commanded it. */
  readonly commanded: boolean
}

export type StateChange = {
  readonly event: VehicleEvent
  readonly from: VehicleState
  readonly to: VehicleState
  readonly cause: 'device' | 'clock' | 'operator' | 'registration'
  readonly occurredAt: number
}

export type AlarmChange = { readonly kind: string; readonly at: number; readonly change: 'open' | 'again' | 'close' }

export type ReportEffect = {
  readonly now: VehicleNow
  readonly changes: readonly StateChange[]
  readonly alarms: readonly AlarmChange[]
  /** Alarms that were not opened because the vehicle has too many open ones. */
  readonly alarmsRefused: number
}

/** A device that invents alarm codes must not fill the table. */
export const maxOpenAlarms = 20
/** A low-battery alarm closes here, a little above where it opens, so that it does not flutter. */
const batteryRecoveredPercent = 25
const clearedSuffix = '_cleared'

/** What a report makes of what was known. Order does not matter: what is older than the known changes nothing. */
export function applyReport(known: VehicleNow, report: VehicleReport): ReportEffect {
  const factsAreNew = known.factsAt === null || report.occurredAt >= known.factsAt
  const spoken = afterSpeaking(known, report)
  const turned = factsAreNew ? lockTurn(spoken.state, known, report) : null
  const changes = [spoken.change, turned].filter((change) => change !== null)
  const state = turned?.to ?? spoken.state
  const alarms = alarmChanges(known, report, factsAreNew)
  return {
    now: {
      ...known,
      version: known.version + 1,
      state,
      stateBefore: isContactable(state) ? null : known.stateBefore,
      ...positionAfter(known, report),
      ...(factsAreNew ? factsAfter(known, report) : {}),
      heardAt: Math.max(known.heardAt ?? 0, report.receivedAt),
      openAlarms: alarms.open,
    },
    changes,
    alarms: alarms.changes,
    alarmsRefused: alarms.refused,
  }
}

/** A vehicle that was silent or lost is again what it was, because it just spoke. */
function afterSpeaking(known: VehicleNow, report: VehicleReport): { state: VehicleState; change: StateChange | null } {
  if (isContactable(known.state)) return { state: known.state, change: null }
  const event = known.state === 'missing' ? 'located' : 'comms_restored'
  const to: ContactableState = known.stateBefore ?? 'available'
  // Where a lost vehicle is, only a position tells.
  if (event === 'located' && report.position === null) return { state: known.state, change: null }
  const change: StateChange = { event, from: known.state, to, cause: 'device', occurredAt: report.receivedAt }
  return { state: to, change }
}

/**
 * Until riders unlock through an interface of their own, a lock that opens without an operator's command counts as a
 * rider's: its opening starts the trip and its closing ends it. This is the one place that says so.
 */
function lockTurn(state: VehicleState, known: VehicleNow, report: VehicleReport): StateChange | null {
  if (report.locked === null || known.locked === null || report.locked === known.locked) return null
  if (!report.locked && report.commanded) return null
  const event = report.locked ? 'trip_end' : 'trip_start'
  const to = stateAfter({ from: state, event })
  return to === null ? null : { event, from: state, to, cause: 'device', occurredAt: report.occurredAt }
}

function positionAfter(known: VehicleNow, report: VehicleReport): Partial<VehicleNow> {
  const { position } = report
  if (position === null || (known.positionAt !== null && report.occurredAt < known.positionAt)) return {}
  return { ...position, positionAt: report.occurredAt }
}

function factsAfter(known: VehicleNow, report: VehicleReport): Partial<VehicleNow> {
  const facts = {
    batteryPercent: report.batteryPercent ?? known.batteryPercent,
    voltageV: report.voltageV ?? known.voltageV,
    locked: report.locked ?? known.locked,
    charging: report.charging ?? known.charging,
    signal: report.signal ?? known.signal,
    odometerM: report.odometerM ?? known.odometerM,
  }
  const saidSomething = [
    report.batteryPercent,
    report.voltageV,
    report.locked,
    report.charging,
    report.signal,
    report.odometerM,
  ].some((value) => value !== null)
  // A bare position says nothing of the facts and must not make an older heartbeat look outdated.
  return saidSomething ? { ...facts, factsAt: report.occurredAt } : {}
}

function alarmChanges(
  known: VehicleNow,
  report: VehicleReport,
  factsAreNew: boolean,
): { open: readonly string[]; changes: readonly AlarmChange[]; refused: number } {
  const open = new Set(known.openAlarms)
  const changes: AlarmChange[] = []
  const at = report.receivedAt
  let refused = 0
  const close = (kind: string): void => {
    if (open.delete(kind)) changes.push({ kind, at, change: 'close' })
  }
  for (const name of report.alarms) {
    if (name.endsWith(clearedSuffix)) {
      close(name.slice(0, -clearedSuffix.length))
    } else if (open.has(name)) {
      changes.push({ kind: name, at, change: 'again' })
    } else if (open.size >= maxOpenAlarms) {
      refused += 1
    } else {
      open.add(name)
      changes.push({ kind: name, at, change: 'open' })
    }
  }
  if (factsAreNew && (report.batteryPercent ?? 0) >= batteryRecoveredPercent) close('low_battery')
  // Whoever may open the lock may also move the vehicle.
  if (factsAreNew && report.locked === false && known.locked === true) close('illegal_movement')
  return { open: [...open], changes, refused }
}
