import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { VehicleNow } from '../messages.ts'
import { applyReport, maxOpenAlarms, type VehicleReport } from './rules.ts'

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

describe('alarms', () => {
  it('open once, repeat, and close by their clearing word', () => {
    const first = applyReport(known, said({ alarms: ['fall'] }))
    expect(first.alarms).toEqual([{ kind: 'fall', at: startMs + 1_000, change: 'open' }])
    const second = applyReport(first.now, said({ alarms: ['fall'] }))
    expect(second.alarms).toMatchObject([{ kind: 'fall', change: 'again' }])
    const third = applyReport(second.now, said({ alarms: ['fall_cleared', 'tamper_cleared'] }))
    expect(third.alarms).toMatchObject([{ kind: 'fall', change: 'close' }])
    expect(third.now.openAlarms).toEqual([])
  })

  it('a charged battery and an opened lock close what they explain', () => {
    const alarmed = { ...known, openAlarms: ['low_battery', 'illegal_movement', 'fall'] }
    expect(applyReport(alarmed, said({ batteryPercent: 24 })).now.openAlarms).toContain('low_battery')
    expect(applyReport(alarmed, said({ batteryPercent: 25 })).now.openAlarms).toEqual(['illegal_movement', 'fall'])
    expect(applyReport(alarmed, said({ locked: false })).now.openAlarms).toEqual(['low_battery', 'fall'])
  })

  it('a device that invents alarms is stopped', () => {
    const alarms = Array.from({ length: maxOpenAlarms + 5 }, (_, code) => `omni_${code}`)
    const effect = applyReport(known, said({ alarms }))
    expect(effect.now.openAlarms).toHaveLength(maxOpenAlarms)
    expect(effect.alarmsRefused).toBe(5)
  })
})

it('place and battery come out the same in whatever order reports arrive', () => {
  const report = fc.record({
    occurredAt: fc.integer({ min: startMs + 1, max: startMs + 50_000 }),
    lat: fc.option(fc.double({ min: 30, max: 32, noNaN: true }), { nil: null }),
    batteryPercent: fc.integer({ min: 0, max: 100 }),
  })
  const batch = fc.uniqueArray(report, { selector: (one) => one.occurredAt, minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(batch, fc.integer(), (reports, seed) => {
      const run = (order: typeof reports) =>
        order.reduce(
          (now, { occurredAt, lat, batteryPercent }) =>
            applyReport(now, said({ occurredAt, batteryPercent, position: lat === null ? null : place(lat) })).now,
          known,
        )
      const shuffled = reports.toSorted((a, b) => ((a.occurredAt * 31 + seed) % 97) - ((b.occurredAt * 31 + seed) % 97))
      expect(run(shuffled)).toEqual(run(reports))
    }),
  )
})
