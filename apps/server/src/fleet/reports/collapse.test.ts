import { expect, it } from 'vitest'
import { withoutCovered } from './collapse.ts'
import type { VehicleReport } from './rules.ts'

const startMs = Date.UTC(2026, 10, 21)
const zones = (_: number, { lat }: { lat: number }) => (lat < 32 ? 'inside' : lat < 32.001 ? 'edge' : 'beyond')
const area = { areaId: 31, zones }

function said(second: number, changes: Partial<VehicleReport> = {}): VehicleReport {
  const silent = { position: null, batteryPercent: null, voltageV: null, locked: null, charging: null, signal: null }
  const at = startMs + second * 1_000
  const rest = { odometerM: null, alarms: [], commanded: false }
  return { vehicleId: 1, receivedAt: at, occurredAt: at, ...silent, ...rest, ...changes }
}
const place = (lat: number) => ({ lat, lng: 120.7, speedKmh: null, headingDeg: null })
const kept = (...reports: VehicleReport[]) =>
  withoutCovered(reports, area).map(({ occurredAt }) => (occurredAt - startMs) / 1_000)

it('of many reports that say the same things the last is left', () => {
  const way = Array.from({ length: 100 }, (_, n) => said(n, { position: place(31 + n / 1_000), batteryPercent: 60 }))
  expect(kept(...way)).toEqual([99])
  expect(kept()).toEqual([])
})

it('what only the earlier one says stays', () => {
  expect(kept(said(1, { position: place(31) }), said(2, { batteryPercent: 60 }))).toEqual([1, 2])
  expect(kept(said(1, { signal: 20 }), said(2, { signal: 21, voltageV: 48 }))).toEqual([2])
  expect(kept(said(1, { signal: 20, voltageV: 48 }), said(2, { signal: 21 }))).toEqual([1, 2])
})

it('what happened stays: alarms, a lock that turned, an order, an arrival after the later one', () => {
  expect(kept(said(1, { alarms: ['fall'] }), said(2))).toEqual([1, 2])
  expect(kept(said(1, { locked: true }), said(2, { locked: false }), said(3, { locked: true }))).toEqual([1, 2, 3])
  expect(kept(said(1, { locked: true }), said(2, { locked: true }))).toEqual([2])
  expect(kept(said(1, { commanded: true }), said(2))).toEqual([1, 2])
  expect(kept(said(1, { receivedAt: startMs + 9_000 }), said(2))).toEqual([1, 2])
})

it('a level that opens or closes an alarm stays before one that says nothing of it', () => {
  const battery = (second: number, batteryPercent: number) => said(second, { batteryPercent })
  expect(kept(battery(1, 19), battery(2, 22))).toEqual([1, 2])
  expect(kept(battery(1, 22), battery(2, 19))).toEqual([2])
  expect(kept(battery(1, 19), battery(2, 30))).toEqual([2])
  const at = (second: number, lat: number) => said(second, { position: place(lat) })
  expect(kept(at(1, 33), at(2, 32.0005))).toEqual([1, 2])
  expect(kept(at(1, 33), at(2, 31))).toEqual([2])
})
