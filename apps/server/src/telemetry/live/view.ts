import { createFrame, encodeLiveFrame, liveRecordBytes, type LiveCluster } from '@saddle/contract/telemetry/frame.ts'
import { tellsAll, type Changes } from './changes.ts'
import { clusterShift, clustersIn, countIn, isInside, lensOf, search, type Lens, type Viewport } from './query.ts'
import { eachChangeNear, frameOfChanges } from './seen.ts'
import { eachChange, isLogged, type Table } from './table.ts'

export type ViewportQuery = Viewport & {
  /** Of the map; without it single vehicles are shown, however many. */
  readonly zoom?: number | undefined
}

/** What its subscribers have been sent, and the frames that bring them up to date. */
export type LiveView = {
  /** The whole view, as if nothing had been sent before. The next difference starts from it. */
  snapshot(sequence: number): Uint8Array
  /** What changed, appeared or disappeared since the last frame; null when nothing did. May be a snapshot. */
  difference(sequence: number): Uint8Array | null
}

export const viewLimits = {
  /** From this zoom outwards many vehicles become clusters. */
  closeZoom: 14,
  /** Up to this many vehicles are shown one by one when zoomed out. */
  farVehicles: 3_000,
  /** From this zoom outwards a whole city is small, and only few vehicles are shown one by one. */
  wideZoom: 11,
  wideVehicles: 200,
  /** Up to this many when zoomed in: more would overlap, and take a browser long to draw. */
  mostVehicles: 6_000,
  /** A view switches between vehicles and clusters only well beyond the limit, so that it does not flicker. */
  slack: 1.25,
} as const

/** A cluster whose centre moved less than this share of its cell is not sent again. */
const stillShare = 1 / 16

export function createView(table: Table, changes: Changes, viewport: ViewportQuery): LiveView {
  const { zoom } = viewport
  const vehicles = createVehicleView(table, changes, viewport)
  const clusters = createClusterView(table, viewport, clusterShift(zoom ?? 0))
  const limit =
    zoom === undefined
      ? Number.POSITIVE_INFINITY
      : zoom < viewLimits.wideZoom
        ? viewLimits.wideVehicles
        : zoom < viewLimits.closeZoom
          ? viewLimits.farVehicles
          : viewLimits.mostVehicles
  let current: LiveView = vehicles
  const snapshot: LiveView['snapshot'] = (sequence) => {
    const isCrowd = limit !== Number.POSITIVE_INFINITY && countIn(table, lensOf(table, viewport)) > limit
    current = isCrowd ? clusters : vehicles
    return current.snapshot(sequence)
  }
  return {
    snapshot,
    difference(sequence) {
      const frame = current.difference(sequence)
      const isOther =
        current === vehicles ? vehicles.isAbove(limit * viewLimits.slack) : clusters.size * viewLimits.slack < limit
      return isOther ? snapshot(sequence) : frame
    },
  }
}

/** `isAbove`: whether more vehicles than these are shown. */
type VehicleView = LiveView & { isAbove(limit: number): boolean }

