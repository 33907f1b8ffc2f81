import { mapAlarms, vehicleStates, type MapAlarm, type VehicleState } from '#contract/fleet/vehicles.ts'

/**
 * The binary frames of the live socket. Little endian, four-byte words throughout, so that both sides may read and write
 * them as typed arrays without looking at single bytes.
 *
 * Header, 4 words: version u8, kind u8 (bit 0 snapshot, bit 1 clusters), cell shift u16; sequence u32; count of records
 * u32; count of removals u32. Then the records, then what was removed: an id or a cell's key each, u32.
 *
 * Vehicle, 4 words: id u32; lng i32 and lat i32 in 1e-6 degree; status u32 (`packStatus`).
 * Cluster, 7 words: key of its cell u32; lng i32 and lat i32 of its middle; vehicles u32, and of these available u32, low
 * on battery u32, with a serious alarm u32.
 */
export const liveFrameVersion = 3
export const liveHeaderBytes = 16
export const liveRecordBytes = 16
export const clusterRecordBytes = 28

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
  /** The most urgent of the open alarms; null without one. */
  readonly worst: MapAlarm | null
  readonly offline: boolean
  readonly charging: boolean
  /** Kept to 2 degrees; null when unknown. */
  readonly headingDeg: number | null
}

/** The vehicles of one cell of the world, told as one. */
export interface LiveCluster {
  /** Names the cell among those of the same size. */
  readonly key: number
  /** The mean position of its vehicles, which may lag a little behind them. */
  readonly lat: number
  readonly lng: number
  readonly count: number
  readonly available: number
  readonly lowBattery: number
  /** Vehicles whose most urgent open alarm is a serious one. */
  readonly alarms: number
}

interface FrameBase {
  /** True: everything known before, vehicles and clusters, is replaced. */
  readonly snapshot: boolean
  readonly sequence: number
  readonly removed: readonly number[]
}

export interface VehicleFrame extends FrameBase {
  readonly kind: 'vehicles'
  readonly upserts: readonly LiveVehicle[]
}

export interface ClusterFrame extends FrameBase {
  readonly kind: 'clusters'
  /** A cell is 2^shift millionths of a degree wide and high. */
  readonly shift: number
  readonly upserts: readonly LiveCluster[]
}

export type LiveFrame = VehicleFrame | ClusterFrame

/** A frame as it lies in memory: nothing is copied or made. */
export interface FrameView {
  readonly snapshot: boolean
  readonly kind: LiveFrame['kind']
  readonly shift: number
  readonly sequence: number
  readonly count: number
  /** The records, 4 or 7 words each; the same memory twice. */
  readonly words: Uint32Array
  readonly signed: Int32Array
  readonly removed: Uint32Array
}

export const statusFlags = { locked: 1, lowBattery: 2, alarm: 4, offline: 8, charging: 16 } as const
const unknownByte = 255

type Status = Omit<LiveVehicle, 'id' | 'lat' | 'lng'>

/** The place of the state in `vehicleStates`. */
export const stateIndexOf = (packed: number): number => (packed >>> 8) & 0xf
/** The place of the most urgent alarm in `mapAlarms`, counted from 1; 0: none. */
export const alarmIndexOf = (packed: number): number => (packed >>> 12) & 0xf
/** State and most urgent alarm in their byte. */
export const stateByte = (state: VehicleState, worst: MapAlarm | null): number =>
  vehicleStates.indexOf(state) | ((worst === null ? 0 : mapAlarms.indexOf(worst) + 1) << 4)

