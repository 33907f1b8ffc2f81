import { expect, it } from 'vitest'
import { offlineAfterMs } from '@saddle/contract/fleet/vehicles.ts'
import type { VehicleNow } from '#fleet/public.ts'
import { createSeededRandom } from '#kit/random.ts'
import { createLiveIndex } from './liveIndex.ts'
import type { Sight } from './table.ts'

const startMs = Date.UTC(2026, 10, 21)
const world = { west: -180, south: -90, east: 180, north: 90 }
const city = { west: 120.6, south: 31.2, east: 120.8, north: 31.3 }
const sight: Sight = { agentIds: new Set([3]), areaIds: new Set([31]) }

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

it('shows a vehicle as it is', () => {
  const index = createLiveIndex({ nowMs: startMs })
  index.update([vehicle({ batteryPercent: 19, locked: false, openAlarms: ['fall'], charging: true, state: 'on_trip' })])
  expect(index.query({ bounds: city, sight })).toEqual([
    {
      id: 1,
      lat: 31.25,
      lng: 120.7,
      batteryPercent: 19,
      state: 'on_trip',
      locked: false,
      lowBattery: true,
      alarm: true,
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
  expect(index.query({ bounds: city, sight })).toEqual([])
  const all = { agentIds: new Set([3, 4]), areaIds: new Set([31, 32]) }
  expect(index.query({ bounds: world, sight: all }).map(({ id }) => id)).toEqual([2, 3, 4])
  expect(index.query({ bounds: { west: 121, south: 31, east: -170, north: 32 }, sight: all })).toEqual([])
  expect(index.query({ bounds: { west: 120.7, south: 31.39, east: -170, north: 32 }, sight: all })).toHaveLength(1)
})

it('takes the newer of two whatever comes first', () => {
  const index = createLiveIndex({ nowMs: startMs })
  index.update([vehicle({ version: 5, batteryPercent: 50 }), vehicle({ version: 4, batteryPercent: 60 })])
  expect(index.query({ bounds: city, sight })[0]?.batteryPercent).toBe(50)
})

it('a view hears of what changed, came in and went out, and of nothing twice', () => {
  const index = createLiveIndex({ nowMs: startMs })
  index.update([vehicle(), vehicle({ vehicleId: 2, lat: 31.4 })])
  const view = index.createView()
  const look = { bounds: city, sight }
  expect(view.snapshot(look).map(({ id }) => id)).toEqual([1])
  expect(view.difference(look)).toEqual({ upserts: [], removed: [] })
  index.update([vehicle({ version: 2, heardAt: startMs + 1 })])
  expect(view.difference(look), 'a heartbeat without news').toEqual({ upserts: [], removed: [] })
  index.update([vehicle({ version: 3, lat: 31.26 }), vehicle({ vehicleId: 2, version: 2, lat: 31.27 })])
  expect(view.difference(look).upserts.map(({ id }) => id)).toEqual([1, 2])
  index.update([vehicle({ version: 4, lat: 35 }), vehicle({ vehicleId: 2, version: 3, agentId: 4 })])
  expect(view.difference(look)).toEqual({ upserts: [], removed: [1, 2] })
  expect(view.difference(look)).toEqual({ upserts: [], removed: [] })
})

it('marks the silent by the clock, and takes the mark away when they speak', () => {
  const index = createLiveIndex({ nowMs: startMs })
  index.update([vehicle(), vehicle({ vehicleId: 2, heardAt: null })])
  const offline = () => index.query({ bounds: city, sight }).map((one) => one.offline)
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

it('differences add up to a snapshot, for any order of moves', () => {
  const seed = 4_711
  const random = createSeededRandom(seed)
  const index = createLiveIndex({ nowMs: startMs })
  const view = index.createView()
  const versions = new Map<number, number>()
  const shown = new Map<number, unknown>()
  for (let round = 0; round < 60; round += 1) {
    const moved = Array.from({ length: 80 }, () => {
      const vehicleId = 1 + Math.floor(random.fraction() * 3_000)
      const version = (versions.get(vehicleId) ?? 0) + 1
      versions.set(vehicleId, version)
      const lat = 31.1 + random.fraction() * 0.3
      return vehicle({ vehicleId, version, lat, areaId: random.fraction() < 0.2 ? 32 : 31 })
    })
    index.update(moved)
    const bounds = { ...city, south: 31.1 + random.fraction() * 0.1 }
    const { upserts, removed } = view.difference({ bounds, sight })
    for (const id of removed) shown.delete(id)
    for (const one of upserts) shown.set(one.id, one)
    const truth = new Map(index.query({ bounds, sight }).map((one) => [one.id, one]))
    expect(shown, `seed ${seed}, round ${round}`).toEqual(truth)
  }
  expect(index.size).toBeGreaterThan(1_024)
})
