import { describe, expect, it } from 'vitest'
import {
  clusterRecordBytes,
  decodeLiveFrame,
  encodeLiveFrame,
  liveHeaderBytes,
  liveRecordBytes,
  viewLiveFrame,
  type ClusterFrame,
  type LiveVehicle,
  type VehicleFrame,
} from './frame.ts'

const vehicle: LiveVehicle = {
  id: 4_000_000_000,
  lat: -31.234567,
  lng: 120.654321,
  batteryPercent: 55,
  state: 'on_trip',
  locked: false,
  lowBattery: false,
  alarm: true,
  worst: 'fall',
  offline: false,
  charging: true,
  headingDeg: 358,
}

describe('live frame', () => {
  const vehicles: VehicleFrame = {
    kind: 'vehicles',
    snapshot: true,
    sequence: 9,
    upserts: [vehicle, { ...vehicle, id: 1, batteryPercent: null, headingDeg: null, locked: true }],
    removed: [7, 4_000_000_001],
  }
  const clusters: ClusterFrame = {
    kind: 'clusters',
    snapshot: false,
    sequence: 4_000_000_000,
    shift: 13,
    upserts: [{ key: 4_100_000_000, lat: 31.5, lng: -120.25, count: 70_000, available: 3, lowBattery: 2, alarms: 1 }],
    removed: [5],
  }

  it('comes back as it went', () => {
    const bytes = encodeLiveFrame(vehicles)
    expect(bytes.length).toBe(liveHeaderBytes + 2 * liveRecordBytes + 8)
    expect(decodeLiveFrame(bytes)).toEqual(vehicles)
    const others = encodeLiveFrame(clusters)
    expect(others.length).toBe(liveHeaderBytes + clusterRecordBytes + 4)
    expect(decodeLiveFrame(others)).toEqual(clusters)
  })

  it('is read in place, and from any place', () => {
    const bytes = encodeLiveFrame(vehicles)
    expect(viewLiveFrame(bytes).words.buffer).toBe(bytes.buffer)
    const shifted = new Uint8Array(bytes.length + 1)
    shifted.set(bytes, 1)
    expect(decodeLiveFrame(shifted.subarray(1))).toEqual(vehicles)
  })

  it('refuses other bytes', () => {
    expect(() => decodeLiveFrame(new Uint8Array(3))).toThrow(RangeError)
    const bytes = encodeLiveFrame(vehicles)
    expect(() => decodeLiveFrame(bytes.subarray(0, -1))).toThrow(RangeError)
    expect(() => decodeLiveFrame(bytes.subarray(0, -4))).toThrow('wrong length')
    const strange = bytes.slice()
    strange[16 + 13] = 0x0f
    expect(() => decodeLiveFrame(strange)).toThrow('unknown state')
    strange[16 + 13] = 0xf0
    expect(() => decodeLiveFrame(strange)).toThrow('unknown alarm')
    bytes[0] = 1
    expect(() => decodeLiveFrame(bytes)).toThrow('not a live frame')
  })
})