function createVehicleView(table: Table, changes: Changes, viewport: Viewport): VehicleView {
  let lens = lensOf(table, viewport)
  /** A bit for each slot that was sent; used only while changes are applied one by one. */
  let sent = new Uint32Array(0)
  let isSentKnown = false
  let seen = 0
  let size = 0
  /** Upper bound of the vehicles that have appeared since `size` was counted. */
  let grown = 0
  const isSent = (slot: number): boolean => ((sent[slot >>> 5] ?? 0) & (1 << (slot & 31))) !== 0
  const flip = (slot: number): void => {
    sent[slot >>> 5] = (sent[slot >>> 5] ?? 0) ^ (1 << (slot & 31))
  }
  const refresh = (): void => {
    lens = refreshed(table, viewport, lens)
    const words = (table.columns.id.length + 31) >>> 5
    if (sent.length >= words) return
    const wider = new Uint32Array(words)
    wider.set(sent)
    sent = wider
  }
  const upserts: number[] = []
  const removed: number[] = []
  const settle = (slot: number): void => {
    const wasSent = isSent(slot)
    const isShown = isInside(table, slot, lens)
    if (isShown) upserts.push(slot)
    else if (wasSent) removed.push(table.columns.id[slot] ?? 0)
    if (isShown === wasSent) return
    flip(slot)
    size += isShown ? 1 : -1
  }
  /** Compares everything: for clients that are too far behind, and for changes by the clock alone. */
  const settleAll = (): void => {
    for (let slot = 0; slot < table.count; slot += 1) {
      const isNews = (table.columns.changedAt[slot] ?? 0) > seen
      if (isNews || isSent(slot) !== isInside(table, slot, lens)) settle(slot)
    }
  }
  const snapshot = (sequence: number): Uint8Array => {
    refresh()
    isSentKnown = true
    grown = 0
    sent.fill(0)
    seen = table.sequence
    const slots = search(table, lens)
    for (const slot of slots) flip(slot)
    size = slots.length
    return vehicleFrame(table, { snapshot: true, sequence, slots, removed: [] })
  }
  /** What all views share. */
  const sharedDifference = (sequence: number): Uint8Array | null => {
    isSentKnown = false
    const { bytes, count } = frameOfChanges(table, { changes, lens, sequence })
    seen = table.sequence
    grown += count
    return bytes
  }
  return {
    isAbove(limit) {
      if (size + grown > limit && grown > 0) {
        size = countIn(table, lens)
        grown = 0
      }
      return size > limit
    },
    snapshot,
    difference(sequence) {
      refresh()
      const isReady = tellsAll(changes, table, seen)
      if (lens.passes === null && isReady) return sharedDifference(sequence)
      if (!isSentKnown) return snapshot(sequence)
      upserts.length = 0
      removed.length = 0
      if (viewport.filter?.idleMinutes !== undefined || !isLogged(table, seen)) settleAll()
      else if (isReady) eachChangeNear(table, { changes, lens }, settle)
      else eachChange(table, seen, settle)
      seen = table.sequence
      if (upserts.length === 0 && removed.length === 0) return null
      return vehicleFrame(table, { snapshot: false, sequence, slots: upserts, removed })
    },
  }
}

/** Adds reaches and models that appeared after the lens was made. */
function refreshed(table: Table, viewport: Viewport, lens: Lens): Lens {
  return lens.reaches.length === table.reaches.length && viewport.filter?.models === undefined
    ? lens
    : lensOf(table, viewport)
}

type Sending = {
  readonly snapshot: boolean
  readonly sequence: number
  readonly slots: ArrayLike<number>
  readonly removed: readonly number[]
}

function vehicleFrame({ columns }: Table, { snapshot, sequence, slots, removed }: Sending): Uint8Array {
  const count = slots.length
  const { bytes, words, signed } = createFrame({ kind: 'vehicles', snapshot, sequence, count, removed })
  const { id, lng, lat, status } = columns
  for (let index = 0, at = 0; index < count; index += 1, at += liveRecordBytes / 4) {
    const slot = slots[index] ?? 0
    words[at] = id[slot] ?? 0
    signed[at + 1] = lng[slot] ?? 0
    signed[at + 2] = lat[slot] ?? 0
    words[at + 3] = status[slot] ?? 0
  }
  return bytes
}

/** `size`: how many vehicles were shown last. */
type ClusterView = LiveView & { readonly size: number }

function createClusterView(table: Table, viewport: Viewport, shift: number): ClusterView {
  let sent = new Map<number, LiveCluster>()
  let seen = -1
  let size = 0
  const read = (): Map<number, LiveCluster> => {
    seen = table.sequence
    const now = clustersIn(table, lensOf(table, viewport), shift)
    size = 0
    for (const { count } of now.values()) size += count
    return now
  }
  return {
    get size() {
      return size
    },
    snapshot(sequence) {
      sent = read()
      return encodeLiveFrame({
        kind: 'clusters',
        snapshot: true,
        sequence,
        shift,
        removed: [],
        upserts: [...sent.values()],
      })
    },
    difference(sequence) {
      if (seen === table.sequence && viewport.filter?.idleMinutes === undefined) return null
      const now = read()
      const removed = [...sent.keys()].filter((key) => !now.has(key))
      for (const key of removed) sent.delete(key)
      const upserts = [...now.values()].filter((cluster) => isNews(sent.get(cluster.key), cluster, shift))
      for (const cluster of upserts) sent.set(cluster.key, cluster)
      if (upserts.length === 0 && removed.length === 0) return null
      return encodeLiveFrame({ kind: 'clusters', snapshot: false, sequence, shift, removed, upserts })
    },
  }
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
