import type { Bounds } from '@saddle/contract/telemetry/live.ts'
import type { LiveIndex } from '@saddle/server/telemetry/live/liveIndex.ts'
import type { Visibility, VehicleFacts } from '@saddle/server/telemetry/live/table.ts'
import { createRandom } from './random.ts'

/** A city of 44 by 38 km, divided among three franchisees and six areas as the demo's is. */
export const cityBox = { west: 120.5, south: 31.15, east: 120.96, north: 31.49 } as const
const areasAcross = 3
const areasUp = 2

export const fullVisibility: Visibility = {
  agentIds: new Set([3, 4, 5]),
  areaIds: new Set([1, 2, 3, 4, 5, 6]),
}

type Placed = { readonly lat: number; readonly lng: number }

/** Half of the vehicles stand around a few hundred busy corners, as they do; the others anywhere. */
export function createPlaces(seed: number): () => Placed {
  const random = createRandom(seed)
  const anywhere = (): Placed => ({
    lng: cityBox.west + random() * (cityBox.east - cityBox.west),
    lat: cityBox.south + random() * (cityBox.north - cityBox.south),
  })
  const corners = Array.from({ length: 300 }, anywhere)
  return () => {
    if (random() < 0.5) return anywhere()
    const corner = corners[Math.floor(random() * corners.length)] ?? anywhere()
    const spread = 0.004 * Math.sqrt(-2 * Math.log(1 - random()))
    const angle = random() * 2 * Math.PI
    return { lng: corner.lng + spread * Math.cos(angle), lat: corner.lat + spread * Math.sin(angle) }
  }
}

export function areaOf({ lat, lng }: Placed): { agentId: number; areaId: number } {
  const across = Math.floor(((lng - cityBox.west) / (cityBox.east - cityBox.west)) * areasAcross)
  const up = Math.floor(((lat - cityBox.south) / (cityBox.north - cityBox.south)) * areasUp)
  const column = Math.min(areasAcross - 1, Math.max(0, across))
  return { agentId: 3 + column, areaId: 1 + column * areasUp + Math.min(areasUp - 1, Math.max(0, up)) }
}

/** A vehicle as it is published on the bus. */
export function factsOf(id: number, version: number, at: Placed & { agentId: number; areaId: number }): VehicleFacts {
  const nowMs = Date.now()
  return {
    vehicleId: id,
    agentId: at.agentId,
    areaId: at.areaId,
    version,
    state: id % 20 === 0 ? 'on_trip' : id % 33 === 0 ? 'non_operational' : 'available',
    stateBefore: null,
    lat: at.lat,
    lng: at.lng,
    speedKmh: null,
    headingDeg: id % 20 === 0 ? id % 360 : null,
    positionAt: nowMs,
    batteryPercent: id % 101,
    voltageV: 48,
    locked: id % 20 !== 0,
    charging: false,
    signal: 20,
    odometerM: null,
    factsAt: nowMs,
    heardAt: nowMs,
    openAlarms: id % 97 === 0 ? ['fall'] : [],
  }
}

type Place = { lat: number; lng: number; agentId: number; areaId: number }

export function makePlaces(count: number, seed: number): Place[] {
  const next = createPlaces(seed)
  return Array.from({ length: count }, () => {
    const place = next()
    return Object.assign({}, place, areaOf(place))
  })
}

/** The n-th place becomes vehicle n + 1. */
export function loadIndex(index: LiveIndex, places: readonly Place[]): void {
  for (let from = 0; from < places.length; from += 5_000) {
    const page = places.slice(from, from + 5_000)
    index.update(page.map((place, n) => factsOf(from + n + 1, 1, place)))
  }
}

/** Vehicles that ride on by up to 60 m: most of them stay in their cell of the index, some do not. */
export function createMoves(places: Place[], seed: number): (count: number) => VehicleFacts[] {
  const random = createRandom(seed)
  const versions = new Uint32Array(places.length).fill(1)
  return (count) =>
    Array.from({ length: count }, () => {
      const n = Math.floor(random() * places.length)
      const place = places[n]
      if (place === undefined) throw new RangeError('no place')
      place.lat += (random() - 0.5) * 0.001
      place.lng += (random() - 0.5) * 0.001
      versions[n] = (versions[n] ?? 0) + 1
      return factsOf(n + 1, versions[n] ?? 0, place)
    })
}

/** A square window around a place. */
export function around(at: { lat: number; lng: number }, km: number): Bounds {
  const [height, width] = [km / 111.2, km / 95]
  return {
    west: at.lng - width / 2,
    east: at.lng + width / 2,
    south: at.lat - height / 2,
    north: at.lat + height / 2,
  }
}
