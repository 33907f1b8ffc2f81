import type { DevicePosition, DeviceReport, PositionReading, ReportReading } from '../report.ts'
import { mqttLimits, type MqttReported } from './messages.ts'
import { latestMs, widest } from './values.ts'

/** What a name of the scheme carries: a flag, or a number up to a bound of either sign; a whole one is never negative. */
type Field = { readonly isFlag?: boolean; readonly isWhole?: boolean; readonly most: number }

const flag = { isFlag: true, most: 1 }
const measured = { most: widest }
const count = { isWhole: true, most: Number.MAX_SAFE_INTEGER }
const fields = {
  at: { isWhole: true, most: latestMs },
  seq: count,
  lat: { most: 90 },
  lng: { most: 180 },
  fix: flag,
  speedKmh: measured,
  headingDeg: measured,
  altitudeM: measured,
  batteryPercent: measured,
  voltageV: measured,
  signal: measured,
  odometerM: measured,
  locked: flag,
  charging: flag,
  satellites: count,
  compartmentOpen: flag,
} satisfies Record<string, Field>
type Name = keyof typeof fields

const list: readonly Field[] = Object.values(fields)
const names = Object.keys(fields)
const most = Float64Array.from(list, (field) => field.most)
const isFlag = Uint8Array.from(list, (field) => Number(field.isFlag === true))
const isWhole = Uint8Array.from(list, (field) => Number(field.isWhole === true))
const slots = Object.fromEntries(names.map((name, slot) => [name, slot])) as Readonly<Record<Name, number>>
/** The values of the report that is being read, 1 and 0 for flags, and which of them it says: a bit for each slot. */
const values = new Float64Array(list.length)
let said = 0

/**
 * Each name with its quotes and colon, as words of four bytes; the last word ends where the name ends and may repeat bytes of
 * the one before.
 */
const wordBytes = 4
const wordsOfName = 5
const lengths = Uint8Array.from(names, (name) => name.length + 3)
const words = new Int32Array(names.length * wordsOfName)
for (const [slot, name] of names.entries()) {
  const bytes = Buffer.from(`"${name}":`)
  const wholeWords = Math.floor(bytes.length / wordBytes)
  for (let word = 0; word < wholeWords; word += 1)
    words[slot * wordsOfName + word] = bytes.readInt32BE(word * wordBytes)
  words[slot * wordsOfName + wholeWords] = bytes.readInt32BE(bytes.length - wordBytes)
}

/** The length of a name and its second letter lead to its slot: no two names of the scheme share both. */
const place = (length: number, second: number): number => (length << 5) | (second & 31)
const longestName = 31
const slotAt = new Int8Array(place(longestName + 1, 0)).fill(-1)
for (const [slot, name] of names.entries()) slotAt[place(name.length, name.charCodeAt(1))] = slot
/** The slot that followed each slot the last time, and the first one: devices of one firmware say all in one order. */
const beginning = names.length
const follows = new Int8Array(names.length + 1)

const [quote, comma, opening, closing, minus, dot] = Buffer.from('",{}-.')
const digitZero = 0x30
const [trueWord, falseWord] = [Buffer.from('true').readInt32BE(), Buffer.from('fals').readInt32BE()]
const lastOfFalse = 0x65
/** Numbers of so many digits and their powers of ten are exact, and so is the nearest number to their quotient. */
const maxDigits = 15
const powers = Float64Array.from({ length: maxDigits + 1 }, (_, power) => 10 ** power)
/** So many digits make a number of 32 bits, which is quicker to add to. */
const shortDigits = 9

/** A payload within what was read from a socket. */
export type PayloadPart = {
  readonly bytes: Uint8Array
  readonly view: DataView
  readonly start: number
  readonly end: number
}

/** Whether the name of this slot, with its quotes and colon, stands here. */
function isName(view: DataView, at: number, end: number, slot: number): boolean {
  const length = lengths[slot] ?? 0
  if (at + length > end) return false
  const first = slot * wordsOfName
  const wholeWords = length >>> 2
  for (let word = 0; word < wholeWords; word += 1)
    if (view.getInt32(at + word * wordBytes) !== words[first + word]) return false
  return view.getInt32(at + length - wordBytes) === words[first + wholeWords]
}

