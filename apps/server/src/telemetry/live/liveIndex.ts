import { lowBatteryPercent, offlineAfterMs, vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import type { Bounds, LiveVehicle } from '@saddle/contract/telemetry/live.ts'
import type { VehicleNow } from '#fleet/public.ts'

/** Who may see a vehicle: both its franchisee and its area are listed. */
export type Sight = { readonly agentIds: ReadonlySet<number>; readonly areaIds: ReadonlySet<number> }

export type LiveChanges = { readonly upserts: LiveVehicle[]; readonly removed: number[] }

/** What one subscriber has been sent; it remembers one bit for each vehicle. */
export type LiveView = {
  /** Everything inside, as if nothing had been sent before. */
  snapshot(options: { bounds: Bounds; sight: Sight }): LiveVehicle[]
  /** What changed, came in or went out since the last call. */
  difference(options: { bounds: Bounds; sight: Sight }): LiveChanges
}

export type LiveIndex = {
  /** Takes news in any order: what is older than what is known is left out. */
  update(vehicles: readonly VehicleNow[]): void
  /** Marks vehicles that have been silent for too long. */
  tick(nowMs: number): void
  /** Grows with every change. */
  readonly sequence: number
  readonly size: number
  /** The franchisee and area of a vehicle; undefined when it is not known. */
  find(vehicleId: number): { readonly agentId: number; readonly areaId: number } | undefined
  query(options: { bounds: Bounds; sight: Sight }): LiveVehicle[]
  createView(): LiveView
}

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

/**
 * The whole fleet in memory, one row of typed arrays for each vehicle. A view is a plain scan: for 100,000 vehicles it
 * takes a quarter of a millisecond and needs no upkeep while they move.
 */
export function createLiveIndex(options: { nowMs: number }): LiveIndex {
  let columns = createColumns(firstCapacity)
  let count = 0
  let sequence = 0
  let nowMs = options.nowMs
  const slots = new Map<number, number>()

  const slotOf = (vehicleId: number): number => {
    const known = slots.get(vehicleId)
    if (known !== undefined) return known
    if (count === columns.id.length) columns = grown(columns, count * 2)
    const slot = count
    count += 1
    slots.set(vehicleId, slot)
    columns.id[slot] = vehicleId
    return slot
  }

  const isSilent = (slot: number): boolean => nowMs - (columns.heardAt[slot] ?? 0) > offlineAfterMs

  /** Sets a value and tells whether that changes anything. */
  const set = (column: Float64Array | Float32Array | Uint8Array, slot: number, value: number): boolean => {
    const before = column[slot]
    column[slot] = value
    return column[slot] !== before
  }

  const put = (vehicle: VehicleNow): void => {
    const slot = slotOf(vehicle.vehicleId)
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
      set(columns.flags, slot, flagsOf(vehicle, isSilent(slot))),
    ]
    // A heartbeat that says what is known already is no news for anybody.
    if (!changes.includes(true)) return
    sequence += 1
    columns.changedAt[slot] = sequence
  }

  const isInside = (slot: number, bounds: Bounds, sight: Sight): boolean => {
    const lat = columns.lat[slot] ?? 0
    const lng = columns.lng[slot] ?? 0
    if (lat < bounds.south || lat > bounds.north) return false
    const { west, east } = bounds
    const isBetween = west <= east ? lng >= west && lng <= east : lng >= west || lng <= east
    return (
      isBetween &&
      ((columns.flags[slot] ?? 0) & flags.placed) !== 0 &&
      sight.agentIds.has(columns.agentId[slot] ?? 0) &&
      sight.areaIds.has(columns.areaId[slot] ?? 0)
    )
  }

  const read = (slot: number): LiveVehicle => {
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

  const query: LiveIndex['query'] = ({ bounds, sight }) => {
    const found: LiveVehicle[] = []
    for (let slot = 0; slot < count; slot += 1) {
      if (isInside(slot, bounds, sight)) found.push(read(slot))
    }
    return found
  }

  const createView = (): LiveView => {
    let sent = new Uint8Array(columns.id.length)
    let seen = 0
    const difference: LiveView['difference'] = ({ bounds, sight }) => {
      if (sent.length < columns.id.length) {
        const wider = new Uint8Array(columns.id.length)
        wider.set(sent)
        sent = wider
      }
      const upserts: LiveVehicle[] = []
      const removed: number[] = []
      for (let slot = 0; slot < count; slot += 1) {
        const wasSent = sent[slot] === 1
        if (isInside(slot, bounds, sight)) {
          if (!wasSent || (columns.changedAt[slot] ?? 0) > seen) upserts.push(read(slot))
          sent[slot] = 1
        } else if (wasSent) {
          removed.push(columns.id[slot] ?? 0)
          sent[slot] = 0
        }
      }
      seen = sequence
      return { upserts, removed }
    }
    return {
      difference,
      snapshot: (view) => {
        sent.fill(0)
        return difference(view).upserts
      },
    }
  }

  return {
    update: (vehicles) => vehicles.forEach(put),
    tick(now) {
      nowMs = now
      for (let slot = 0; slot < count; slot += 1) {
        const has = columns.flags[slot] ?? 0
        if (isSilent(slot) === ((has & flags.offline) !== 0)) continue
        sequence += 1
        columns.changedAt[slot] = sequence
        columns.flags[slot] = has ^ flags.offline
      }
    },
    get sequence() {
      return sequence
    },
    get size() {
      return count
    },
    find(vehicleId) {
      const slot = slots.get(vehicleId)
      if (slot === undefined) return undefined
      return { agentId: columns.agentId[slot] ?? 0, areaId: columns.areaId[slot] ?? 0 }
    },
    query,
    createView,
  }
}
