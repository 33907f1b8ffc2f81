import { isLowBattery, mapAlarms, urgencyOf, vehicleStates, worstAlarm } from '@saddle/contract/fleet/vehicles.ts'
import {
  alarmIndexOf,
  stateByte,
  stateIndexOf,
  statusFlags,
  unpackStatus,
  type LiveVehicle,
} from '@saddle/contract/telemetry/frame.ts'
import { usualLimits, usualVehicleLimits, type Limits, type VehicleLimits, type VehicleNow } from '#fleet/public.ts'
import { courseDeg, metresBetween } from './course.ts'
import { eastOf, northOf } from './earth.ts'
import { createNews, noteCrossing, noteGone, noteNews, nowhere, widenNews, type News } from './news.ts'
import { createSlots, findSlot, noteSlot, type Slots } from './slots.ts'
import { createTree, insert, patchOf, remove, sameLeaf, shift, widenTree, type Tree } from './tree.ts'

/** Who may see a vehicle: both its franchisee and its area are listed. */
export type Visibility = { readonly agentIds: ReadonlySet<number>; readonly areaIds: ReadonlySet<number> }

/** Further fields to filter by, where the fleet provides them. */
export type VehicleFacts = VehicleNow & {
  readonly model?: string
  /** When it was last ridden, so that its idle time survives a restart. */
  readonly lastRideAt?: number | null
}

const unknownByte = 255
const firstCapacity = 1_024
/** The position of a parked vehicle varies; beyond this distance the vehicle was moved. */
const movedMetres = 50
/** How many changes the log keeps; a view that is further behind searches the whole table again. */
const logSize = 1 << 17

const availableState = vehicleStates.indexOf('available')
const removedState = vehicleStates.indexOf('removed')
const onTripState = vehicleStates.indexOf('on_trip')
/** By the alarm's number in the status: those that somebody has to look at now. */
const seriousBits = mapAlarms.reduce((bits, alarm, at) => (urgencyOf(alarm) === 'serious' ? bits | (2 << at) : bits), 0)

type Columns = {
  id: Uint32Array
  reach: Uint16Array
  version: Float64Array
  /** Millionths of a degree. */
  lat: Int32Array
  lng: Int32Array
  /** As on the wire (`packStatus`). */
  status: Uint32Array
  heardAt: Float64Array
  changedAt: Float64Array
  /** Whole per cents, rounded down. */
  charge: Uint8Array
  model: Uint16Array
  /** Second since when it has stood, and where. */
  stillSince: Uint32Array
  stillLat: Int32Array
  stillLng: Int32Array
}

function createColumns(size: number): Columns {
  return {
    id: new Uint32Array(size),
    reach: new Uint16Array(size),
    version: new Float64Array(size),
    lat: new Int32Array(size),
    lng: new Int32Array(size),
    status: new Uint32Array(size),
    heardAt: new Float64Array(size),
    changedAt: new Float64Array(size),
    charge: new Uint8Array(size).fill(unknownByte),
    model: new Uint16Array(size),
    stillSince: new Uint32Array(size),
    stillLat: new Int32Array(size),
    stillLng: new Int32Array(size),
  }
}

/** One row of typed arrays for each vehicle; rows are never removed. */
export type Table = {
  columns: Columns
  count: number
  /** Increases by one with every visible change. */
  sequence: number
  /** The slot of each of the latest changes, by sequence. */
  readonly log: Int32Array
  readonly news: News
  nowMs: number
  /** Until this moment nobody else falls silent. */
  nobodySilentUntil: number
  readonly slots: Slots
  readonly tree: Tree
  /** Pairs of franchisee and area, in order of first use. */
  readonly reaches: { readonly agentId: number; readonly areaId: number }[]
  readonly reachOf: Map<string, number>
  limits: VehicleLimits
  /** Of each pair: what its company has chosen. */
  limitsOf: Limits[]
  readonly models: Map<string, number>
}

export function createTable(nowMs: number): Table {
  return {
    columns: createColumns(firstCapacity),
    count: 0,
    sequence: 0,
    log: new Int32Array(logSize),
    news: createNews(firstCapacity),
    nowMs,
    nobodySilentUntil: Number.NEGATIVE_INFINITY,
    slots: createSlots(firstCapacity),
    tree: createTree(firstCapacity),
    reaches: [],
    reachOf: new Map(),
    limits: usualVehicleLimits,
    limitsOf: [],
    models: new Map([['', 0]]),
  }
}

