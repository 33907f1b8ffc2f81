import { lowBatteryPercent, offlineAfterMs, vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import type { Bounds, LiveVehicle } from '@saddle/contract/telemetry/live.ts'
import type { VehicleNow } from '#fleet/public.ts'

/** Who may see a vehicle: both its franchisee and its area are listed. */
export type Sight = { readonly agentIds: ReadonlySet<number>; readonly areaIds: ReadonlySet<number> }

const flags = { locked: 1, alarm: 2, offline: 4, charging: 8, placed: 16 } as const
const unknownBattery = -1
const unknownHeading = -1
const firstCapacity = 1_024

type Columns = {
  id: Float64Array
  agentId: Float64Array
  areaId: Float64Array
  version: Float64Array
  lat: Float64Array
  lng: Float64Array
  battery: Float32Array
  heading: Float32Array
  heardAt: Float64Array
  changedAt: Float64Array
  state: Uint8Array
  flags: Uint8Array
}

function createColumns(size: number): Columns {
  return {
    id: new Float64Array(size),
    agentId: new Float64Array(size),
    areaId: new Float64Array(size),
    version: new Float64Array(size),
    lat: new Float64Array(size),
    lng: new Float64Array(size),
    battery: new Float32Array(size),
    heading: new Float32Array(size),
    heardAt: new Float64Array(size),
    changedAt: new Float64Array(size),
    state: new Uint8Array(size),
    flags: new Uint8Array(size),
  }
}

function grown(columns: Columns, size: number): Columns {
  const next = createColumns(size)
  for (const name of Object.keys(columns) as (keyof Columns)[]) next[name].set(columns[name])
  return next
}

function flagsOf(vehicle: VehicleNow, isSilent: boolean): number {
  return (
    // A lock of which nothing is known is drawn as closed: an open one is a claim.
    (vehicle.locked === false ? 0 : flags.locked) |
    (vehicle.openAlarms.length > 0 ? flags.alarm : 0) |
    (isSilent ? flags.offline : 0) |
    (vehicle.charging === true ? flags.charging : 0) |
    (vehicle.lat === null || vehicle.lng === null ? 0 : flags.placed)
  )
}

/** One row of typed arrays for each vehicle; rows are never taken out. */
export type Table = {
  columns: Columns
  count: number
  /** Grows with every change that somebody could see. */
  sequence: number
  nowMs: number
  readonly slots: Map<number, number>
}

export function createTable(nowMs: number): Table {
  return { columns: createColumns(firstCapacity), count: 0, sequence: 0, nowMs, slots: new Map() }
}

function slotOf(table: Table, vehicleId: number): number {
  const known = table.slots.get(vehicleId)
  if (known !== undefined) return known
  if (table.count === table.columns.id.length) table.columns = grown(table.columns, table.count * 2)
  const slot = table.count
  table.count += 1
  table.slots.set(vehicleId, slot)
  table.columns.id[slot] = vehicleId
  return slot
}

function isSilent(table: Table, slot: number): boolean {
  return table.nowMs - (table.columns.heardAt[slot] ?? 0) > offlineAfterMs
}

/** Sets a value and tells whether that changes anything. */
function set(column: Float64Array | Float32Array | Uint8Array, slot: number, value: number): boolean {
  const before = column[slot]
  column[slot] = value
  return column[slot] !== before
}

/** Takes over what is known of a vehicle, unless something newer is known. */
export function putVehicle(table: Table, vehicle: VehicleNow): void {
  const slot = slotOf(table, vehicle.vehicleId)
  const { columns } = table
  if (vehicle.version <= (columns.version[slot] ?? 0)) return
  columns.version[slot] = vehicle.version
  columns.heardAt[slot] = vehicle.heardAt ?? 0
  const changes = [
    set(columns.agentId, slot, vehicle.agentId),
    set(columns.areaId, slot, vehicle.areaId),
    set(columns.lat, slot, vehicle.lat ?? 0),
    set(columns.lng, slot, vehicle.lng ?? 0),
    set(columns.battery, slot, vehicle.batteryPercent ?? unknownBattery),
    set(columns.heading, slot, vehicle.headingDeg ?? unknownHeading),
    set(columns.state, slot, vehicleStates.indexOf(vehicle.state)),
    set(columns.flags, slot, flagsOf(vehicle, isSilent(table, slot))),
  ]
  // A heartbeat that says what is known already is no news for anybody.
  if (changes.includes(true)) noteChange(table, slot)
}

function noteChange(table: Table, slot: number): void {
  table.sequence += 1
  table.columns.changedAt[slot] = table.sequence
}

/** Marks the vehicles that have been silent for too long by now. */
export function markSilent(table: Table, nowMs: number): void {
  table.nowMs = nowMs
  for (let slot = 0; slot < table.count; slot += 1) {
    const has = table.columns.flags[slot] ?? 0
    if (isSilent(table, slot) === ((has & flags.offline) !== 0)) continue
    table.columns.flags[slot] = has ^ flags.offline
    noteChange(table, slot)
  }
}

export function isInside({ columns }: Table, slot: number, look: { bounds: Bounds; sight: Sight }): boolean {
  const { west, south, east, north } = look.bounds
  const lat = columns.lat[slot] ?? 0
  if (lat < south || lat > north) return false
  const lng = columns.lng[slot] ?? 0
  // A view across the 180th meridian has its west in the east.
  const isBetween = west <= east ? lng >= west && lng <= east : lng >= west || lng <= east
  return (
    isBetween &&
    ((columns.flags[slot] ?? 0) & flags.placed) !== 0 &&
    look.sight.agentIds.has(columns.agentId[slot] ?? 0) &&
    look.sight.areaIds.has(columns.areaId[slot] ?? 0)
  )
}

export function readVehicle({ columns }: Table, slot: number): LiveVehicle {
  const battery = columns.battery[slot] ?? unknownBattery
  const heading = columns.heading[slot] ?? unknownHeading
  const has = columns.flags[slot] ?? 0
  return {
    id: columns.id[slot] ?? 0,
    lat: columns.lat[slot] ?? 0,
    lng: columns.lng[slot] ?? 0,
    batteryPercent: battery === unknownBattery ? null : battery,
    state: vehicleStates[columns.state[slot] ?? 0] ?? 'available',
    locked: (has & flags.locked) !== 0,
    lowBattery: battery !== unknownBattery && battery < lowBatteryPercent,
    alarm: (has & flags.alarm) !== 0,
    offline: (has & flags.offline) !== 0,
    charging: (has & flags.charging) !== 0,
    headingDeg: heading === unknownHeading ? null : heading,
  }
}
