import { vehicleStates, type VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import type { PastStretch, PastVehicle } from '@saddle/contract/telemetry/past.ts'
import { decodeTrack, placeOnTrack, type TrackPoint } from '@saddle/contract/telemetry/track.ts'

interface Spot {
  readonly lat: number
  readonly lng: number
  readonly batteryPercent: number | null
}

interface Run {
  readonly startedAt: number
  readonly endedAt: number
  readonly isTrip: boolean
  readonly start: Spot
  readonly end: Spot
  readonly bytes: Uint8Array
  /** Read when it is played for the first time. */
  points: readonly TrackPoint[] | null
}

export interface PastPlace {
  readonly id: number
  readonly lat: number
  readonly lng: number
  readonly state: VehicleState
  /** As it was last told by then. */
  readonly batteryPercent: number | null
  /** Since when it has stood; null while it is ridden. */
  readonly since: number | null
}

/** The whole fleet's past from a moment on, as far as its parts have come. */
export interface Replay {
  readonly add: (stretches: readonly PastStretch[]) => void
  /** The state of each vehicle at the beginning. */
  readonly setStates: (vehicles: readonly PastVehicle[]) => void
  readonly placesAt: (atMs: number) => PastPlace[]
  readonly size: () => number
}

export function createReplay(): Replay {
  const runs = new Map<number, Run[]>()
  const states = new Map<number, VehicleState>()
  return {
    add(stretches) {
      const touched = new Set<Run[]>()
      for (const one of stretches) {
        const list = runs.get(one.vehicleId) ?? []
        runs.set(one.vehicleId, list)
        list.push({
          startedAt: one.startedAt,
          endedAt: one.endedAt,
          isTrip: one.kind === 'trip',
          start: one.start,
          end: one.end,
          bytes: one.points,
          points: null,
        })
        touched.add(list)
      }
      for (const list of touched) list.sort((a, b) => a.startedAt - b.startedAt)
    },
    setStates(vehicles) {
      for (const { id, state } of vehicles) states.set(id, state)
    },
    placesAt(atMs) {
      const places: PastPlace[] = []
      for (const [id, list] of runs) {
        const run = runAt(list, atMs)
        if (run === undefined) continue
        const riding = run.isTrip && atMs <= run.endedAt
        const { lat, lng } = riding ? onTheWay(run, atMs) : run.end
        places.push({
          id,
          lat,
          lng,
          state: riding ? 'on_trip' : restingState(states.get(id)),
          batteryPercent: riding ? run.start.batteryPercent : run.end.batteryPercent,
          since: riding ? null : run.isTrip ? run.endedAt : run.startedAt,
        })
      }
      return places
    },
    size: () => runs.size,
  }
}

/** A vehicle that was on a trip counts as available once the trip has ended. */
const restingState = (state: VehicleState | undefined): VehicleState =>
  state === undefined || state === 'on_trip' ? vehicleStates[0] : state

function runAt(list: readonly Run[], atMs: number): Run | undefined {
  let [low, high] = [0, list.length - 1]
  let found: Run | undefined
  while (low <= high) {
    const middle = (low + high) >> 1
    const run = list[middle]
    if (run !== undefined && run.startedAt <= atMs) {
      found = run
      low = middle + 1
    } else high = middle - 1
  }
  return found
}

function onTheWay(run: Run, atMs: number): { readonly lat: number; readonly lng: number } {
  run.points ??= run.bytes.length === 0 ? [] : decodeTrack(run.bytes)
  return placeOnTrack(run.points, atMs) ?? run.start
}