function slotOf(table: Table, vehicleId: number): number {
  const known = findSlot(table.slots, vehicleId)
  if (known !== -1) return known
  if (table.count === table.columns.id.length) grow(table)
  const slot = table.count
  table.count += 1
  noteSlot(table.slots, { id: vehicleId, slot })
  table.columns.id[slot] = vehicleId
  table.columns.status[slot] = statusFlags.offline << 16
  return slot
}

function grow(table: Table): void {
  const size = Math.ceil(table.count * 1.5)
  const next = createColumns(size)
  for (const name of Object.keys(next) as (keyof Columns)[]) next[name].set(table.columns[name])
  table.columns = next
  widenTree(table.tree, size)
  widenNews(table.news, size)
}

function indexOfReach(table: Table, slot: number, { agentId, areaId }: VehicleFacts): number {
  const last = table.columns.reach[slot] ?? 0
  const pair = table.reaches[last]
  if (pair !== undefined && pair.agentId === agentId && pair.areaId === areaId) return last
  const key = `${agentId}/${areaId}`
  const known = table.reachOf.get(key)
  if (known !== undefined) return known
  const reach = table.reaches.length
  // Two bytes hold more pairs than any operator has areas; the last value stands for none.
  if (reach >= 0xffff) throw new RangeError('too many areas for the live index')
  table.reaches.push({ agentId, areaId })
  table.limitsOf.push(table.limits.of(agentId))
  table.reachOf.set(key, reach)
  return reach
}

function indexOfModel(table: Table, model: string): number {
  const known = table.models.get(model)
  if (known !== undefined) return known
  const index = table.models.size
  // Models come from the platform's own list; beyond two bytes they count as unknown.
  if (index > 0xffff) return 0
  table.models.set(model, index)
  return index
}

const limitsAt = (table: Table, reach: number): Limits => table.limitsOf[reach] ?? usualLimits

function isSilent(table: Table, slot: number, reach: number): boolean {
  return table.nowMs - (table.columns.heardAt[slot] ?? 0) > limitsAt(table, reach).offlineAfterMs
}

/** Whether the vehicle is on the map at all. */
export const isPlaced = (table: Table, slot: number): boolean => table.tree.leaf[slot] !== -1

/** What a vehicle of this status adds to its cells. */
export const tallyOf = (status: number) => ({
  available: stateIndexOf(status) === availableState && ((status >>> 16) & statusFlags.offline) === 0 ? 1 : 0,
  low: ((status >>> 16) & statusFlags.lowBattery) === 0 ? 0 : 1,
  alarm: ((1 << alarmIndexOf(status)) & seriousBits) === 0 ? 0 : 1,
})

function placing(table: Table, slot: number) {
  const { lat, lng, status } = table.columns
  const [x, y] = [eastOf(lng[slot] ?? 0), northOf(lat[slot] ?? 0)]
  return { slot, x, y, ...tallyOf(status[slot] ?? 0) }
}

type Place = { readonly reach: number; readonly lat: number; readonly lng: number; readonly status: number }

/** Updates row and tree to a new position and status; null: no position. Returns whether the change is visible. */
function move(table: Table, slot: number, place: Place | null): boolean {
  const { columns, tree } = table
  const wasPlaced = isPlaced(table, slot)
  if (place === null) {
    if (!wasPlaced) return false
    const last = placing(table, slot)
    const reach = columns.reach[slot] ?? 0
    noteGone(table.news, slot, { id: columns.id[slot] ?? 0, x: last.x, y: last.y, reach })
    noteCrossing(table.news, slot, { x: last.x, y: last.y, reach })
    remove(tree, reach, last)
    return true
  }
  const isSame =
    wasPlaced &&
    columns.reach[slot] === place.reach &&
    columns.lat[slot] === place.lat &&
    columns.lng[slot] === place.lng &&
    columns.status[slot] === place.status
  if (isSame) return false
  const before = placing(table, slot)
  const to = { x: eastOf(place.lng), y: northOf(place.lat) }
  const after = { slot, ...to, ...tallyOf(place.status) }
  const wasReach = wasPlaced ? (columns.reach[slot] ?? 0) : nowhere
  if (wasPlaced && columns.reach[slot] === place.reach && sameLeaf(before, to)) {
    const [x, y] = [after.x - before.x, after.y - before.y]
    const [available, low] = [after.available - before.available, after.low - before.low]
    shift(tree, slot, { x, y, available, low, alarm: after.alarm - before.alarm })
  } else {
    if (wasPlaced) {
      noteCrossing(table.news, slot, { x: before.x, y: before.y, reach: wasReach })
      remove(tree, wasReach, before)
    }
    insert(tree, place.reach, after)
  }
  const was = { id: columns.id[slot] ?? 0, x: before.x, y: before.y, reach: wasReach }
  const { reach, lng, lat, status } = place
  noteNews(table.news, slot, was, { reach, lng, lat, status, node: patchOf(tree, slot) })
  columns.reach[slot] = place.reach
  columns.lat[slot] = place.lat
  columns.lng[slot] = place.lng
  columns.status[slot] = place.status
  return true
}

