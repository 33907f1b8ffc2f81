import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { SealedName } from './specimens/specimen.ts'
import { rootPhone } from '#test/tenants.ts'
import { calls, createWorld, endpointOf, inputFor, type World } from './world.ts'

/** The part of JSON Schema that inputs are described in. */
interface Json {
  readonly $ref?: string
  readonly type?: string
  readonly anyOf?: readonly Json[]
  readonly oneOf?: readonly Json[]
  readonly properties?: Readonly<Record<string, Json>>
  readonly items?: Json
  readonly prefixItems?: readonly Json[]
  readonly maximum?: number
  readonly minimum?: number
  readonly $defs?: Readonly<Record<string, Json>>
}

type Path = readonly (string | number)[]

const deepest = 8

/** Where a number may stand in an input. */
function numbersOf(schema: Json, root: Json, path: Path = []): Path[] {
  if (path.length > deepest) return []
  const of = (part: Json, step?: string | number): Path[] =>
    numbersOf(part, root, step === undefined ? path : [...path, step])
  if (schema.$ref !== undefined) return of(root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {})
  if (schema.type === 'integer' || schema.type === 'number') return [path]
  const parts = schema.anyOf ?? schema.oneOf ?? []
  return [
    ...parts.flatMap((part) => of(part)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => of(part, name)),
    ...(schema.items === undefined ? [] : of(schema.items, 0)),
    ...(schema.prefixItems ?? []).flatMap((part, index) => of(part, index)),
  ]
}

/** The input with another value in this place; what leads there is made. */
function withValue(input: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  if (typeof step === 'number') {
    const list: unknown[] = Array.isArray(input) ? [...(input as unknown[])] : []
    list[step] = withValue(list[step], rest, value)
    return list
  }
  const record = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}
  return { ...record, [step]: withValue(record[step], rest, value) }
}

const extremes = [
  0,
  -1,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  8.64e15,
  8.64e15 + 1,
  253_402_300_799_999,
  253_402_300_800_000,
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  1e18,
  1e300,
  0.5,
] as const

const world: World = await createWorld()
const { clients, alpha, server } = world
let root = clients.root

/** Logs in again the people that an attempt has logged out. */
async function statusOf(name: SealedName, input: unknown): Promise<number> {
  const { status } = await root.call(endpointOf(name), input)
  if (status !== 401) return status
  root = await server.login(rootPhone)
  return (await root.call(endpointOf(name), input)).status
}

/** Inputs with an extreme in this place: all that the schema admits, and the first that it refuses, as it refuses all alike. */
function telling(name: SealedName, path: Path) {
  const given = extremes.map((value) => {
    const input = withValue(inputFor(name, alpha, alpha.manager), path, value)
    return { value, input, isAdmitted: z.safeParse(endpointOf(name).input, input).success }
  })
  const refused = given.find(({ isAdmitted }) => !isAdmitted)
  return given.filter((one) => one.isAdmitted || one === refused)
}

describe('numbers beyond what is stored', () => {
  it.each(calls)('are refused by %s and break nothing', async (name) => {
    const schema = z.toJSONSchema(endpointOf(name).input, { io: 'input', unrepresentable: 'any' }) as Json
    const broken: string[] = []
    for (const path of numbersOf(schema, schema)) {
      for (const { value, input } of telling(name, path)) {
        const status = await statusOf(name, input)
        if (status >= 500) broken.push(`${path.join('.')} = ${value}: ${status}`)
      }
    }
    expect(broken).toEqual([])
  })
})

describe('places beyond the world', () => {
  const isPlace = (path: Path): boolean =>
    ['lat', 'lng', 'west', 'east', 'south', 'north'].includes(String(path.at(-1))) || path.includes('ring')

  it.each(calls)('are refused by the schema of %s', (name) => {
    const { input } = endpointOf(name)
    const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Json
    for (const path of numbersOf(schema, schema).filter(isPlace)) {
      const given = withValue(inputFor(name, alpha, alpha.manager), path, 9e15)
      expect(z.safeParse(input, given).success, path.join('.')).toBe(false)
    }
  })
})

describe('the effect of fences', () => {
  const ring = (...corners: [number, number][]) => ({ ring: corners, holes: [] })
  const draft = (shape: unknown) => ({
    areaId: alpha.areaIds[0],
    kind: 'parking',
    drafts: [{ name: 'P', capacity: null, hours: null, lineId: null, shape }],
    days: 7,
  })

  it.each([
    ['that cross themselves', ring([120, 31], [121, 32], [121, 31], [120, 32], [120, 31]), 'boundary_invalid'],
    ['as large as the world', ring([-180, -90], [180, -90], [180, 90], [-180, 90], [-180, -90]), 'boundary_invalid'],
    ['beyond the world', ring([120, 31], [9e15, 31], [9e15, 32], [120, 31]), 'bad_request'],
  ])('is not asked of shapes %s', async (_, shape, code) => {
    const { status, body } = await root.call(endpointOf('fenceEffect'), draft(shape))
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { code } } })
  })
})
