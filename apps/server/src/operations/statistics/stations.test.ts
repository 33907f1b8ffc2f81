import { describe, expect, test } from 'vitest'
import { hourMs as hour } from '@saddle/contract/time.ts'
import type { ParkingPlace } from './places.ts'
import { stationOf, stationsOf, type Ride } from './stations.ts'

const place = (fenceId: number, lat: number, capacity: number | null = 1): ParkingPlace => ({
  fenceId,
  name: `place ${fenceId}`,
  areaId: 1,
  areaName: 'area',
  lat,
  lng: 120,
  capacity,
  ring: null,
  radiusM: 50,
  west: 119.999,
  east: 120.001,
  south: lat - 0.001,
  north: lat + 0.001,
})
const [north, south] = [place(1, 31.1), place(2, 31, null)]
const ride = (
  vehicleId: number,
  startedAt: number,
  endedAt: number | null,
  from: ParkingPlace,
  to: ParkingPlace,
): Ride => ({
  vehicleId,
  areaId: 1,
  startedAt,
  endedAt,
  startLat: from.lat,
  startLng: from.lng,
  endLat: endedAt === null ? null : to.lat,
  endLng: endedAt === null ? null : to.lng,
})

describe('parking places hour by hour', () => {
  test('a vehicle stands where its ride ended until the next begins', () => {
    const rides = [
      ride(1, 1.5 * hour, 1.6 * hour, south, north),
      ride(1, 3.2 * hour, 3.4 * hour, north, south),
      ride(2, 0.5 * hour, null, south, south),
    ]
    const standing = [{ areaId: 1, lat: north.lat, lng: north.lng }]
    const [first, second] = stationsOf({ places: [north, south], rides, standing, start: 0, hours: 5 })
    expect([...first!.stock]).toEqual([1, 2, 2, 1, 1])
    expect([...second!.stock]).toEqual([1, 0, 0, 1, 1])
    expect([...first!.inflow]).toEqual([0, 1, 0, 0, 0])
    expect([...second!.outflow]).toEqual([1, 1, 0, 0, 0])
    expect(stationOf(first!)).toMatchObject({ stock: 1, inflow: 1, outflow: 1, emptyHours: 0, overfullHours: 2 })
    expect(stationOf(second!)).toMatchObject({ stock: 1, emptyHours: 2, overfullHours: 0 })
  })

  test('rides of another area and places unknown count nowhere', () => {
    const rides = [{ ...ride(1, hour, 2 * hour, south, north), areaId: 2 }]
    const standing = [{ areaId: 1, lat: null, lng: null }]
    const days = stationsOf({ places: [north, south], rides, standing, start: 0, hours: 3 })
    expect(days.map(({ stock }) => Array.from(stock))).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ])
  })
})
