import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { VehicleNow } from '../messages.ts'
import { areaOf, zoneOf, type Place } from '../alarms/zones.ts'
import { withoutCovered } from './collapse.ts'
import { applyReport as apply, nothingTold, type Start, type VehicleReport } from './rules.ts'

const startMs = Date.UTC(2026, 10, 21)

const known: VehicleNow = {
  vehicleId: 1,
  agentId: 3,
  areaId: 31,
  version: 7,
  state: 'available',
  stateBefore: null,
  lat: 31.2,
  lng: 120.7,
  speedKmh: null,
  headingDeg: null,
  positionAt: startMs,
  batteryPercent: 60,
  voltageV: 48,
  locked: true,
  charging: false,
  signal: 20,
  odometerM: 1_000,
  factsAt: startMs,
  heardAt: startMs,
  openAlarms: [],
}

const nowhere = () => null
const applyReport = (now: VehicleNow, report: VehicleReport) => apply({ now, told: nothingTold }, report, nowhere)

function said(changes: Partial<VehicleReport> = {}): VehicleReport {
  return {
    vehicleId: 1,
    receivedAt: startMs + 1_000,
    occurredAt: startMs + 1_000,
    position: null,
    batteryPercent: null,
    voltageV: null,
    locked: null,
    charging: null,
    signal: null,
    odometerM: null,
    alarms: [],
    commanded: false,
    ...changes,
  }
}

const place = (lat: number) => ({ lat, lng: 120.8, speedKmh: null, headingDeg: null })

it('takes over what was said and keeps what was not', () => {
  const { now, changes, alarms } = applyReport(known, said({ batteryPercent: 55, signal: 12 }))
  expect(now).toEqual({
    ...known,
    version: 8,
    batteryPercent: 55,
    signal: 12,
    factsAt: startMs + 1_000,
    heardAt: startMs + 1_000,
  })
  expect([changes, alarms]).toEqual([[], []])
})

it('what is older than the known changes neither place nor facts, but counts as heard', () => {
  const old = said({ occurredAt: startMs - 1, position: place(30), batteryPercent: 1, locked: false })
  expect(applyReport(known, old)).toEqual({
    now: { ...known, version: 8, heardAt: startMs + 1_000 },
    // That the lock was open then tells nothing of a movement later.
    told: { facts: {}, alarms: { illegal_movement: -(startMs - 1) } },
    changes: [],
    alarms: [],
    alarmsRefused: 0,
  })
})

it('a place does not make an older heartbeat look outdated', () => {
  const moved = applyReport(known, said({ occurredAt: startMs + 900, position: place(31.3) })).now
  const { now } = applyReport(moved, said({ occurredAt: startMs + 500, batteryPercent: 59 }))
  expect(now).toMatchObject({ lat: 31.3, batteryPercent: 59 })
})

describe('the lock', () => {
  it('opening without a command starts a trip and closing ends it', () => {
    const opened = applyReport(known, said({ locked: false }))
    expect(opened.changes).toMatchObject([{ event: 'trip_start', from: 'available', to: 'on_trip', cause: 'device' }])
    expect(opened.now.state).toBe('on_trip')
    const closed = applyReport(opened.now, said({ locked: true, occurredAt: startMs + 2_000 }))
    expect(closed.changes).toMatchObject([{ event: 'trip_end', from: 'on_trip', to: 'available' }])
  })

  it("opening by an operator's command, or for the first time heard of, is no trip", () => {
    expect(applyReport(known, said({ locked: false, commanded: true })).changes).toEqual([])
    expect(applyReport({ ...known, locked: null }, said({ locked: false })).changes).toEqual([])
  })

  it('an impossible trip leaves the state alone', () => {
    for (const state of ['non_operational', 'removed', 'elsewhere'] as const) {
      const { now, changes } = applyReport({ ...known, state }, said({ locked: false }))
      expect([now.state, now.locked, changes]).toEqual([state, false, []])
    }
  })
})