/** The slot of the name that stands here behind its quote; -1 for none of the scheme. */
function slotOf(view: DataView, at: number, end: number): number {
  let length = 0
  while (at + 1 + length < end && view.getUint8(at + 1 + length) !== quote) length += 1
  if (length < 2 || length > longestName) return -1
  const slot = slotAt[place(length, view.getUint8(at + 2))] ?? -1
  return slot !== -1 && isName(view, at, end, slot) ? slot : -1
}

/** Reads `true` or `false` into a slot; returns where it ends, 0 when it is something else. */
function readFlag(view: DataView, at: number, end: number, slot: number): number {
  if (at + wordBytes >= end) return 0
  const word = view.getInt32(at)
  const isTrue = word === trueWord
  if (!isTrue && (word !== falseWord || view.getUint8(at + wordBytes) !== lastOfFalse)) return 0
  values[slot] = isTrue ? 1 : 0
  return isTrue ? at + wordBytes : at + wordBytes + 1
}

/** Where a number was read to; its digits, without a dot, and how many of them there are. */
let digitsEnd = 0
let digitCount = 0

/** Reads digits: the first ones and those behind them apart, because numbers of 32 bits are quicker to add to. */
function readDigits(bytes: Uint8Array, start: number, end: number, before: number): number {
  let at = start
  let high = 0
  const middle = Math.min(end, start + shortDigits)
  for (; at < middle; at += 1) {
    const digit = (bytes[at] ?? 0) - digitZero
    if (digit < 0 || digit > 9) break
    high = (Math.imul(high, 10) + digit) | 0
  }
  let number = before === 0 ? high : before * (powers[at - start] ?? 1) + high
  if (at === middle) {
    let low = 0
    const last = Math.min(end, middle + shortDigits)
    for (; at < last; at += 1) {
      const digit = (bytes[at] ?? 0) - digitZero
      if (digit < 0 || digit > 9) break
      low = (Math.imul(low, 10) + digit) | 0
    }
    number = number * (powers[at - middle] ?? 1) + low
  }
  digitsEnd = at
  digitCount += at - start
  return number
}

/** Reads a number without an exponent into a slot; returns where it ends, 0 when it is none or not one for this field. */
function readNumber(bytes: Uint8Array, start: number, end: number, slot: number): number {
  const isNegative = bytes[start] === minus
  const first = isNegative ? start + 1 : start
  digitCount = 0
  const number = readDigits(bytes, first, end, 0)
  const wholeDigits = digitCount
  if (wholeDigits === 0 || (wholeDigits > 1 && bytes[first] === digitZero)) return 0
  let size = number
  if (bytes[digitsEnd] === dot) {
    const both = readDigits(bytes, digitsEnd + 1, end, number)
    if (digitCount === wholeDigits) return 0
    size = both / (powers[digitCount - wholeDigits] ?? 1)
  }
  if (digitCount > maxDigits) return 0
  // Adding 0 makes 0 of -0.
  const value = isNegative ? -size + 0 : size
  if (size > (most[slot] ?? 0) || (isWhole[slot] === 1 && !(value >= 0 && Math.floor(value) === value))) return 0
  values[slot] = value
  return digitsEnd
}

/** Reads one object of known names into `values`. */
function readValues({ bytes, view, start, end }: PayloadPart): boolean {
  said = 0
  if (end - start > mqttLimits.payload || start >= end || view.getUint8(start) !== opening) return false
  let at = start + 1
  let before = beginning
  while (at < end) {
    let slot = follows[before] ?? 0
    if (!isName(view, at, end, slot)) {
      if (view.getUint8(at) !== quote) return false
      slot = slotOf(view, at, end)
      if (slot === -1) return false
      follows[before] = slot
    }
    before = slot
    at += lengths[slot] ?? 0
    at = isFlag[slot] === 1 ? readFlag(view, at, end, slot) : readNumber(bytes, at, end, slot)
    if (at === 0 || at >= end) return false
    said |= 1 << slot
    const next = view.getUint8(at)
    at += 1
    if (next !== comma) return next === closing && at === end
  }
  return false
}