/** Applies an update of a vehicle, unless a newer one was applied. */
export function putVehicle(table: Table, vehicle: VehicleFacts): void {
  const slot = slotOf(table, vehicle.vehicleId)
  const { columns } = table
  const isFirst = columns.version[slot] === 0
  if (vehicle.model !== undefined) columns.model[slot] = indexOfModel(table, vehicle.model)
  if (!isFirst && vehicle.version <= (columns.version[slot] ?? 0)) return
  columns.version[slot] = vehicle.version
  columns.heardAt[slot] = vehicle.heardAt ?? 0
  const [lat, lng] = [
    vehicle.lat === null ? null : microOf(vehicle.lat),
    vehicle.lng === null ? null : microOf(vehicle.lng),
  ]
  if (lat === null || lng === null || !isOnEarth(lat, lng)) {
    if (move(table, slot, null)) noteChange(table, slot)
    return
  }
  const reach = indexOfReach(table, slot, vehicle)
  const silentAfter = (columns.heardAt[slot] ?? 0) + limitsAt(table, reach).offlineAfterMs
  if (silentAfter >= table.nowMs && silentAfter < table.nobodySilentUntil) table.nobodySilentUntil = silentAfter
  const status = statusOf(table, slot, { vehicle, lat, lng, reach })
  // A heartbeat without a difference is no change.
  if (move(table, slot, { reach, lat, lng, status })) noteChange(table, slot)
  noteStanding(table, slot, { vehicle, isFirst })
}

const microOf = (degrees: number): number => Math.round(degrees * 1e6)

const isOnEarth = (lat: number, lng: number): boolean =>
  lat >= -90_000_000 && lat <= 90_000_000 && lng >= -180_000_000 && lng <= 180_000_000

type Arrival = { readonly vehicle: VehicleFacts; readonly lat: number; readonly lng: number; readonly reach: number }

function statusOf(table: Table, slot: number, { vehicle, lat, lng, reach }: Arrival): number {
  const { batteryPercent } = vehicle
  table.columns.charge[slot] =
    batteryPercent === null ? unknownByte : Math.floor(Math.min(100, Math.max(0, batteryPercent)))
  const battery = batteryPercent === null ? unknownByte : Math.round(Math.min(100, Math.max(0, batteryPercent)))
  const flags =
    // A lock whose state is unknown is drawn as closed.
    (vehicle.locked === false ? 0 : statusFlags.locked) |
    (isLowBattery(vehicle, limitsAt(table, reach).lowBatteryBelow) ? statusFlags.lowBattery : 0) |
    (vehicle.openAlarms.length > 0 ? statusFlags.alarm : 0) |
    (isSilent(table, slot, reach) ? statusFlags.offline : 0) |
    (vehicle.charging === true ? statusFlags.charging : 0)
  const heading = headingByte(table, slot, { vehicle, lat, lng, reach })
  return (
    (battery | (stateByte(vehicle.state, worstAlarm(vehicle.openAlarms)) << 8) | (flags << 16) | (heading << 24)) >>> 0
  )
}

/** Many devices report no heading: it then follows from the last move. */
function headingByte(table: Table, slot: number, { vehicle, lat, lng }: Arrival): number {
  if (vehicle.headingDeg !== null) return Math.round(vehicle.headingDeg / 2) % 180
  if (!isPlaced(table, slot)) return unknownByte
  const { columns } = table
  const course = courseDeg({ lat: columns.lat[slot] ?? 0, lng: columns.lng[slot] ?? 0 }, { lat, lng })
  return course === null ? (columns.status[slot] ?? 0) >>> 24 : Math.round(course / 2) % 180
}