describe('a vehicle that was silent', () => {
  it('is what it was as soon as it speaks', () => {
    const silent = { ...known, state: 'non_contactable', stateBefore: 'on_trip', locked: false } as const
    const { now, changes } = applyReport(silent, said())
    expect(now).toMatchObject({ state: 'on_trip', stateBefore: null })
    expect(changes).toMatchObject([{ event: 'comms_restored', from: 'non_contactable', to: 'on_trip' }])
    const ended = applyReport(silent, said({ locked: true }))
    expect(ended.changes.map(({ event }) => event)).toEqual(['comms_restored', 'trip_end'])
    expect(ended.now).toMatchObject({ state: 'available', stateBefore: null })
  })

  it('or lost, is found only by a place', () => {
    const missing = { ...known, state: 'missing', stateBefore: 'available' } as const
    expect(applyReport(missing, said()).now).toMatchObject({ state: 'missing', stateBefore: 'available' })
    const { now, changes } = applyReport(missing, said({ position: place(31.3) }))
    expect(now.state).toBe('available')
    expect(changes).toMatchObject([{ event: 'located' }])
  })
})

it('a fact that the latest report does not say is as old as it is', () => {
  const first = apply(
    { now: known, told: nothingTold },
    said({ occurredAt: startMs + 900, batteryPercent: 50 }),
    nowhere,
  )
  expect(first.told.facts).toMatchObject({ locked: startMs, signal: startMs })
  const late = apply(first, said({ occurredAt: startMs + 500, locked: false, batteryPercent: 58 }), nowhere)
  expect(late.now).toMatchObject({ locked: false, batteryPercent: 50, state: 'on_trip', factsAt: startMs + 900 })
  const older = apply(late, said({ occurredAt: startMs + 400, locked: true }), nowhere)
  expect(older.now).toMatchObject({ locked: false, state: 'on_trip' })
})

it('everything comes out the same in whatever order reports arrive', () => {
  const area = areaOf([
    [120, 31],
    [121, 31],
    [121, 32],
    [120, 32],
  ])
  const zones = (_: number, place: Place) => zoneOf(area, place)
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
  const lat = fc.constantFrom(31.2, 31.9, 32.0002, 32.0003, 32.1, 33)
  const report = fc.record({
    occurredAt: fc.integer({ min: startMs - 5_000, max: startMs + 50_000 }),
    position: maybe(lat.map(place)),
    batteryPercent: maybe(fc.integer({ min: 15, max: 30 })),
    locked: maybe(fc.boolean()),
    signal: maybe(fc.integer({ min: 0, max: 31 })),
    alarms: fc.subarray(['fall', 'illegal_movement', 'tamper_cleared', 'tamper', 'low_battery'], { maxLength: 1 }),
  })
  const batch = fc.uniqueArray(report, { selector: (one) => one.occurredAt, minLength: 1, maxLength: 14 })
  const parts = { at: fc.infiniteStream(fc.integer({ min: 1, max: 5 })), mixed: fc.infiniteStream(fc.nat()) }
  const outcome = ({ now }: Start) => ({ ...now, version: 0, openAlarms: now.openAlarms.toSorted() })
  fc.assert(
    fc.property(batch, fc.record(parts), (reports, { at, mixed }) => {
      const run = (order: typeof reports): Start => {
        let start: Start = { now: known, told: nothingTold }
        for (let rest = order; rest.length > 0;) {
          // As the gateway takes them: some at once, in their order, without those that say nothing more.
          const turn = rest.slice(0, at.next().value)
          rest = rest.slice(turn.length)
          const sorted = turn.map((one) => said(one)).toSorted((a, b) => a.occurredAt - b.occurredAt)
          for (const one of withoutCovered(sorted, { areaId: 31, zones })) start = apply(start, one, zones)
        }
        return start
      }
      const order = reports.map((one) => ({ one, by: mixed.next().value })).toSorted((a, b) => a.by - b.by)
      expect(outcome(run(order.map(({ one }) => one)))).toEqual(
        outcome(run(reports.toSorted((a, b) => a.occurredAt - b.occurredAt))),
      )
    }),
    { numRuns: 1_000 },
  )
})