/** Battery u8 (255 unknown), `stateByte`, flags u8, heading u8 in 2 degrees (255 unknown), from the lowest byte up. */
export function packStatus(status: Status): number {
  const battery = status.batteryPercent === null ? unknownByte : Math.round(status.batteryPercent)
  const heading = status.headingDeg === null ? unknownByte : Math.round(status.headingDeg / 2) % 180
  const flags =
    (status.locked ? statusFlags.locked : 0) |
    (status.lowBattery ? statusFlags.lowBattery : 0) |
    (status.alarm ? statusFlags.alarm : 0) |
    (status.offline ? statusFlags.offline : 0) |
    (status.charging ? statusFlags.charging : 0)
  return (battery | (stateByte(status.state, status.worst) << 8) | (flags << 16) | (heading << 24)) >>> 0
}

/** Throws a RangeError on a state that does not exist. */
export function unpackStatus(packed: number): Status {
  const battery = packed & 0xff
  const state = vehicleStates[stateIndexOf(packed)]
  if (state === undefined) throw new RangeError('live frame has an unknown state')
  const alarm = alarmIndexOf(packed)
  const worst = alarm === 0 ? null : mapAlarms[alarm - 1]
  if (worst === undefined) throw new RangeError('live frame has an unknown alarm')
  const flags = (packed >>> 16) & 0xff
  const heading = packed >>> 24
  return {
    batteryPercent: battery === unknownByte ? null : battery,
    state,
    locked: (flags & statusFlags.locked) !== 0,
    lowBattery: (flags & statusFlags.lowBattery) !== 0,
    alarm: (flags & statusFlags.alarm) !== 0,
    worst,
    offline: (flags & statusFlags.offline) !== 0,
    charging: (flags & statusFlags.charging) !== 0,
    headingDeg: heading === unknownByte ? null : heading * 2,
  }
}

export interface FrameShape extends Pick<FrameBase, 'snapshot' | 'sequence'> {
  readonly kind: LiveFrame['kind']
  readonly shift?: number
  readonly count: number
  readonly removed: ArrayLike<number>
}

/**
 * So many bytes before a frame are its own: whoever sends it writes the header of its WebSocket message there, so that
 * header and frame are one piece of memory.
 */
export const liveFrameRoom = 12
declare const hasRoom: unique symbol
/** The bytes of a frame, with `liveFrameRoom` bytes of memory before them that nothing else uses. */
export type LiveFrameBytes = Uint8Array<ArrayBuffer> & { readonly [hasRoom]: true }

/** Writes the header of a frame from a word on. */
export function putFrameHeader(
  words: Uint32Array,
  at: number,
  shape: Omit<FrameShape, 'removed'> & { readonly removedCount: number },
): void {
  const kind = (shape.snapshot ? 1 : 0) | (shape.kind === 'clusters' ? 2 : 0)
  words[at] = liveFrameVersion | (kind << 8) | ((shape.shift ?? 0) << 16)
  words[at + 1] = shape.sequence
  words[at + 2] = shape.count
  words[at + 3] = shape.removedCount
}

/** A frame with its header and removals written, and room for the records. */
export function createFrame(shape: FrameShape): { bytes: LiveFrameBytes; words: Uint32Array; signed: Int32Array } {
  const recordBytes = shape.kind === 'vehicles' ? liveRecordBytes : clusterRecordBytes
  const recordsEnd = liveHeaderBytes + shape.count * recordBytes
  const length = recordsEnd + shape.removed.length * 4
  const buffer = new ArrayBuffer(liveFrameRoom + length)
  const all = new Uint32Array(buffer, liveFrameRoom)
  putFrameHeader(all, 0, { ...shape, removedCount: shape.removed.length })
  all.set(shape.removed, recordsEnd / 4)
  const words = all.subarray(liveHeaderBytes / 4, recordsEnd / 4)
  const signed = new Int32Array(buffer, words.byteOffset, words.length)
  return { bytes: new Uint8Array(buffer, liveFrameRoom) as LiveFrameBytes, words, signed }
}

