import { expect, it } from 'vitest'
import { offlineAfterMs } from '@saddle/contract/fleet/vehicles.ts'
import { decodeLiveFrame, type Bounds, type LiveFilter } from '@saddle/contract/telemetry/live.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { VehicleNow } from '#fleet/public.ts'
import { createLiveIndex } from './liveIndex.ts'
import type { Visibility } from './table.ts'
import { viewLimits } from './view.ts'

const startMs = Date.UTC(2026, 10, 21)
const world = { west: -180, south: -90, east: 180, north: 90 }
const city = { west: 120.6, south: 31.2, east: 120.8, north: 31.3 }
const visibility: Visibility = { agentIds: new Set([3]), areaIds: new Set([31]) }

function vehicle(changes: Partial<VehicleNow> = {}): VehicleNow {
  return {
    vehicleId: 1,
    agentId: 3,
    areaId: 31,
    version: 1,
    state: 'available',
    stateBefore: null,
    lat: 31.25,
    lng: 120.7,
    speedKmh: null,
    headingDeg: null,
    positionAt: startMs,
    batteryPercent: 80,
    voltageV: null,
    locked: true,
    charging: null,
    signal: null,
    odometerM: null,
    factsAt: startMs,
    heardAt: startMs,
    openAlarms: [],
    ...changes,
  }
}

function vehiclesOf(bytes: Uint8Array) {
  const frame = decodeLiveFrame(bytes)
  if (frame.kind !== 'vehicles') throw new Error('a frame of clusters')
  return { snapshot: frame.snapshot, upserts: frame.upserts.map(({ id }) => id), removed: frame.removed }
}

it('shows a vehicle as it is', () => {
  const index = createLiveIndex({ nowMs: startMs })
  index.update([vehicle({ batteryPercent: 19, locked: false, openAlarms: ['fall'], charging: true, state: 'on_trip' })])
  expect(index.query({ bounds: city, visibility })).toEqual([
    {
      id: 1,
      lat: 31.25,
      lng: 120.7,
      batteryPercent: 19,
      state: 'on_trip',
      locked: false,
      lowBattery: true,
      alarm: true,
      worst: 'fall',
      offline: false,
      charging: true,
      headingDeg: null,
    },
  ])
})

