import { isAscii, isUtf8 } from 'node:buffer'
import { ProtocolError } from '../error.ts'
import { mqttLimits, type MqttFields, type MqttValue } from './messages.ts'

export type JsonObject = { [name: string]: unknown }

export const latestMs = 8.64e15
// JSON has a -0, which is no other value to the scheme: adding 0 makes 0 of it wherever a number is read.

/** Far beyond every reading; whether a reading is believable is the receiver's rule, which counts it. */
export const widest = 1e9
const namePattern = /^[A-Za-z][A-Za-z0-9_]{0,39}$/

/**
 * The JSON of a payload.
 *
 * @throws ProtocolError when it is too long or none.
 */
export function parsePayload(payload: Uint8Array): unknown {
  if (payload.length > mqttLimits.payload) throw new ProtocolError('the payload is too long')
  const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  // A report is ASCII, and a string of bytes is parsed in half the time.
  const encoding = isAscii(bytes) ? 'latin1' : 'utf8'
  if (encoding === 'utf8' && !isUtf8(bytes)) throw new ProtocolError('the payload is not UTF-8')
  try {
    return JSON.parse(bytes.toString(encoding))
  } catch {
    // The parser's own words repeat a piece of the payload.
    throw new ProtocolError('the payload is not JSON')
  }
}

export function asObject(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProtocolError('the payload is not an object')
  }
  return value as JsonObject
}

/** A time in milliseconds since 1970 UTC. */
export function timeOf(name: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > latestMs) {
    throw new ProtocolError(`${name} is not a time in milliseconds`)
  }
  return value + 0
}

export function readingOf(name: string, value: unknown): number {
  // Infinity is what JSON makes of 1e999.
  if (typeof value !== 'number' || !(Math.abs(value) <= widest)) throw new ProtocolError(`${name} is not a number`)
  return value + 0
}

export function countOf(name: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new ProtocolError(`${name} is not a whole number`)
  }
  return value + 0
}

export function flagOf(name: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw new ProtocolError(`${name} is neither true nor false`)
  return value
}

export function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.length > mqttLimits.text) {
    throw new ProtocolError(`${name} is not a text of 1 to ${mqttLimits.text} characters`)
  }
  return value
}

export function idOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(value)) throw new ProtocolError(`${name} is malformed`)
  return value
}

export function wordOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || !/^[a-z][a-z0-9_]{2,39}$/.test(value)) {
    throw new ProtocolError(`${name} is not a lower-case word`)
  }
  return value
}

export function oneOf<T extends string>(name: string, allowed: readonly T[], value: unknown): T {
  const found = allowed.find((one) => one === value)
  if (found === undefined) throw new ProtocolError(`${name} is none of ${allowed.join(', ')}`)
  return found
}

/** How many unnamed values a payload may still have. */
export type ValueBudget = { left: number }
export const newBudget = (): ValueBudget => ({ left: mqttLimits.values })

function checkName(name: string): void {
  if (!namePattern.test(name)) throw new ProtocolError('the name of a field is malformed')
}

/** Checks an unnamed value; it is bounded in number, size and depth, whatever it is. */
export function boundedValue(value: unknown, budget: ValueBudget, depth = 1): MqttValue {
  if (--budget.left < 0) throw new ProtocolError('the payload has too many values')
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new ProtocolError('a number is too large')
    return value + 0
  }
  if (typeof value === 'string') {
    if (value.length > mqttLimits.text) throw new ProtocolError('a text is too long')
    return value
  }
  if (depth >= mqttLimits.depth) throw new ProtocolError('the payload is too deep')
  if (Array.isArray(value)) return value.map((entry) => boundedValue(entry, budget, depth + 1))
  const object: MqttFields = {}
  for (const [name, entry] of Object.entries(asObject(value))) {
    checkName(name)
    object[name] = boundedValue(entry, budget, depth + 1)
  }
  return object
}

/** What an object says beyond the names given; undefined when nothing. */
export function restOf(object: JsonObject, known: ReadonlySet<string>): MqttFields | undefined {
  let fields: MqttFields | undefined
  const budget = newBudget()
  for (const [name, value] of Object.entries(object)) {
    if (known.has(name)) continue
    checkName(name)
    fields ??= {}
    fields[name] = boundedValue(value, budget)
  }
  return fields
}

/** Adds an unnamed field to a report being read. */
export function addField(options: {
  fields: MqttFields | undefined
  name: string
  value: unknown
  budget: ValueBudget
}): MqttFields {
  checkName(options.name)
  const fields = options.fields ?? {}
  fields[options.name] = boundedValue(options.value, options.budget)
  return fields
}