export function encodeLiveFrame(frame: LiveFrame): LiveFrameBytes {
  const { bytes, words, signed } = createFrame({ ...frame, count: frame.upserts.length })
  let at = 0
  const place = (record: { id: number; lat: number; lng: number }): void => {
    words[at] = record.id
    signed[at + 1] = Math.round(record.lng * 1e6)
    signed[at + 2] = Math.round(record.lat * 1e6)
  }
  if (frame.kind === 'vehicles') {
    for (const vehicle of frame.upserts) {
      place(vehicle)
      words[at + 3] = packStatus(vehicle)
      at += liveRecordBytes / 4
    }
    return bytes
  }
  for (const cluster of frame.upserts) {
    place({ id: cluster.key, lat: cluster.lat, lng: cluster.lng })
    words[at + 3] = cluster.count
    words[at + 4] = cluster.available
    words[at + 5] = cluster.lowBattery
    words[at + 6] = cluster.alarms
    at += clusterRecordBytes / 4
  }
  return bytes
}

/** Throws a RangeError on a frame of another version or of the wrong length. */
export function viewLiveFrame(bytes: Uint8Array): FrameView {
  // Typed arrays need whole words: a frame that begins in between is copied, which sockets never make necessary.
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  if (bytes.length < liveHeaderBytes || bytes.length % 4 !== 0) throw new RangeError('not a live frame')
  const all = new Uint32Array(buffer, byteOffset, bytes.length / 4)
  const [first = 0, sequence = 0, count = 0, removedCount = 0] = all
  const kind = (first >>> 8) & 0xff
  if ((first & 0xff) !== liveFrameVersion || kind > 3) throw new RangeError('not a live frame')
  const isClusters = (kind & 2) !== 0
  const recordBytes = isClusters ? clusterRecordBytes : liveRecordBytes
  const recordsEnd = liveHeaderBytes + count * recordBytes
  if (bytes.length !== recordsEnd + removedCount * 4) throw new RangeError('live frame has the wrong length')
  const words = all.subarray(liveHeaderBytes / 4, recordsEnd / 4)
  return {
    snapshot: (kind & 1) !== 0,
    kind: isClusters ? 'clusters' : 'vehicles',
    shift: first >>> 16,
    sequence,
    count,
    words,
    signed: new Int32Array(words.buffer, words.byteOffset, words.length),
    removed: all.subarray(recordsEnd / 4),
  }
}

/** The whole frame as objects; throws a RangeError like `viewLiveFrame`. */
export function decodeLiveFrame(bytes: Uint8Array): LiveFrame {
  const frame = viewLiveFrame(bytes)
  const { snapshot, sequence, count, shift } = frame
  const removed = [...frame.removed]
  const each = { length: count }
  return frame.kind === 'vehicles'
    ? { kind: 'vehicles', snapshot, sequence, removed, upserts: Array.from(each, (_, n) => vehicleOf(frame, n)) }
    : { kind: 'clusters', snapshot, sequence, removed, shift, upserts: Array.from(each, (_, n) => clusterOf(frame, n)) }
}

/** The n-th vehicle of a frame of vehicles. */
export function vehicleOf({ words, signed }: Pick<FrameView, 'words' | 'signed'>, n: number): LiveVehicle {
  const at = n * (liveRecordBytes / 4)
  const place = { id: words[at] ?? 0, lng: (signed[at + 1] ?? 0) / 1e6, lat: (signed[at + 2] ?? 0) / 1e6 }
  return { ...place, ...unpackStatus(words[at + 3] ?? 0) }
}

/** The n-th cluster of a frame of clusters. */
export function clusterOf({ words, signed }: Pick<FrameView, 'words' | 'signed'>, n: number): LiveCluster {
  const at = n * (clusterRecordBytes / 4)
  return {
    key: words[at] ?? 0,
    lng: (signed[at + 1] ?? 0) / 1e6,
    lat: (signed[at + 2] ?? 0) / 1e6,
    count: words[at + 3] ?? 0,
    available: words[at + 4] ?? 0,
    lowBattery: words[at + 5] ?? 0,
    alarms: words[at + 6] ?? 0,
  }
}
