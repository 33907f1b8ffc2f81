import type { LiveCluster, LiveVehicle } from '@saddle/contract/telemetry/frame.ts'
import { createChanges, gather } from './changes.ts'
import { forgetLayers, type ClusterLayers } from './clusterLayers.ts'
import { leaveFrames, reuseFrames } from './frameMemory.ts'
import type { LiveView } from './liveView.ts'
import { clusterShift, clustersIn, lensOf, search, type Viewport } from './query.ts'
import type { VehicleLimits } from '#fleet/public.ts'
import {
  createTable,
  forgetVehicle,
  markSilent,
  putVehicle,
  readVehicle,
  takeLimits,
  type VehicleFacts,
} from './table.ts'
import { createView, type ViewportQuery } from './view.ts'

export type LiveIndex = {
  /** Applies updates in any order: what is older than the stored state is ignored. */
  update(vehicles: readonly VehicleFacts[]): void
  /** Removes vehicles that no longer exist. */
  forget(vehicleIds: readonly number[]): void
  /** Says, before a tick, whether somebody still needs the bytes of a difference that was made before it. */
  keepDifferences(areNeeded: boolean): void
  /** Marks vehicles that have been silent for too long, and prepares the changes since the last tick. */
  tick(nowMs: number): void
  /** From when on vehicles of a company count as offline or low on battery; as everywhere, until it is told. */
  takeLimits(limits: VehicleLimits): void
  /** Increases with every visible change. */
  readonly sequence: number
  /** Number of vehicles that were ever added. */
  readonly size: number
  /** The ids from one id (excluded) to another (included) that are on the map. */
  idsBetween(afterId: number, lastId: number): number[]
  query(viewport: Viewport): LiveVehicle[]
  /** The ids of what `query` returns, without making objects; good until the next search. */
  search(viewport: Viewport): Uint32Array
  clusters(viewport: Viewport & { readonly zoom: number }): LiveCluster[]
  createView(viewport: ViewportQuery): LiveView
}

/**
 * The whole fleet in memory: rows of typed arrays, and a quadtree for each area whose cells store their counts. The cost
 * of a view grows with what it shows, that of a cluster with its cell, that of a move with the depth of the tree.
 */
export function createLiveIndex(options: { nowMs: number }): LiveIndex {
  const table = createTable(options.nowMs)
  const changes = createChanges()
  const layers: ClusterLayers = new Map()
  return {
    update: (vehicles) => {
      for (const vehicle of vehicles) putVehicle(table, vehicle)
    },
    forget: (vehicleIds) => {
      for (const vehicleId of vehicleIds) forgetVehicle(table, vehicleId)
    },
    keepDifferences(areNeeded) {
      if (areNeeded) leaveFrames(changes.frames)
      else reuseFrames(changes.frames)
    },
    tick(nowMs) {
      markSilent(table, nowMs)
      gather(table, changes)
      forgetLayers(layers, changes)
    },
    takeLimits: (limits) => takeLimits(table, limits),
    get sequence() {
      return table.sequence
    },
    get size() {
      return table.count
    },
    idsBetween(afterId, lastId) {
      const { id } = table.columns
      const ids: number[] = []
      for (let slot = 0; slot < table.count; slot += 1) {
        const own = id[slot] ?? 0
        if (own > afterId && own <= lastId && table.tree.leaf[slot] !== -1) ids.push(own)
      }
      return ids
    },
    query: (viewport) => Array.from(search(table, lensOf(table, viewport)), (slot) => readVehicle(table, slot)),
    search(viewport) {
      const slots = search(table, lensOf(table, viewport))
      const { id } = table.columns
      for (let index = 0; index < slots.length; index += 1) slots[index] = id[slots[index] ?? 0] ?? 0
      return slots
    },
    clusters: (viewport) => [...clustersIn(table, lensOf(table, viewport), clusterShift(viewport.zoom)).values()],
    createView: (viewport) => createView({ table, changes, layers }, viewport),
  }
}
