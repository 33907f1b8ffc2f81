import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bodyLimits, isSealed, loadOf } from './endpoint.ts'
import { everyCall } from './endpoints.ts'

const calls = Object.entries(everyCall)

interface Json {
  readonly $ref?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Json[]
  readonly oneOf?: readonly Json[]
  readonly allOf?: readonly Json[]
  readonly type?: string
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly items?: Json
  readonly prefixItems?: readonly Json[]
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Json>>
  readonly propertyNames?: Json
  readonly additionalProperties?: Json | boolean
  readonly $defs?: Readonly<Record<string, Json>>
}

/** A number with as many digits as a place or an id has. */
const numberBytes = 17
/** Texts held by a pattern alone: dates, numbers of vehicles, codes of permissions. */
const patternBytes = 40
const idOfUuidBytes = 38

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0)

/** Bytes of the longest JSON that a schema lets through; Infinity where nothing bounds it. */
function longest(schema: Json, root: Json): number {
  const of = (part: Json): number => longest(part, root)
  if (schema.$ref !== undefined) return of(root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {})
  if (schema.const !== undefined) return JSON.stringify(schema.const).length
  if (schema.enum !== undefined) return Math.max(...schema.enum.map((one) => Buffer.byteLength(JSON.stringify(one))))
  if (schema.type === 'string') return longestText(schema)
  const either = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (either !== undefined) return Math.max(...either.map(of))
  if (schema.type === 'number' || schema.type === 'integer') return numberBytes
  if (schema.type === 'boolean' || schema.type === 'null') return 5
  if (schema.type === 'array') return longestList(schema, of)
  return schema.type === 'object' ? longestObject(schema, of) : Infinity
}

function longestText({ maxLength, pattern, format, allOf = [] }: Json): number {
  if (format === 'uuid') return idOfUuidBytes
  const patterns = [pattern, ...allOf.map((part) => part.pattern)].filter((one) => one !== undefined)
  if (maxLength === undefined) return patterns.every((one) => one === anyText) ? Infinity : patternBytes
  // Chinese takes three bytes; base64 and the like one.
  return maxLength * (patterns.some((one) => one.startsWith('^[A-Za-z0-9+/]')) ? 1 : 3) + 2
}

/** Of `plainTextSchema`, which bounds nothing. */
const anyText = String.raw`^[^\0]*$`

function longestList({ prefixItems, items, maxItems }: Json, of: (part: Json) => number): number {
  if (prefixItems !== undefined) return 2 + sum(prefixItems.map((item) => of(item) + 1))
  return maxItems === undefined ? Infinity : 2 + maxItems * (of(items ?? {}) + 1)
}

function longestObject({ properties, propertyNames, additionalProperties }: Json, of: (part: Json) => number): number {
  const named = sum(Object.entries(properties ?? {}).map(([name, part]) => name.length + 4 + of(part)))
  if (typeof additionalProperties !== 'object' || Object.keys(additionalProperties).length === 0) return 2 + named
  const names = propertyNames?.enum
  return names === undefined
    ? Infinity
    : 2 + named + sum(names.map((name) => String(name).length + 4 + of(additionalProperties)))
}

/** What these bring is bounded by its bytes: a file is read in parts that fit. */
const boundedByBytes: ReadonlySet<string> = new Set([
  'createElectricFences',
  'updateElectricFences',
  'checkElectricFences',
  'fenceEffect',
])

describe('the longest body of a call', () => {
  it.each(calls.filter(([name, { method }]) => method !== 'GET' && !boundedByBytes.has(name)))(
    'of %s is what its schema lets through, and no more',
    (_, endpoint) => {
      const schema = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }) as Json
      const plain = longest(schema, schema)
      const bytes = isSealed(endpoint) ? Math.ceil(((plain + 28) * 4) / 3) + 20 : plain
      const limit = endpoint.bodyLimitBytes ?? bodyLimits.ordinary
      expect(bytes).toBeLessThanOrEqual(limit)
      const lower = Object.values(bodyLimits).filter((one) => one < limit)
      expect(bytes, 'a lower limit would do').toBeGreaterThan(Math.max(0, ...lower))
    },
  )
})

it('every call that builds a file says so', () => {
  const files = calls.filter(([, endpoint]) => loadOf(endpoint) === 'file').map(([name]) => name)
  expect(files).toEqual(calls.map(([name]) => name).filter((name) => name.startsWith('export')))
})
