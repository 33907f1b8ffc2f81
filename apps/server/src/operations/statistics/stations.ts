import { hourMs } from '@saddle/contract/time.ts'
import { placeFinder, type ParkingPlace } from './places.ts'

/** A ride, of one vehicle after the other and each vehicle's in the order of time. */
export type Ride = {
  readonly vehicleId: number
  readonly areaId: number
  readonly startedAt: number
  readonly endedAt: number | null
  readonly startLat: number | null
  readonly startLng: number | null
  readonly endLat: number | null
  readonly endLng: number | null
}
/** A vehicle that nobody rode in the span, where it stands. */
export type Standing = { readonly areaId: number; readonly lat: number | null; readonly lng: number | null }

export type StationDay = {
  readonly place: ParkingPlace
  /** At the end of each hour of the span. */
  readonly stock: Int32Array
  readonly inflow: Int32Array
  readonly outflow: Int32Array
}

export type StationsQuery = {
  readonly places: readonly ParkingPlace[]
  readonly rides: readonly Ride[]
  readonly standing: readonly Standing[]
  readonly start: number
  /** Whole hours after `start`. */
  readonly hours: number
}

/**
 * What stood in each place at the end of each hour, what came and what went. A vehicle stands where its ride ended until
 * its next ride begins, and before its first ride where that began; one that nobody rode stands where it is.
 */
export function stationsOf({ places, rides, standing, start, hours }: StationsQuery): StationDay[] {
  const days = new Map(
    places.map((place): [number, StationDay] => [
      place.fenceId,
      { place, stock: new Int32Array(hours), inflow: new Int32Array(hours), outflow: new Int32Array(hours) },
    ]),
  )
  const find = placeFinder(places)
  const dayAt = (areaId: number, lat: number | null, lng: number | null): StationDay | undefined => {
    const place = find({ areaId, lat, lng })
    return place === undefined ? undefined : days.get(place.fenceId)
  }
  const hourOf = (at: number): number => Math.floor((at - start) / hourMs)
  /** Counts at the ends of the hours from `from` on and before `to`. */
  const stood = (day: StationDay | undefined, from: number, to: number): void => {
    if (day === undefined) return
    const first = Math.max(0, hourOf(from))
    const last = Math.min(hours, hourOf(to))
    for (let hour = first; hour < last; hour += 1) day.stock[hour] = (day.stock[hour] ?? 0) + 1
  }
  const count = (series: Int32Array | undefined, at: number): void => {
    const hour = hourOf(at)
    if (series !== undefined && hour >= 0 && hour < hours) series[hour] = (series[hour] ?? 0) + 1
  }
  const beyond = start + hours * hourMs
  let before: Ride | null = null
  for (const ride of rides) {
    const isSame = before?.vehicleId === ride.vehicleId
    if (before !== null && !isSame) closeRide(before)
    const from = dayAt(ride.areaId, ride.startLat, ride.startLng)
    count(from?.outflow, ride.startedAt)
    if (before !== null && isSame && before.endedAt !== null) {
      stood(dayAt(before.areaId, before.endLat, before.endLng), before.endedAt, ride.startedAt)
    } else if (!isSame) stood(from, start, ride.startedAt)
    if (ride.endedAt !== null) count(dayAt(ride.areaId, ride.endLat, ride.endLng)?.inflow, ride.endedAt)
    before = ride
  }
  if (before !== null) closeRide(before)
  for (const { areaId, lat, lng } of standing) stood(dayAt(areaId, lat, lng), start, beyond)
  return [...days.values()]

  function closeRide(ride: Ride): void {
    if (ride.endedAt !== null) stood(dayAt(ride.areaId, ride.endLat, ride.endLng), ride.endedAt, beyond)
  }
}

const sum = (series: Int32Array): number => series.reduce((total, one) => total + one, 0)

export function stationOf({ place, stock, inflow, outflow }: StationDay) {
  const { capacity } = place
  return {
    fenceId: place.fenceId,
    name: place.name,
    areaId: place.areaId,
    areaName: place.areaName,
    lat: place.lat,
    lng: place.lng,
    capacity,
    stock: stock.at(-1) ?? 0,
    inflow: sum(inflow),
    outflow: sum(outflow),
    emptyHours: stock.filter((count) => count === 0).length,
    stocks: [...stock],
    overfullHours: capacity === null ? 0 : stock.filter((count) => count > capacity).length,
  }
}
