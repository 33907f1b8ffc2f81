import type { VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import { alarmsAfter, type AlarmChange, type Levels, type Words } from '../alarms/rules.ts'
import type { Zones } from '../alarms/zones.ts'
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
  /** The version of a voltage scheme that made the percentage; absent or null: the device said it. */
  readonly batteryVersion?: number | null
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
  readonly cause: 'device' | 'clock' | 'operator' | 'registration' | 'rider'
  readonly occurredAt: number
}

/** The facts of a vehicle: each is as new as the latest report that said it. */
export const facts = ['batteryPercent', 'voltageV', 'locked', 'charging', 'signal', 'odometerM'] as const
type Fact = (typeof facts)[number]

/** What is remembered of a vehicle to give late reports their place; empty for one that says everything in time. */
export type Told = {
  /** Times of the facts that are older than `factsAt`. */
  readonly facts: Readonly<Partial<Record<Fact, number>>>
  readonly alarms: Words
}
export const nothingTold: Told = { facts: {}, alarms: {} }

export type ReportEffect = {
  readonly now: VehicleNow
  readonly told: Told
  readonly changes: readonly StateChange[]
  readonly alarms: readonly AlarmChange[]
  /** Alarms that were not opened because the vehicle has too many open ones. */
  readonly alarmsRefused: number
}

export type Start = {
  readonly now: VehicleNow
  readonly told: Told
  /** Below this the vehicles of its company are low on battery. */
  readonly lowBatteryBelow?: number | undefined
}

/** What a report makes of what was known. Order does not matter: what is older than the known changes nothing. */
export function applyReport(
  { now: known, told, lowBatteryBelow }: Start,
  report: VehicleReport,
  zones: Zones,
): ReportEffect {
  const spoken = afterSpeaking(known, report)
  const isLockNew = report.occurredAt >= factTime(known, told, 'locked')
  const turned = isLockNew ? lockTurn(spoken.state, known, report) : null
  const changes = [spoken.change, turned].filter((change) => change !== null)
  const state = turned?.to ?? spoken.state
  const after = factsAfter(known, told, report)
  const now = {
    ...known,
    version: known.version + 1,
    state,
    stateBefore: isContactable(state) ? null : known.stateBefore,
    ...positionAfter(known, report),
    ...after.facts,
    heardAt: Math.max(known.heardAt ?? 0, report.receivedAt),
  }
  const alarms = alarmsAfter(
    {
      areaId: known.areaId,
      lowBatteryBelow,
      state,
      open: known.openAlarms,
      words: told.alarms,
      before: levelsOf(known, told.facts),
      after: levelsOf(now, after.told),
    },
    {
      occurredAt: report.occurredAt,
      receivedAt: report.receivedAt,
      names: report.alarms,
      levels: levelsSaid(report),
    },
    zones,
  )
  return {
    now: { ...now, openAlarms: alarms.open },
    told: { facts: after.told, alarms: alarms.words },
    changes,
    alarms: alarms.changes,
    alarmsRefused: alarms.refused,
  }
}

/** When a fact was said last; minus infinity before the first time. */
export function factTime(known: VehicleNow, told: Told, fact: Fact): number {
  return known[fact] === null ? Number.NEGATIVE_INFINITY : (told.facts[fact] ?? known.factsAt ?? 0)
}

function levelsOf(now: VehicleNow, behind: Told['facts']): Levels {
  const { batteryPercent, locked, lat, lng, positionAt, factsAt } = now
  return {
    battery: batteryPercent === null ? null : { percent: batteryPercent, at: behind.batteryPercent ?? factsAt ?? 0 },
    lock: locked === null ? null : { locked, at: behind.locked ?? factsAt ?? 0 },
    place: lat === null || lng === null ? null : { lat, lng, at: positionAt ?? 0 },
  }
}

function levelsSaid({ batteryPercent, locked, position, occurredAt: at }: VehicleReport): Levels {
  return {
    battery: batteryPercent === null ? null : { percent: batteryPercent, at },
    lock: locked === null ? null : { locked, at },
    place: position === null ? null : { lat: position.lat, lng: position.lng, at },
  }
}

/** A silent or lost vehicle returns to its previous state, because it just reported. */
function afterSpeaking(known: VehicleNow, report: VehicleReport): { state: VehicleState; change: StateChange | null } {
  if (isContactable(known.state)) return { state: known.state, change: null }
  const event = known.state === 'missing' ? 'located' : 'comms_restored'
  const to: ContactableState = known.stateBefore ?? 'available'
  // Only a report with a position locates a lost vehicle.
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
  const { lat, lng, speedKmh, headingDeg } = position
  return { lat, lng, speedKmh, headingDeg, positionAt: report.occurredAt }
}

type FactsAfter = { readonly facts: Partial<VehicleNow>; readonly told: Told['facts'] }

function factsAfter(known: VehicleNow, told: Told, report: VehicleReport): FactsAfter {
  const said = facts.filter((fact) => report[fact] !== null)
  // A bare position says nothing of the facts and must not make an older heartbeat look outdated.
  if (said.length === 0) return { facts: {}, told: told.facts }
  const factsAt = Math.max(known.factsAt ?? Number.NEGATIVE_INFINITY, report.occurredAt)
  const after: Partial<Record<Fact, number | boolean | null>> = {}
  const behind: Partial<Record<Fact, number>> = {}
  for (const fact of facts) {
    const at = factTime(known, told, fact)
    const isNews = report[fact] !== null && report.occurredAt >= at
    const latest = isNews ? report.occurredAt : at
    if (isNews) after[fact] = report[fact]
    if (latest < factsAt && latest > Number.NEGATIVE_INFINITY) behind[fact] = latest
  }
  return { facts: { ...(after as Partial<VehicleNow>), factsAt }, told: behind }
}