it('shows nothing without a place, outside the view, or of a foreign franchisee or area', () => {
  const index = createLiveIndex({ nowMs: startMs })
  index.update([
    vehicle({ vehicleId: 1, lat: null, lng: null }),
    vehicle({ vehicleId: 2, lat: 31.4 }),
    vehicle({ vehicleId: 3, agentId: 4 }),
    vehicle({ vehicleId: 4, areaId: 32 }),
  ])
  expect(index.query({ bounds: city, visibility })).toEqual([])
  const all = { agentIds: new Set([3, 4]), areaIds: new Set([31, 32]) }
  expect(
    index
      .query({ bounds: world, visibility: all })
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([2, 3, 4])
  expect(index.query({ bounds: { west: 121, south: 31, east: -170, north: 32 }, visibility: all })).toEqual([])
  expect(index.query({ bounds: { west: 120.7, south: 31.39, east: -170, north: 32 }, visibility: all })).toHaveLength(1)
})

it('takes the newer of two whatever comes first', () => {
  const index = createLiveIndex({ nowMs: startMs })
  index.update([vehicle({ version: 5, batteryPercent: 50 }), vehicle({ version: 4, batteryPercent: 60 })])
  expect(index.query({ bounds: city, visibility })[0]?.batteryPercent).toBe(50)
})

it('a view hears of what changed, came in and went out, and of nothing twice', () => {
  const index = createLiveIndex({ nowMs: startMs })
  index.update([vehicle(), vehicle({ vehicleId: 2, lat: 31.4 })])
  const view = index.createView({ bounds: city, visibility })
  const difference = () => {
    const bytes = view.difference(2)
    return bytes === null ? null : vehiclesOf(bytes)
  }
  expect(vehiclesOf(view.snapshot(1))).toEqual({ snapshot: true, upserts: [1], removed: [] })
  expect(difference()).toBeNull()
  index.update([vehicle({ version: 2, heardAt: startMs + 1 })])
  expect(difference(), 'a heartbeat without news').toBeNull()
  index.update([vehicle({ version: 3, lat: 31.26 }), vehicle({ vehicleId: 2, version: 2, lat: 31.27 })])
  expect(difference()).toEqual({ snapshot: false, upserts: [1, 2], removed: [] })
  index.update([vehicle({ version: 4, lat: 35 }), vehicle({ vehicleId: 2, version: 3, agentId: 4 })])
  expect(difference()).toEqual({ snapshot: false, upserts: [], removed: [1, 2] })
  expect(difference()).toBeNull()
  index.update([vehicle({ version: 5 })])
  index.forget([1])
  expect(difference()).toBeNull()
  index.update([vehicle({ version: 2 })])
  expect(difference(), 'whoever was forgotten in error comes back').toMatchObject({ upserts: [1] })
})

it('marks the silent by the clock, and takes the mark away when they speak', () => {
  const index = createLiveIndex({ nowMs: startMs })
  index.update([vehicle(), vehicle({ vehicleId: 2, heardAt: null })])
  const offline = () =>
    index
      .query({ bounds: city, visibility })
      .toSorted((a, b) => a.id - b.id)
      .map((one) => one.offline)
  expect(offline()).toEqual([false, true])
  index.tick(startMs + offlineAfterMs)
  expect(offline()).toEqual([false, true])
  const before = index.sequence
  index.tick(startMs + offlineAfterMs + 1)
  expect(offline()).toEqual([true, true])
  expect(index.sequence).toBe(before + 1)
  index.update([vehicle({ version: 2, heardAt: startMs + offlineAfterMs })])
  expect(offline()).toEqual([false, true])
})

it('goes by what the company has chosen, from the moment it is told', () => {
  const index = createLiveIndex({ nowMs: startMs })
  const other = { agentId: 4, areaId: 40 }
  index.update([vehicle({ batteryPercent: 29.9 }), vehicle({ vehicleId: 2, batteryPercent: 29.9, ...other })])
  const all = { agentIds: new Set([3, 4]), areaIds: new Set([...visibility.areaIds, other.areaId]) }
  const marks = () =>
    index
      .query({ bounds: city, visibility: all })
      .toSorted((a, b) => a.id - b.id)
      .map((one) => [one.lowBattery, one.offline])
  const still = [false, false]
  expect(marks()).toEqual([still, still])
  const usual = { offlineAfterMs, lowBatteryBelow: 20 }
  const own = { offlineAfterMs: minuteMs, lowBatteryBelow: 30 }
  index.takeLimits({ leastOfflineAfterMs: minuteMs, of: (agentId) => (agentId === 3 ? own : usual) })
  index.tick(startMs + minuteMs + 1)
  expect(marks()).toEqual([[true, true], still])
  index.update([vehicle({ version: 2, batteryPercent: 30, heardAt: startMs + minuteMs })])
  expect(marks()).toEqual([still, still])
  index.takeLimits({ leastOfflineAfterMs: offlineAfterMs, of: () => usual })
  index.tick(startMs + offlineAfterMs + 1)
  expect(marks()).toEqual([still, [false, true]])
})

it('heads where it moved when its device does not say', () => {
  const index = createLiveIndex({ nowMs: startMs })
  const heading = () => index.query({ bounds: city, visibility })[0]?.headingDeg
  index.update([vehicle()])
  expect(heading()).toBeNull()
  index.update([vehicle({ version: 2, lng: 120.701 })])
  expect(heading()).toBe(90)
  index.update([vehicle({ version: 3, lng: 120.701_01 })])
  expect(heading(), 'the noise of a parked vehicle').toBe(90)
  index.update([vehicle({ version: 4, lng: 120.701_01, headingDeg: 12 })])
  expect(heading()).toBe(12)
})

it('filters by what a vehicle is and does', () => {
  const index = createLiveIndex({ nowMs: startMs })
  const minutes = minuteMs
  index.update([
    vehicle({ vehicleId: 1, batteryPercent: 10 }),
    { ...vehicle({ vehicleId: 2, openAlarms: ['fall'] }), model: 'SD-E2' },
    { ...vehicle({ vehicleId: 3, state: 'on_trip' }), model: 'SD-S1' },
    { ...vehicle({ vehicleId: 4, heardAt: null, batteryPercent: null }), lastRideAt: startMs - 90 * minutes },
    vehicle({ vehicleId: 5, state: 'missing', heardAt: null }),
  ])
  const ids = (filter: LiveFilter) =>
    index
      .query({ bounds: city, visibility, filter })
      .map(({ id }) => id)
      .toSorted()
  expect(ids({})).toEqual([1, 2, 3, 4, 5])
  expect(ids({ states: ['available'] })).toEqual([1, 2])
  expect(ids({ states: ['non_contactable', 'on_trip'] })).toEqual([3, 4])
  expect(ids({ states: ['missing'] })).toEqual([5])
  expect(ids({ states: [] })).toEqual([])
  expect(ids({ flag: 'low' })).toEqual([1])
  expect(ids({ flag: 'alarm' })).toEqual([2])
  expect(ids({ batteryTo: 10 })).toEqual([1])
  expect(ids({ batteryFrom: 11 })).toEqual([2, 3, 5])
  expect(ids({ models: ['SD-E2', 'unheard of'] })).toEqual([2])
  expect(ids({ areaIds: [32] })).toEqual([])
  expect(ids({ idleMinutes: 60 })).toEqual([4])
  index.tick(startMs + 60 * minutes)
  expect(ids({ idleMinutes: 60 })).toEqual([1, 2, 4, 5])
  index.update([vehicle({ vehicleId: 1, version: 2, lat: 31.26, positionAt: startMs + 30 * minutes })])
  expect(ids({ idleMinutes: 60 }), 'it was moved').toEqual([2, 4, 5])
})

it('a view of the idle hears of those who become idle by the clock alone', () => {
  const index = createLiveIndex({ nowMs: startMs })
  index.update([vehicle()])
  const view = index.createView({ bounds: city, visibility, filter: { idleMinutes: 5 } })
  expect(vehiclesOf(view.snapshot(1)).upserts).toEqual([])
  index.tick(startMs + 5 * minuteMs)
  expect(vehiclesOf(view.difference(2)!).upserts).toEqual([1])
  expect(view.difference(3)).toBeNull()
})

it('finds both sides of the 180th meridian, and what lies on the edge of the world', () => {
  const index = createLiveIndex({ nowMs: startMs })
  index.update([
    vehicle({ vehicleId: 1, lng: 180 }),
    vehicle({ vehicleId: 2, lng: -180 }),
    vehicle({ vehicleId: 3, lat: 90 }),
    vehicle({ vehicleId: 4, lat: -90 }),
    vehicle({ vehicleId: 5, lat: 91 }),
  ])
  const found = (bounds: Bounds) => Array.from(index.search({ bounds, visibility })).toSorted((a, b) => a - b)
  expect(found(world)).toEqual([1, 2, 3, 4])
  expect(found({ west: 179, south: -90, east: -179, north: 80 })).toEqual([1, 2])
  const around = { west: 121, south: -90, east: 120, north: 90 }
  expect(index.clusters({ bounds: around, visibility, zoom: 0 }).map(({ count }) => count)).toEqual([1, 1, 1, 1])
})

it('turns to clusters where vehicles are a crowd, and back', () => {
  const index = createLiveIndex({ nowMs: startMs })
  const crowd = Array.from({ length: viewLimits.farVehicles + 1 }, (_, n) => vehicle({ vehicleId: n + 1 }))
  index.update(crowd)
  const viewport = { bounds: city, visibility }
  const kind = (zoom?: number) => decodeLiveFrame(index.createView({ ...viewport, zoom }).snapshot(1)).kind
  expect([kind(), kind(14), kind(13)]).toEqual(['vehicles', 'vehicles', 'clusters'])
  const view = index.createView({ ...viewport, zoom: 12 })
  expect(decodeLiveFrame(view.snapshot(1))).toMatchObject({ kind: 'clusters', upserts: [{ count: crowd.length }] })
  index.forget(crowd.slice(100).map(({ vehicleId }) => vehicleId))
  expect(decodeLiveFrame(view.difference(2)!)).toMatchObject({ kind: 'vehicles', snapshot: true })
  index.update(crowd.map((one) => Object.assign(one, { version: 2 })))
  expect(decodeLiveFrame(view.difference(3)!).kind, 'not for a little more').toBe('vehicles')
  index.update(Array.from({ length: 800 }, (_, n) => vehicle({ vehicleId: 10_000 + n })))
  expect(decodeLiveFrame(view.difference(4)!)).toMatchObject({ kind: 'clusters', snapshot: true })
})

it('a view that missed more changes than are remembered still gets all of them', () => {
  const index = createLiveIndex({ nowMs: startMs })
  index.update([vehicle(), vehicle({ vehicleId: 2 })])
  const view = index.createView({ bounds: city, visibility })
  view.snapshot(1)
  index.update([vehicle({ vehicleId: 2, version: 2, lat: 40 })])
  for (let version = 2; version < 140_000; version += 1)
    index.update([vehicle({ version, lat: 31.25 + (version % 2) / 100 })])
  expect(vehiclesOf(view.difference(2)!)).toEqual({ snapshot: false, upserts: [1], removed: [2] })
})
