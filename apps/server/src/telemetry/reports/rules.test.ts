import { expect, it } from 'vitest'
import type { DeviceReport } from '@saddle/device-protocols/report.ts'
import { futureToleranceMs, oldestReportMs, sanitizeReport, vehicleReport } from './rules.ts'

const now = Date.UTC(2026, 10, 21)
const said = (changes: Partial<DeviceReport> = {}): DeviceReport => ({
  deviceId: '861234567000001',
  occurredAt: now - 1_000,
  position: null,
  ...changes,
})
const position = { lat: 31.2, lng: 120.7, fix: true }

it('keeps what can be', () => {
  const report = sanitizeReport(
    said({ position, batteryPercent: 100, voltageV: 48.2, odometerM: 12.4, signal: -70 }),
    now,
  )
  expect(report).toMatchObject({
    occurredAt: now - 1_000,
    position: { lat: 31.2, lng: 120.7, speedKmh: null, altitudeM: null, fix: true },
    batteryPercent: 100,
    voltageV: 48.2,
    odometerM: 12,
    signal: -70,
    faults: [],
  })
})

it('believes times between six days ago and in five minutes, and never calls a report newer than its arrival', () => {
  for (const [at, fault] of [
    [now + futureToleranceMs, null],
    [now + futureToleranceMs + 1, 'future'],
    [now - oldestReportMs, null],
    [now - oldestReportMs - 1, 'too_old'],
    [null, null],
  ] as const) {
    const report = sanitizeReport(said({ occurredAt: at }), now)
    expect(report.faults, `claimed ${at}`).toEqual(fault === null ? [] : [fault])
    expect(report.occurredAt).toBe(fault === null ? (at ?? now) : now)
    expect(vehicleReport({ vehicleId: 1, report, commanded: false }).occurredAt).toBeLessThanOrEqual(now)
  }
})

it('a place of long ago, of nowhere or without a fix does not move the vehicle', () => {
  const placeOf = (report: DeviceReport) =>
    vehicleReport({ vehicleId: 1, report: sanitizeReport(report, now), commanded: false }).position
  expect(placeOf(said({ position }))).toMatchObject({ lat: 31.2 })
  expect(placeOf(said({ position, occurredAt: now - oldestReportMs - 1 }))).toBeNull()
  expect(placeOf(said({ position: { lat: 0, lng: 0, fix: true } }))).toBeNull()
  expect(placeOf(said({ position: { lat: 91, lng: 0, fix: true } }))).toBeNull()
  expect(placeOf(said({ position: { lat: Number.NaN, lng: 120, fix: true } }))).toBeNull()
  expect(placeOf(said({ position: { ...position, fix: false } }))).toBeNull()
})

it('leaves out what cannot be and says so', () => {
  const impossible = { batteryPercent: 300, voltageV: -1, signal: 99_999, odometerM: -5, alarms: ['x; drop', 'fall'] }
  const place = { lat: 31, lng: 120, speedKmh: 900, headingDeg: 361, altitudeM: 99_999, fix: true }
  const report = sanitizeReport(said({ ...impossible, position: place }), now)
  expect(report).toMatchObject({
    batteryPercent: null,
    voltageV: null,
    signal: null,
    odometerM: null,
    alarms: ['fall'],
  })
  expect(report.position).toEqual({ lat: 31, lng: 120, speedKmh: null, headingDeg: null, altitudeM: null, fix: true })
  expect(report.faults.toSorted()).toEqual(
    ['alarm', 'altitude', 'battery', 'heading', 'odometer', 'signal', 'speed', 'voltage'].toSorted(),
  )
  expect(sanitizeReport(said({ batteryPercent: Number.NaN }), now).batteryPercent).toBeNull()
})
