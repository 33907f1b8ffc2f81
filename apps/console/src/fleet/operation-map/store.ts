import type { LiveCluster, LiveFrame, LiveVehicle } from '@saddle/contract/telemetry/live.ts'
import { type LatLng } from '@saddle/geo/earth.ts'
import { courseDeg, glide, positionAt, type Glide } from './glide.ts'

/** What a frame changed, so that callers do only what is needed. */
interface FrameEffect {
  readonly changed: boolean
  /** A vehicle appeared, went, or changed its state or a flag: figures elsewhere may be stale. */
  readonly statesChanged: boolean
}

/** The vehicles of the view, outside React: frames come several times a second. */
export interface VehicleStore {
  /** Takes a frame of the live socket; differences before the first snapshot are refused. */
  readonly apply: (frame: LiveFrame, nowMs: number) => FrameEffect
  /** The connection broke: what is known stays on the map, and the next snapshot starts anew. */
  readonly disconnected: () => void
  readonly get: (id: number) => LiveVehicle | undefined
  readonly all: () => ReadonlyMap<number, LiveVehicle>
  /** The clusters of a view zoomed out too far for single vehicles; empty when zoomed in. */
  readonly clusters: () => ReadonlyMap<number, LiveCluster>
  /** Where to draw a vehicle at this moment: on the way from its last position to its present one. */
  readonly drawnAt: (vehicle: LiveVehicle, nowMs: number) => LatLng
  /** Whether any vehicle is on its way at this moment. */
  readonly gliding: (nowMs: number) => boolean
  /** Grows with each change. */
  readonly version: () => number
  readonly subscribe: (listener: () => void) => () => void
  /** When the last frame came; null before the first. */
  readonly updatedAt: () => number | null
}

const noEffect: FrameEffect = { changed: false, statesChanged: false }

export function createVehicleStore(): VehicleStore {
  const vehicles = new Map<number, LiveVehicle>()
  const clusters = new Map<number, LiveCluster>()
  const glides = new Map<number, Glide>()
  const listeners = new Set<() => void>()
  let version = 0
  let awaitsSnapshot = true
  let updatedAt: number | null = null
  let glidingUntil = 0

  const put = (reported: LiveVehicle, nowMs: number): boolean => {
    const before = vehicles.get(reported.id)
    const vehicle = withCourse(reported, before)
    vehicles.set(vehicle.id, vehicle)
    if (before !== undefined && (before.lng !== vehicle.lng || before.lat !== vehicle.lat)) {
      const next = glide({ last: glides.get(vehicle.id), from: before, to: vehicle, nowMs })
      glides.set(vehicle.id, next)
      glidingUntil = Math.max(glidingUntil, next.startedAt + next.durationMs)
    }
    return before === undefined || !sameStatus(before, vehicle)
  }

  const drop = (id: number): boolean => {
    glides.delete(id)
    return vehicles.delete(id)
  }

  const announce = () => {
    version += 1
    for (const listener of listeners) listener()
  }

  return {
    apply(frame, nowMs) {
      if (awaitsSnapshot && !frame.snapshot) return noEffect
      awaitsSnapshot = false
      updatedAt = nowMs
      if (frame.snapshot) clusters.clear()
      if (frame.kind === 'clusters') {
        if (frame.snapshot) for (const id of vehicles.keys()) drop(id)
        for (const key of frame.removed) clusters.delete(key)
        for (const cluster of frame.upserts) clusters.set(cluster.key, cluster)
        announce()
        return { changed: true, statesChanged: true }
      }
      let statesChanged = false
      const gone = frame.snapshot ? absent(vehicles, frame.upserts) : frame.removed
      for (const id of gone) statesChanged = drop(id) || statesChanged
      for (const vehicle of frame.upserts) statesChanged = put(vehicle, nowMs) || statesChanged
      const changed = frame.snapshot || frame.upserts.length > 0 || gone.length > 0
      if (changed) announce()
      return { changed, statesChanged }
    },
    disconnected() {
      awaitsSnapshot = true
    },
    get: (id) => vehicles.get(id),
    all: () => vehicles,
    clusters: () => clusters,
    drawnAt: (vehicle, nowMs) => {
      const way = glides.get(vehicle.id)
      return way === undefined ? vehicle : positionAt(way, nowMs)
    },
    gliding: (nowMs) => nowMs < glidingUntil,
    version: () => version,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    updatedAt: () => updatedAt,
  }
}

/** Many devices report no heading: a vehicle then heads where it last moved. */
function withCourse(vehicle: LiveVehicle, before: LiveVehicle | undefined): LiveVehicle {
  if (vehicle.headingDeg !== null || before === undefined) return vehicle
  const headingDeg = courseDeg(before, vehicle) ?? before.headingDeg
  return headingDeg === null ? vehicle : { ...vehicle, headingDeg }
}

function absent(known: ReadonlyMap<number, LiveVehicle>, present: readonly LiveVehicle[]): number[] {
  const ids = new Set(present.map((vehicle) => vehicle.id))
  return [...known.keys()].filter((id) => !ids.has(id))
}

function sameStatus(one: LiveVehicle, other: LiveVehicle): boolean {
  return (
    one.state === other.state &&
    one.offline === other.offline &&
    one.lowBattery === other.lowBattery &&
    one.alarm === other.alarm &&
    one.locked === other.locked
  )
}