const bit = (...of: Name[]): number => of.reduce((bits, name) => bits | (1 << slots[name]), 0)
const placeBits = bit('lat', 'lng')
const ofPlaceBits = bit('lat', 'lng', 'fix', 'speedKmh', 'headingDeg', 'altitudeM')

const numberOf = (slot: number): number | undefined => ((said & (1 << slot)) === 0 ? undefined : values[slot])
const flagOf = (slot: number): boolean | undefined => ((said & (1 << slot)) === 0 ? undefined : values[slot] === 1)

class UsualPosition implements PositionReading {
  get lat(): number {
    return values[slots.lat] ?? 0
  }
  get lng(): number {
    return values[slots.lng] ?? 0
  }
  get fix(): boolean {
    return flagOf(slots.fix) ?? true
  }
  get speedKmh(): number | undefined {
    return numberOf(slots.speedKmh)
  }
  get headingDeg(): number | undefined {
    return numberOf(slots.headingDeg)
  }
  get altitudeM(): number | undefined {
    return numberOf(slots.altitudeM)
  }
}
const position = new UsualPosition()

/** What `values` say, in the words of every protocol. Nothing is made of a report before it is judged: there is one object. */
class UsualReport implements ReportReading {
  readonly alarms = undefined
  get occurredAt(): number | null {
    return numberOf(slots.at) ?? null
  }
  get position(): PositionReading | null {
    return (said & placeBits) === placeBits ? position : null
  }
  get batteryPercent(): number | undefined {
    return numberOf(slots.batteryPercent)
  }
  get voltageV(): number | undefined {
    return numberOf(slots.voltageV)
  }
  get locked(): boolean | undefined {
    return flagOf(slots.locked)
  }
  get charging(): boolean | undefined {
    return flagOf(slots.charging)
  }
  get signal(): number | undefined {
    return numberOf(slots.signal)
  }
  get odometerM(): number | undefined {
    return numberOf(slots.odometerM)
  }
}
const reading = new UsualReport()

/**
 * Reads the report that the fleet sends all day straight from its bytes: one object of the scheme's names with plain numbers
 * and flags, written without spaces. Null for everything else, sound or not: the general way through JSON decides on that. It
 * says the same of what is read here, and takes several times as long. What is returned says this until the next one is read.
 */
export function readUsualReport(part: PayloadPart): ReportReading | null {
  if (!readValues(part)) return null
  if ((said & ofPlaceBits) !== 0 && (said & placeBits) !== placeBits) return null
  return reading
}

function positionOf(place: PositionReading): DevicePosition {
  const { lat, lng, fix, speedKmh, headingDeg, altitudeM } = place
  const made: DevicePosition = { lat, lng, fix }
  if (speedKmh !== undefined) made.speedKmh = speedKmh
  if (headingDeg !== undefined) made.headingDeg = headingDeg
  if (altitudeM !== undefined) made.altitudeM = altitudeM
  return made
}

/** The same of a whole payload, as a message of its own. */
export function readUsualMessage(deviceId: string, bytes: Uint8Array): MqttReported | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const read = readUsualReport({ bytes, view, start: 0, end: bytes.length })
  if (read === null) return null
  const { occurredAt, batteryPercent, voltageV, locked, charging, signal, odometerM } = read
  const place = read.position === null ? null : positionOf(read.position)
  const report: DeviceReport = { deviceId, occurredAt, position: place }
  if (batteryPercent !== undefined) report.batteryPercent = batteryPercent
  if (voltageV !== undefined) report.voltageV = voltageV
  if (locked !== undefined) report.locked = locked
  if (charging !== undefined) report.charging = charging
  if (signal !== undefined) report.signal = signal
  if (odometerM !== undefined) report.odometerM = odometerM
  const [seq, satellites, compartmentOpen] = [
    numberOf(slots.seq),
    numberOf(slots.satellites),
    flagOf(slots.compartmentOpen),
  ]
  const reported: MqttReported = { report }
  if (seq !== undefined) reported.seq = seq
  if (satellites !== undefined) reported.satellites = satellites
  if (compartmentOpen !== undefined) reported.compartmentOpen = compartmentOpen
  return reported
}
