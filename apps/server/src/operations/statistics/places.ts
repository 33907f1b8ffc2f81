import { nearness } from '#geography/public.ts'

type Ring = readonly (readonly [lng: number, lat: number])[]
export type ParkingPlace = {
  readonly fenceId: number
  readonly name: string
  readonly areaId: number
  readonly areaName: string
  readonly lat: number
  readonly lng: number
  readonly capacity: number | null
  readonly ring: Ring | null
  readonly radiusM: number | null
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** About half a kilometre: most squares hold a few places, most places lie in few squares. */
const square = 0.005
const squaresMax = 400
const keyOf = (x: number, y: number): number => x * 100_000 + y

/** Finds the parking place of an area that a point lies in, looking only at those nearby. */
export function placeFinder<P extends ParkingPlace>(places: readonly P[]) {
  const squares = new Map<number, P[]>()
  // A place that covers half a city is rather looked at every time.
  const large: P[] = []
  for (const place of places) {
    const [x0, x1] = [Math.floor(place.west / square), Math.floor(place.east / square)]
    const [y0, y1] = [Math.floor(place.south / square), Math.floor(place.north / square)]
    if ((x1 - x0 + 1) * (y1 - y0 + 1) > squaresMax) {
      large.push(place)
      continue
    }
    for (let x = x0; x <= x1; x += 1) {
      for (let y = y0; y <= y1; y += 1) {
        const list = squares.get(keyOf(x, y))
        if (list === undefined) squares.set(keyOf(x, y), [place])
        else list.push(place)
      }
    }
  }
  const holds = (place: P, lat: number, lng: number): boolean => {
    if (lng < place.west || lng > place.east || lat < place.south || lat > place.north) return false
    const { ring, radiusM } = place
    return nearness({ lat, lng }, { ring, radiusM, centre: place }).isInside
  }
  return ({ areaId, lat, lng }: { areaId: number; lat: number | null; lng: number | null }): P | undefined => {
    if (lat === null || lng === null) return undefined
    const near = squares.get(keyOf(Math.floor(lng / square), Math.floor(lat / square))) ?? []
    return [...near, ...large].find((place) => place.areaId === areaId && holds(place, lat, lng))
  }
}
