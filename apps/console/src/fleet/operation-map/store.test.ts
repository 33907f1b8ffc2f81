import { describe, expect, it, vi } from 'vitest'
import { createVehicleStore } from './store.ts'
import type { VehicleFrame } from '@saddle/contract/telemetry/frame.ts'
import { liveVehicle } from './vehicle.fixture.ts'

const frame = (parts: Partial<VehicleFrame>): VehicleFrame => ({
  kind: 'vehicles',
  snapshot: false,
  sequence: 1,
  upserts: [],
  removed: [],
  ...parts,
})
const ids = (store: ReturnType<typeof createVehicleStore>) => [...store.all().keys()].toSorted()

describe('vehicle store', () => {
  it('refuses differences before the first snapshot', () => {
    const store = createVehicleStore()
    expect(store.apply(frame({ upserts: [liveVehicle()] }), 0)).toEqual({ changed: false, statesChanged: false })
    expect(store.all().size).toBe(0)
    expect(store.updatedAt()).toBeNull()
  })

  it('replaces everything by a snapshot and then follows differences', () => {
    const store = createVehicleStore()
    store.apply(frame({ snapshot: true, upserts: [liveVehicle({ id: 1 }), liveVehicle({ id: 2 })] }), 0)
    expect(ids(store)).toEqual([1, 2])
    store.apply(frame({ upserts: [liveVehicle({ id: 3 })], removed: [1] }), 10)
    expect(ids(store)).toEqual([2, 3])
    store.apply(frame({ snapshot: true, upserts: [liveVehicle({ id: 9 })] }), 20)
    expect(ids(store)).toEqual([9])
    expect(store.updatedAt()).toBe(20)
  })

  it('keeps what it knows when the connection breaks, until the next snapshot', () => {
    const store = createVehicleStore()
    store.apply(frame({ snapshot: true, upserts: [liveVehicle({ id: 1 })] }), 0)
    store.disconnected()
    expect(store.apply(frame({ removed: [1] }), 5).changed).toBe(false)
    expect(ids(store)).toEqual([1])
    store.apply(frame({ snapshot: true, upserts: [] }), 9)
    expect(ids(store)).toEqual([])
  })

  it('tells listeners of changes, and of nothing when a frame is empty', () => {
    const store = createVehicleStore()
    const heard = vi.fn()
    const stop = store.subscribe(heard)
    store.apply(frame({ snapshot: true, upserts: [liveVehicle()] }), 0)
    store.apply(frame({}), 1)
    expect(heard).toHaveBeenCalledTimes(1)
    expect(store.updatedAt()).toBe(1)
    stop()
    store.apply(frame({ upserts: [liveVehicle({ lat: 31.4 })] }), 2)
    expect(heard).toHaveBeenCalledTimes(1)
    expect(store.version()).toBe(2)
  })

  it('says whether a status changed or only a position', () => {
    const store = createVehicleStore()
    store.apply(frame({ snapshot: true, upserts: [liveVehicle()] }), 0)
    expect(store.apply(frame({ upserts: [liveVehicle({ lng: 120.7001 })] }), 1).statesChanged).toBe(false)
    expect(store.apply(frame({ upserts: [liveVehicle({ state: 'on_trip' })] }), 2).statesChanged).toBe(true)
    expect(
      store.apply(frame({ upserts: [liveVehicle({ state: 'on_trip', lowBattery: true })] }), 3).statesChanged,
    ).toBe(true)
    expect(store.apply(frame({ removed: [1] }), 4).statesChanged).toBe(true)
  })

  it('lets a vehicle without a heading of its own head where it last moved', () => {
    const store = createVehicleStore()
    store.apply(frame({ snapshot: true, upserts: [liveVehicle()] }), 0)
    expect(store.get(1)?.headingDeg).toBeNull()
    store.apply(frame({ upserts: [liveVehicle({ lng: 120.701 })] }), 1)
    store.apply(frame({ upserts: [liveVehicle({ lng: 120.701 })] }), 2)
    expect(store.get(1)?.headingDeg).toBeCloseTo(90, 5)
    store.apply(frame({ upserts: [liveVehicle({ lng: 120.702, headingDeg: 12 })] }), 3)
    expect(store.get(1)?.headingDeg).toBe(12)
  })

  it('draws a moving vehicle on its way and a parked one where it is', () => {
    const store = createVehicleStore()
    store.apply(frame({ snapshot: true, upserts: [liveVehicle({ lng: 120.7 })] }), 0)
    expect(store.gliding(0)).toBe(false)
    const moved = liveVehicle({ lng: 120.701 })
    store.apply(frame({ upserts: [moved] }), 1_000)
    expect(store.gliding(1_100)).toBe(true)
    expect(store.drawnAt(moved, 1_000).lng).toBeCloseTo(120.7, 6)
    const between = store.drawnAt(moved, 1_200).lng
    expect(between).toBeGreaterThan(120.7)
    expect(between).toBeLessThan(120.701)
    expect(store.drawnAt(moved, 9_000).lng).toBeCloseTo(120.701, 6)
    expect(store.gliding(9_000)).toBe(false)
  })

  it('shows clusters from afar and forgets them near by', () => {
    const store = createVehicleStore()
    const cluster = { key: 5, lat: 31, lng: 120, count: 40, available: 30, lowBattery: 2, alarms: 1 }
    const clusters = {
      kind: 'clusters',
      snapshot: true,
      sequence: 1,
      shift: 16,
      removed: [],
      upserts: [cluster],
    } as const
    store.apply(frame({ snapshot: true, upserts: [liveVehicle()] }), 0)
    store.apply(clusters, 1)
    expect([store.all().size, store.clusters().get(5)?.count]).toEqual([0, 40])
    store.apply({ ...clusters, snapshot: false, upserts: [{ ...cluster, key: 6 }], removed: [5] }, 2)
    expect([...store.clusters().keys()]).toEqual([6])
    store.apply(frame({ snapshot: true, upserts: [liveVehicle()] }), 3)
    expect([store.all().size, store.clusters().size]).toEqual([1, 0])
  })
})
