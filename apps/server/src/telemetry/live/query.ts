import { mapAlarms, vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import { alarmIndexOf, stateIndexOf, statusFlags, type LiveCluster } from '@saddle/contract/telemetry/frame.ts'
import type { Bounds, LiveFilter } from '@saddle/contract/telemetry/live.ts'
import { eastOf, northOf } from './earth.ts'
import { tallyOf, type Visibility, type Table } from './table.ts'
import { leafShift, walk, type Box } from './tree.ts'

/** The vehicles of a query: a box, narrowed by the caller's visibility and filter. */
export type Viewport = {
  readonly bounds: Bounds
  readonly visibility: Visibility
  readonly filter?: LiveFilter | undefined
}

/** A viewport compiled for the numeric columns; valid until another reach or model is added to the table. */
export type Lens = {
  readonly reaches: Uint8Array
  readonly boxes: readonly Box[]
  /** Null: every vehicle. */
  readonly passes: ((slot: number) => boolean) | null
}

const micro = (degrees: number): number => Math.round(degrees * 1e6)

/** A view across the 180th meridian has its west in the east: it is two boxes. */
function boxesOf({ west, south, east, north }: Bounds): Box[] {
  const [left, right] = [eastOf(micro(west)), eastOf(micro(east))]
  const rest = { south: northOf(micro(south)), north: northOf(micro(north)) }
  if (left <= right) return [{ west: left, east: right, ...rest }]
  return [
    { west: left, east: 360_000_000, ...rest },
    { west: 0, east: right, ...rest },
  ]
}

/** By reach: 1 where both franchisee and area may be seen, and the area is asked for. */
function reachesOf(table: Table, { visibility, filter }: Viewport): Uint8Array {
  const asked = filter?.areaIds === undefined ? null : new Set(filter.areaIds)
  const reaches = new Uint8Array(table.reaches.length)
  for (const [reach, { agentId, areaId }] of table.reaches.entries()) {
    if (!visibility.agentIds.has(agentId) || !visibility.areaIds.has(areaId)) continue
    if (asked === null || asked.has(areaId)) reaches[reach] = 1
  }
  return reaches
}

const silentState = vehicleStates.indexOf('non_contactable')
/** States that say more than that the vehicle is offline. */
const ownWords = (1 << vehicleStates.indexOf('missing')) | (1 << vehicleStates.indexOf('removed'))

function stateBit(status: number): number {
  const bit = 1 << stateIndexOf(status)
  const isSilent = ((status >>> 16) & statusFlags.offline) !== 0 && (bit & ownWords) === 0
  return isSilent ? 1 << silentState : bit
}

function passesOf(table: Table, filter: LiveFilter): Lens['passes'] {
  const { states, flag, alarms, batteryFrom, batteryTo, models, idleMinutes } = filter
  const tests: ((slot: number) => boolean)[] = []
  const statusOf = (slot: number): number => table.columns.status[slot] ?? 0
  if (states !== undefined) {
    const wanted = states.reduce((bits, state) => bits | (1 << vehicleStates.indexOf(state)), 0)
    tests.push((slot) => (stateBit(statusOf(slot)) & wanted) !== 0)
  }
  if (flag !== undefined) {
    const bit = (flag === 'low' ? statusFlags.lowBattery : statusFlags.alarm) << 16
    tests.push((slot) => (statusOf(slot) & bit) !== 0)
  }
  if (alarms !== undefined && alarms.length > 0) {
    const wanted = alarms.reduce((bits, alarm) => bits | (2 << mapAlarms.indexOf(alarm)), 0)
    tests.push((slot) => ((1 << alarmIndexOf(statusOf(slot))) & wanted) !== 0)
  }
  if (batteryFrom !== undefined || batteryTo !== undefined) {
    const [from, to] = [batteryFrom ?? 0, batteryTo ?? 100]
    tests.push((slot) => {
      const battery = statusOf(slot) & 0xff
      return battery >= from && battery <= to
    })
  }
  if (models !== undefined) {
    const wanted = new Set(models.map((model) => table.models.get(model) ?? -1))
    tests.push((slot) => wanted.has(table.columns.model[slot] ?? 0))
  }
  if (idleMinutes !== undefined) {
    const rides = vehicleStates.indexOf('on_trip')
    tests.push((slot) => {
      const isRidden = stateIndexOf(statusOf(slot)) === rides
      return !isRidden && table.nowMs / 1_000 - (table.columns.stillSince[slot] ?? 0) >= idleMinutes * 60
    })
  }
  if (tests.length === 0) return null
  const [only] = tests
  return tests.length === 1 && only !== undefined ? only : (slot) => tests.every((test) => test(slot))
}

export function lensOf(table: Table, viewport: Viewport): Lens {
  return {
    reaches: reachesOf(table, viewport),
    boxes: boxesOf(viewport.bounds),
    passes: viewport.filter === undefined ? null : passesOf(table, viewport.filter),
  }
}

/** Whether the lens shows this vehicle. */
export function isInside(table: Table, slot: number, { reaches, boxes, passes }: Lens): boolean {
  const { columns, tree } = table
  if (tree.leaf[slot] === -1 || reaches[columns.reach[slot] ?? 0] !== 1) return false
  const x = eastOf(columns.lng[slot] ?? 0)
  const y = northOf(columns.lat[slot] ?? 0)
  for (const box of boxes) {
    if (x < box.west || x > box.east || y < box.south || y > box.north) continue
    return passes === null || passes(slot)
  }
  return false
}

/** Rows found, in memory that the next search reuses. */
let found = new Uint32Array(1_024)

/** The slots of all vehicles that the lens shows, in no order; good until the next search. */
export function search(table: Table, lens: Lens): Uint32Array {
  const { tree, columns } = table
  if (found.length < table.count) found = new Uint32Array(columns.id.length)
  const { passes } = lens
  const out = found
  const { child, count: counts } = tree.nodes
  const { slots, xs, ys } = tree.buckets
  let count = 0
  for (const { west, south, east, north } of lens.boxes) {
    const cell = (node: number, _x: number, _y: number, isWhole: boolean): void => {
      const first = child[node * 4] ?? 0
      const end = first + (counts[node] ?? 0)
      if (isWhole) {
        for (let at = first; at < end; at += 1, count += 1) out[count] = slots[at] ?? 0
        return
      }
      for (let at = first; at < end; at += 1) {
        const x = xs[at] ?? 0
        const y = ys[at] ?? 0
        // Outside of the box one of the four is negative. No branch: at an edge it could not be predicted.
        const outside = ((x - west) | (east - x) | (y - south) | (north - y)) >> 31
        out[count] = slots[at] ?? 0
        count += 1 + outside
      }
    }
    walk(tree, { reaches: lens.reaches, box: { west, south, east, north }, stopShift: leafShift, cell })
  }
  if (passes === null) return out.subarray(0, count)
  let passed = 0
  for (let at = 0; at < count; at += 1) {
    const slot = out[at] ?? 0
    if (!passes(slot)) continue
    out[passed] = slot
    passed += 1
  }
  return out.subarray(0, passed)
}

/** How many vehicles the lens shows. Without a filter only the cells on the edge are searched. */
export function countIn(table: Table, lens: Lens): number {
  if (lens.passes !== null) return search(table, lens).length
  const { tree } = table
  const { nodes, buckets } = tree
  let count = 0
  const enter = (node: number, isWhole: boolean): boolean => {
    if (isWhole) count += nodes.count[node] ?? 0
    return !isWhole
  }
  const cell = (node: number): void => {
    const first = nodes.child[node * 4] ?? 0
    const end = first + (nodes.count[node] ?? 0)
    for (let at = first; at < end; at += 1) {
      if (isInside(table, buckets.slots[at] ?? 0, lens)) count += 1
    }
  }
  for (const box of lens.boxes) walk(tree, { reaches: lens.reaches, box, stopShift: leafShift, enter, cell })
  return count
}

/** The smallest cells that clusters have: their keys still fit into 32 bits. */
const smallestClusterShift = leafShift
const largestClusterShift = 27

/** The size of cells for a zoom of the map: between 67 and 134 pixels wide on the screen. */
export function clusterShift(zoom: number): number {
  return Math.min(largestClusterShift, Math.max(smallestClusterShift, 26 - Math.round(zoom)))
}

type Sums = { x: number; y: number; count: number; available: number; low: number; alarm: number }

/** The edges moved outwards to whole cells, so that a cluster never counts a part of its cell. */
function snapped(box: Box, shift: number): Box {
  const size = 2 ** shift
  const down = (value: number): number => Math.floor(value / size) * size
  const up = (value: number): number => (Math.floor(value / size) + 1) * size - 1
  return { west: down(box.west), south: down(box.south), east: up(box.east), north: up(box.north) }
}

/** The lens's boxes, widened to whole cells. */
export const wholeCells = ({ boxes }: Lens, shift: number): readonly Box[] =>
  withoutOverlap(boxes.map((box) => snapped(box, shift)))

/** The cells of one size that touch the lens's box, with those of their vehicles that it shows, by key. */
export function clustersIn(table: Table, lens: Lens, shift: number): Map<number, LiveCluster> {
  const sums = new Map<number, Sums>()
  const size = 2 ** shift
  const columnsOfCells = 2 ** (29 - shift)
  const at = (x: number, y: number): Sums => {
    const key = Math.floor(y / size) * columnsOfCells + Math.floor(x / size)
    const known = sums.get(key)
    if (known !== undefined) return known
    const fresh = { x: 0, y: 0, count: 0, available: 0, low: 0, alarm: 0 }
    sums.set(key, fresh)
    return fresh
  }
  const wide = { ...lens, boxes: wholeCells(lens, shift) }
  if (lens.passes === null) sumCells(table, wide, { shift, at })
  else sumVehicles(table, wide, at)
  return new Map(Array.from(sums, ([key, sum]) => [key, clusterOf(key, sum)]))
}

/** The two halves of a view across the 180th meridian may reach into the same cell when it is nearly the whole world. */
function withoutOverlap(boxes: readonly Box[]): readonly Box[] {
  const [first, second] = boxes
  if (first === undefined || second === undefined || second.east < first.west) return boxes
  return [{ ...first, west: 0 }]
}

type Adding = { readonly shift: number; readonly at: (x: number, y: number) => Sums }

function sumCells(table: Table, { reaches, boxes }: Lens, { shift, at }: Adding): void {
  const { nodes } = table.tree
  const cell = (node: number, x: number, y: number): void => {
    const sum = at(x, y)
    sum.x += nodes.sumX[node] ?? 0
    sum.y += nodes.sumY[node] ?? 0
    sum.count += nodes.count[node] ?? 0
    sum.available += nodes.available[node] ?? 0
    sum.low += nodes.low[node] ?? 0
    sum.alarm += nodes.alarm[node] ?? 0
  }
  for (const box of boxes) walk(table.tree, { reaches, box, stopShift: shift, cell })
}

function sumVehicles(table: Table, lens: Lens, at: Adding['at']): void {
  const { columns } = table
  for (const slot of search(table, lens)) {
    const x = eastOf(columns.lng[slot] ?? 0)
    const y = northOf(columns.lat[slot] ?? 0)
    const tally = tallyOf(columns.status[slot] ?? 0)
    const sum = at(x, y)
    sum.x += x
    sum.y += y
    sum.count += 1
    sum.available += tally.available
    sum.low += tally.low
    sum.alarm += tally.alarm
  }
}

function clusterOf(key: number, { x, y, count, available, low, alarm }: Sums): LiveCluster {
  const lng = (Math.round(x / count) - 180_000_000) / 1e6
  const lat = (Math.round(y / count) - 90_000_000) / 1e6
  return { key, lat, lng, count, available, lowBattery: low, alarms: alarm }
}
