import { z } from 'zod'
import { vehicleStates, type VehicleState } from '#contract/fleet/vehicles.ts'
import { commandSchema } from '#contract/fleet/commands.ts'
import { chatMessageSchema } from '#contract/support/chat.ts'

/**
 * The live socket. The client speaks JSON text; the server speaks JSON text for events and binary for vehicles.
 * First message: `hello` with a call token bound to `GET` and the socket's path; nothing is sent before it is checked.
 */
const degrees = z.number().min(-180).max(180)
export const boundsSchema = z.strictObject({ west: degrees, south: degrees, east: degrees, north: degrees })
export type Bounds = z.infer<typeof boundsSchema>

export const clientMessageSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hello'), token: z.string().max(64_000) }),
  /** Asks for the vehicles inside; replaces the view before it. */
  z.strictObject({ type: z.literal('view'), bounds: boundsSchema }),
  z.strictObject({ type: z.literal('unview') }),
  z.strictObject({ type: z.literal('ping') }),
])
export type ClientMessage = z.infer<typeof clientMessageSchema>
export const clientMessageMaxBytes = 70_000

export const serverEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), serverTime: z.int() }),
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('command'), command: commandSchema }),
  z.object({ type: z.literal('chat'), message: chatMessageSchema }),
  /** Vehicles whose panel should be read again: something other than the binary record changed. */
  z.object({ type: z.literal('vehicle'), vehicleId: z.int() }),
  /** Permissions or scope changed: read them again. */
  z.object({ type: z.literal('refresh') }),
  z.object({ type: z.literal('bye'), code: z.string() }),
])
export type ServerEvent = z.infer<typeof serverEventSchema>

/** Socket close codes of our own. */
export const closeCodes = { unauthorised: 4401, tooSlow: 4408, badMessage: 4400, goingAway: 1001 } as const

export interface LiveVehicle {
  readonly id: number
  /** WGS-84, kept to 1e-6 degree. */
  readonly lat: number
  readonly lng: number
  /** 0 to 100; null when unknown. */
  readonly batteryPercent: number | null
  readonly state: VehicleState
  readonly locked: boolean
  readonly lowBattery: boolean
  readonly alarm: boolean
  readonly offline: boolean
  readonly charging: boolean
  /** Kept to 2 degrees; null when unknown. */
  readonly headingDeg: number | null
}

export interface LiveFrame {
  /** True: everything known before is replaced. */
  readonly snapshot: boolean
  readonly sequence: number
  readonly upserts: readonly LiveVehicle[]
  readonly removed: readonly number[]
}

const version = 1
const headerBytes = 16
export const liveRecordBytes = 16
const unknownByte = 255
const flag = { locked: 1, lowBattery: 2, alarm: 4, offline: 8, charging: 16 } as const

/**
 * Little endian. Header: version u8, kind u8 (1 snapshot, 0 difference), u16 zero, sequence u32, upserts u32, removals u32.
 * Record: id u32, lng i32 ×1e-6, lat i32 ×1e-6, battery u8, state u8, flags u8, heading u8 in 2 degrees. Then removed ids, u32 each.
 */
export function encodeLiveFrame(frame: LiveFrame): Uint8Array {
  const { upserts, removed } = frame
  const bytes = new Uint8Array(headerBytes + upserts.length * liveRecordBytes + removed.length * 4)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, version)
  view.setUint8(1, frame.snapshot ? 1 : 0)
  view.setUint32(4, frame.sequence, true)
  view.setUint32(8, upserts.length, true)
  view.setUint32(12, removed.length, true)
  let at = headerBytes
  for (const vehicle of upserts) {
    view.setUint32(at, vehicle.id, true)
    view.setInt32(at + 4, Math.round(vehicle.lng * 1e6), true)
    view.setInt32(at + 8, Math.round(vehicle.lat * 1e6), true)
    view.setUint8(at + 12, vehicle.batteryPercent === null ? unknownByte : Math.round(vehicle.batteryPercent))
    view.setUint8(at + 13, vehicleStates.indexOf(vehicle.state))
    view.setUint8(at + 14, flagsOf(vehicle))
    view.setUint8(at + 15, vehicle.headingDeg === null ? unknownByte : Math.round(vehicle.headingDeg / 2) % 180)
    at += liveRecordBytes
  }
  for (const id of removed) {
    view.setUint32(at, id, true)
    at += 4
  }
  return bytes
}

/** Throws a RangeError on a frame of another version or of the wrong length. */
export function decodeLiveFrame(bytes: Uint8Array): LiveFrame {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < headerBytes || view.getUint8(0) !== version) throw new RangeError('not a live frame')
  const upsertCount = view.getUint32(8, true)
  const removedCount = view.getUint32(12, true)
  if (bytes.length !== headerBytes + upsertCount * liveRecordBytes + removedCount * 4) {
    throw new RangeError('live frame has the wrong length')
  }
  const upserts = Array.from({ length: upsertCount }, (_, index) =>
    recordAt(view, headerBytes + index * liveRecordBytes),
  )
  const tail = headerBytes + upsertCount * liveRecordBytes
  const removed = Array.from({ length: removedCount }, (_, index) => view.getUint32(tail + index * 4, true))
  return { snapshot: view.getUint8(1) === 1, sequence: view.getUint32(4, true), upserts, removed }
}

function flagsOf(vehicle: LiveVehicle): number {
  return (
    (vehicle.locked ? flag.locked : 0) |
    (vehicle.lowBattery ? flag.lowBattery : 0) |
    (vehicle.alarm ? flag.alarm : 0) |
    (vehicle.offline ? flag.offline : 0) |
    (vehicle.charging ? flag.charging : 0)
  )
}

function recordAt(view: DataView, at: number): LiveVehicle {
  const battery = view.getUint8(at + 12)
  const state = vehicleStates[view.getUint8(at + 13)]
  if (state === undefined) throw new RangeError('live frame has an unknown state')
  const flags = view.getUint8(at + 14)
  const heading = view.getUint8(at + 15)
  return {
    id: view.getUint32(at, true),
    lng: view.getInt32(at + 4, true) / 1e6,
    lat: view.getInt32(at + 8, true) / 1e6,
    batteryPercent: battery === unknownByte ? null : battery,
    state,
    locked: (flags & flag.locked) !== 0,
    lowBattery: (flags & flag.lowBattery) !== 0,
    alarm: (flags & flag.alarm) !== 0,
    offline: (flags & flag.offline) !== 0,
    charging: (flags & flag.charging) !== 0,
    headingDeg: heading === unknownByte ? null : heading * 2,
  }
}
