import { z } from 'zod'

export type Json = Readonly<Record<string, unknown>>
type Schema = z.core.JSONSchema.BaseSchema

/** A schema of the contract as OpenAPI has it. An answer is described as the handler writes it: its input side. */
export function schemaOf(schema: z.core.$ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      nameProperties(jsonSchema)
      joinPatterns(jsonSchema)
    },
  })
  return rest
}

/** A record over known keys says which they are: as properties, which generators of clients understand. */
function nameProperties(schema: Schema): void {
  const { propertyNames, additionalProperties } = schema
  if (typeof propertyNames !== 'object' || !Array.isArray(propertyNames.enum)) return
  if (additionalProperties === undefined || typeof additionalProperties === 'boolean') return
  schema.properties = Object.fromEntries(propertyNames.enum.map((name) => [String(name), additionalProperties]))
  schema.additionalProperties = false
  delete schema.propertyNames
}

/** A text with several patterns has one that says them all: generators of clients take `allOf` for an object. */
function joinPatterns(schema: Schema): void {
  if (schema.type !== 'string' || schema.allOf === undefined) return
  const patterns = schema.allOf.map(({ pattern = '' }) => pattern)
  if (!patterns.every((one) => /^\^(?!.*\|)/.test(one))) return
  const [last = '', ...before] = patterns.toReversed()
  schema.pattern = `^${before.map((one) => `(?=${one.slice(1)})`).join('')}${last.slice(1)}`
  delete schema.allOf
}

const instant = Date.UTC(2026, 0, 15, 4)
const largestSmall = 1e12
/** Texts, of which the first that fits a pattern is the example. */
const texts = [
  'SD000007',
  '7',
  '13900000001',
  '2026-01-15',
  '04:00',
  'saddle',
  'ABC234',
  'coupon:7',
  '城北',
  'a1b2c3d4e5f6a7b8',
  '00000000-0000-4000-8000-000000000007',
  '110101199003070070',
  'https://example.com/a',
  'ABCD2345',
  'ABCD2345EFGH',
  '#0958d9',
  'data:image/jpeg;base64,/9j/',
  'A'.repeat(24),
  '0'.repeat(64),
]
const formats: Readonly<Record<string, string>> = {
  date: '2026-01-15',
  'date-time': '2026-01-15T04:00:00Z',
  email: 'name@example.com',
  uri: 'https://example.com/a',
  uuid: '00000000-0000-4000-8000-000000000007',
}
const byName: Readonly<Record<string, string>> = {
  phone: '13900000001',
  riderPhone: '13900000001',
  vehicleNumber: 'SD000007',
}

/** A value that a schema describes: every property, one row of each list. */
export function exampleOf(schema: Json, name = ''): unknown {
  const said = schema as Schema & { readonly default?: unknown }
  if (said.const !== undefined) return said.const
  if (said.enum !== undefined) return said.enum[0]
  const choices = said.anyOf ?? said.oneOf
  if (choices !== undefined) {
    return exampleOf(choices.find((one) => one.type !== 'null') ?? {}, name)
  }
  if (said.allOf !== undefined) return Object.assign({}, ...said.allOf.map((one) => exampleOf(one, name))) as unknown
  switch (typeOf(said)) {
    case 'object':
      return Object.fromEntries(
        Object.entries(said.properties ?? {}).map(([key, one]) => [key, exampleOf(one as Json, key)]),
      )
    case 'array':
      return said.maxItems === 0 ? [] : rowsOf(said)
    case 'integer':
    case 'number':
      return numberOf(said, name)
    case 'boolean':
      return true
    case 'null':
      return null
    case 'string':
      return textOf(said, name)
    case undefined:
    default:
      return {}
  }
}

/** Of several types the first that is a value; a schema that only bounds a text is one of texts. */
function typeOf({ type, pattern, minLength }: Schema): string | undefined {
  if (Array.isArray(type)) return (type as readonly string[]).find((one) => one !== 'null')
  return type ?? (pattern === undefined && minLength === undefined ? undefined : 'string')
}

function rowsOf({ items, prefixItems, minItems = 1 }: Schema): unknown[] {
  if (prefixItems !== undefined) return prefixItems.map((one) => exampleOf(one as Json))
  return Array.from({ length: Math.max(1, minItems) }, () => exampleOf((items ?? {}) as Json))
}

function numberOf({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER, exclusiveMinimum }: Schema, name: string): number {
  const isInstant = maximum > largestSmall && /(?:At|Ms|Until|from|to|since)$/.test(name)
  if (isInstant && instant >= minimum) return instant
  if (/lat$/i.test(name)) return 31.3
  if (/lng$/i.test(name)) return 120.6
  const least = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : minimum
  return Math.min(maximum, Math.max(least, 1))
}

function textOf({ pattern, format, minLength = 0, maxLength = 10_000 }: Schema, name: string): string {
  const known = byName[name]
  if (known !== undefined) return known
  if (format !== undefined && formats[format] !== undefined) return formats[format]
  const fits = (text: string): boolean =>
    text.length >= minLength &&
    text.length <= maxLength &&
    (pattern === undefined || new RegExp(pattern, 'u').test(text))
  return texts.find(fits) ?? 'x'.repeat(Math.max(1, minLength))
}
