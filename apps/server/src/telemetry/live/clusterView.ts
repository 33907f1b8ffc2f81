import { encodeLiveFrame, type LiveCluster, type LiveFrameBytes } from '@saddle/contract/telemetry/frame.ts'
import { clusterWords, eachRange, layerAt, layerKey, stillShare, type ClusterLayer } from './clusterLayers.ts'
import { beginFrame, dropFrame, finishFrame, putWords, recordWordsSoFar, type FrameMemory } from './frameMemory.ts'
import type { LiveView, ViewSources } from './liveView.ts'
import { clustersIn, lensOf, wholeCells, type Lens, type Viewport } from './query.ts'
import type { Box } from './tree.ts'

/** `size`: how many vehicles were shown last. */
export type ClusterView = LiveView & { readonly size: number }

/**
 * A view of clusters. Its first frame and the first difference it finds for itself; from then on it follows the layer that
 * it shares with all who may see the same.
 */
export function createClusterView(
  { table, changes, layers }: ViewSources,
  { viewport, shift }: { readonly viewport: Viewport; readonly shift: number },
): ClusterView {
  /** What it was told, by key; unknown while it follows a layer. */
  let sent = new Map<number, LiveCluster>()
  let following: ClusterLayer | null = null
  let seen = -1
  let size = 0
  let lens: Lens | null = null
  let boxes: readonly Box[] = []
  let key = ''
  const refresh = (): Lens => {
    if (lens !== null && lens.reaches.length === table.reaches.length && lens.passes === null) return lens
    lens = lensOf(table, viewport)
    boxes = wholeCells(lens, shift)
    key = lens.passes === null ? layerKey(shift, lens) : ''
    return lens
  }
  const read = (): Map<number, LiveCluster> => {
    seen = table.sequence
    const now = clustersIn(table, refresh(), shift)
    size = 0
    for (const { count } of now.values()) size += count
    return now
  }
  const snapshot = (sequence: number): LiveFrameBytes => {
    sent = read()
    following = null
    const upserts = [...sent.values()]
    return encodeLiveFrame({ kind: 'clusters', snapshot: true, sequence, shift, removed: [], upserts })
  }
  const ownDifference = (sequence: number): LiveFrameBytes | null => {
    const now = read()
    const removed = [...sent.keys()].filter((key) => !now.has(key))
    for (const key of removed) sent.delete(key)
    const upserts = [...now.values()].filter((cluster) => isNews(sent.get(cluster.key), cluster, shift))
    for (const cluster of upserts) sent.set(cluster.key, cluster)
    if (upserts.length === 0 && removed.length === 0) return null
    return encodeLiveFrame({ kind: 'clusters', snapshot: false, sequence, shift, removed, upserts })
  }
  return {
    get size() {
      return size
    },
    snapshot,
    difference(sequence) {
      if (seen === table.sequence && viewport.filter?.idleMinutes === undefined) return null
      const lens = refresh()
      const layer = lens.passes === null ? layerAt({ table, changes, layers }, { key, shift, lens }) : null
      if (layer !== null && layer === following && layer.from === seen) {
        seen = table.sequence
        const { bytes, grown } = frameOfLayer(changes.frames, layer, { boxes, sequence })
        size += grown
        return bytes
      }
      const frame = following === null ? ownDifference(sequence) : snapshot(sequence)
      following = layer
      if (layer !== null) sent = new Map()
      return frame
    },
  }
}

/** What a layer has to tell a client, and by how many vehicles the client's cells grew. */
function frameOfLayer(
  frames: FrameMemory,
  layer: ClusterLayer,
  { boxes, sequence }: { readonly boxes: readonly Box[]; readonly sequence: number },
): { readonly bytes: LiveFrameBytes | null; readonly grown: number } {
  const { shift, told, gone } = layer
  const removed: number[] = []
  let grown = 0
  beginFrame(frames)
  for (const box of boxes) {
    const put = (first: number, end: number): void => {
      putWords(frames, told.words, { first: first * clusterWords, end: end * clusterWords })
      grown += (told.grown[end] ?? 0) - (told.grown[first] ?? 0)
    }
    const take = (first: number, end: number): void => {
      for (let n = first; n < end; n += 1) removed.push(gone.keys[n] ?? 0)
      grown += (gone.grown[end] ?? 0) - (gone.grown[first] ?? 0)
    }
    eachRange(layer, told, { box, visit: put })
    eachRange(layer, gone, { box, visit: take })
  }
  const count = recordWordsSoFar(frames) / clusterWords
  if (count > 0 || removed.length > 0) {
    return { bytes: finishFrame(frames, { kind: 'clusters', snapshot: false, shift, sequence, count }, removed), grown }
  }
  dropFrame(frames)
  return { bytes: null, grown }
}

function isNews(before: LiveCluster | undefined, now: LiveCluster, shift: number): boolean {
  if (before === undefined) return true
  const still = (2 ** shift / 1e6) * stillShare
  return (
    before.count !== now.count ||
    before.available !== now.available ||
    before.lowBattery !== now.lowBattery ||
    before.alarms !== now.alarms ||
    Math.abs(before.lat - now.lat) > still ||
    Math.abs(before.lng - now.lng) > still
  )
}
