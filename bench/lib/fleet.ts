import type { VehicleFacts } from '@saddle/server/telemetry/live/table.ts'
import type { Sight } from '@saddle/server/telemetry/live/table.ts'
import { createRandom } from './random.ts'

/** A city of 44 by 38 km, divided among three franchisees and six areas as the demo's is. */
export const cityBox = { west: 120.5, south: 31.15, east: 120.96, north: 31.49 } as const
const areasAcross = 3
const areasUp = 2

export const wholeSight: Sight = {
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

/** A vehicle as the bus tells of it. */
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
