import { createFrame, liveRecordBytes, type LiveFrameBytes } from '@saddle/contract/telemetry/frame.ts'
import { tellsAll } from './changes.ts'
import { createClusterView } from './clusterView.ts'
import { clusterShift, countIn, isInside, lensOf, search, type Lens, type Viewport } from './query.ts'
import type { LiveView, ViewSources } from './liveView.ts'
import { eachChangeNear, frameOfChanges } from './seen.ts'
import { eachChange, isLogged, type Table } from './table.ts'

export type ViewportQuery = Viewport & {
  /** Of the map; without it single vehicles are shown, however many. */
  readonly zoom?: number | undefined
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

export function createView(sources: ViewSources, viewport: ViewportQuery): LiveView {
  const { table } = sources
  const { zoom } = viewport
  const vehicles = createVehicleView(sources, viewport)
  const clusters = createClusterView(sources, { viewport, shift: clusterShift(zoom ?? 0) })
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

function createVehicleView({ table, changes }: ViewSources, viewport: Viewport): VehicleView {
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
  const snapshot = (sequence: number): LiveFrameBytes => {
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
  const sharedDifference = (sequence: number): LiveFrameBytes | null => {
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

function vehicleFrame({ columns }: Table, { snapshot, sequence, slots, removed }: Sending): LiveFrameBytes {
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