/** Tracks since when a vehicle has stood: a ride or a real move resets it. */
function noteStanding(
  table: Table,
  slot: number,
  { vehicle, isFirst }: { vehicle: VehicleFacts; isFirst: boolean },
): void {
  const { columns } = table
  const here = { lat: columns.lat[slot] ?? 0, lng: columns.lng[slot] ?? 0 }
  const isRidden = stateIndexOf(columns.status[slot] ?? 0) === onTripState
  if (!isFirst && !isRidden) {
    const there = { lat: columns.stillLat[slot] ?? 0, lng: columns.stillLng[slot] ?? 0 }
    if (metresBetween(there, here) <= movedMetres) return
  }
  const since = isFirst && !isRidden ? (vehicle.lastRideAt ?? vehicle.positionAt) : vehicle.positionAt
  columns.stillSince[slot] = Math.floor((since ?? table.nowMs) / 1_000)
  columns.stillLat[slot] = here.lat
  columns.stillLng[slot] = here.lng
}

/** Removes a vehicle that no longer exists. Any later update of it is applied again. */
export function forgetVehicle(table: Table, vehicleId: number): void {
  const slot = findSlot(table.slots, vehicleId)
  if (slot === -1) return
  table.columns.version[slot] = 0
  if (move(table, slot, null)) noteChange(table, slot)
}

function noteChange(table: Table, slot: number): void {
  table.sequence += 1
  table.columns.changedAt[slot] = table.sequence
  table.log[table.sequence % logSize] = slot
}

/** The slots that changed after a moment, each once, at its last change. Needs `isLogged`. */
export function eachChange(table: Table, sequence: number, visit: (slot: number) => void): void {
  const { log, columns } = table
  for (let at = sequence + 1; at <= table.sequence; at += 1) {
    const slot = log[at % logSize] ?? 0
    if (columns.changedAt[slot] === at) visit(slot)
  }
}

/** Whether every change after that moment is still in the log. */
export const isLogged = (table: Table, sequence: number): boolean => table.sequence - sequence <= logSize

/** Marks the vehicles that have been silent for too long by now. */
export function markSilent(table: Table, nowMs: number): void {
  const isDue = nowMs > table.nobodySilentUntil || nowMs < table.nowMs
  table.nowMs = nowMs
  if (!isDue) return
  const { heardAt, reach } = table.columns
  let until = Number.POSITIVE_INFINITY
  for (let slot = 0; slot < table.count; slot += 1) {
    const silentAfter = (heardAt[slot] ?? 0) + limitsAt(table, reach[slot] ?? 0).offlineAfterMs
    const isSilent = nowMs > silentAfter
    if (!isSilent && silentAfter < until) until = silentAfter
    mark(table, slot, statusFlags.offline, isSilent)
  }
  table.nobodySilentUntil = until
}

/** Marks what counts as low on battery by other limits; who is silent by them is seen by `markSilent`. */
export function takeLimits(table: Table, limits: VehicleLimits): void {
  if (table.limits === limits) return
  table.limits = limits
  table.limitsOf = table.reaches.map(({ agentId }) => limits.of(agentId))
  table.nobodySilentUntil = Number.NEGATIVE_INFINITY
  const { charge, reach, status } = table.columns
  for (let slot = 0; slot < table.count; slot += 1) {
    const percent = charge[slot] ?? unknownByte
    const isIn = percent !== unknownByte && stateIndexOf(status[slot] ?? 0) !== removedState
    mark(table, slot, statusFlags.lowBattery, isIn && percent < limitsAt(table, reach[slot] ?? 0).lowBatteryBelow)
  }
}

function mark(table: Table, slot: number, flag: number, isOn: boolean): void {
  const { columns } = table
  const status = columns.status[slot] ?? 0
  if (isOn === (((status >>> 16) & flag) !== 0)) return
  const marked = (status ^ (flag << 16)) >>> 0
  if (!isPlaced(table, slot)) {
    columns.status[slot] = marked
    return
  }
  const place = { reach: columns.reach[slot] ?? 0, lat: columns.lat[slot] ?? 0, lng: columns.lng[slot] ?? 0 }
  if (move(table, slot, { ...place, status: marked })) noteChange(table, slot)
}

export function readVehicle({ columns }: Table, slot: number): LiveVehicle {
  const place = { lat: (columns.lat[slot] ?? 0) / 1e6, lng: (columns.lng[slot] ?? 0) / 1e6 }
  return { id: columns.id[slot] ?? 0, ...place, ...unpackStatus(columns.status[slot] ?? 0) }
}
