import type { Fence } from '@saddle/contract/geography/fences.ts'
import { expect, it } from 'vitest'
import { liveVehicle } from '../operation-map/vehicle.fixture.ts'
import { parkedIn } from './parked.ts'

const fence = (parts: Partial<Fence>): Fence => ({
  id: 1,
  lineId: 1,
  agentId: 3,
  areaId: 31,
  kind: 'parking',
  name: '广场',
  centre: { lat: 31.25, lng: 120.7 },
  ring: null,
  holes: [],
  radiusM: 30,
  capacity: 10,
  hours: null,
  photoIds: [],
  version: 1,
  validFrom: 0,
  authorName: '',
  note: '',
  ...parts,
})
const bounds = { west: 120.69, south: 31.24, east: 120.71, north: 31.26 }
const ring: [number, number][] = [
  [120.701, 31.251],
  [120.703, 31.251],
  [120.703, 31.253],
  [120.701, 31.253],
  [120.701, 31.251],
]
const hole: [number, number][] = [
  [120.7015, 31.2515],
  [120.7025, 31.2515],
  [120.7025, 31.2525],
  [120.7015, 31.2525],
  [120.7015, 31.2515],
]

it('counts what stands in circles and outlines, not what passes by or stands in a hole', () => {
  const vehicles = [
    liveVehicle({ id: 1, lat: 31.25, lng: 120.7 }),
    liveVehicle({ id: 2, lat: 31.2502, lng: 120.7 }),
    liveVehicle({ id: 3, lat: 31.251, lng: 120.7 }),
    liveVehicle({ id: 4, lat: 31.25, lng: 120.7, state: 'on_trip' }),
    liveVehicle({ id: 5, lat: 31.2512, lng: 120.7012 }),
    liveVehicle({ id: 6, lat: 31.252, lng: 120.702 }),
  ]
  const fences = [
    fence({}),
    fence({ id: 2, lineId: 2, ring, holes: [hole] }),
    fence({ id: 3, lineId: 3, kind: 'no_stop' }),
  ]
  expect([...parkedIn(fences, { vehicles, bounds })]).toEqual([
    [1, 2],
    [2, 1],
  ])
})

it('says nothing of a spot that the view cuts', () => {
  const near = fence({ centre: { lat: 31.25, lng: 120.7099 } })
  expect([...parkedIn([near], { vehicles: [], bounds })]).toEqual([])
})
