import { boundarySchema, type Boundary } from '@saddle/contract/feeds/mds.ts'
import { mdsPolicyLimits, mdsRuleTypes } from '@saddle/contract/feeds/policy.ts'
import { shapeProblem } from '@saddle/contract/geography/shape.ts'
import { readGeoJson } from '@saddle/geo/features.ts'
import { z } from 'zod'

/** The documents of MDS policy and geography, as the text of the standard has them. */

const nameMax = 200
const descriptionMax = 2_000
const instantMax = 253_402_300_799_999

const idSchema = z.guid().overwrite((text) => text.toLowerCase())
const instantSchema = z.int().min(0).max(instantMax)
const timeSchema = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/, { error: 'expected hh:mm:ss' })
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const unitsOf: Readonly<Record<(typeof mdsRuleTypes)[number], readonly string[]>> = {
  count: ['devices'],
  time: ['seconds', 'minutes', 'hours', 'days'],
  speed: ['mph', 'kph'],
  rate: ['amount', 'seconds', 'minutes', 'hours', 'days', 'devices', 'mph', 'kph'],
  user: [],
}

const ruleSchema = z
  .looseObject({
    name: z.string().min(1).max(nameMax),
    rule_id: idSchema,
    rule_type: z.enum(mdsRuleTypes),
    geographies: z.array(idSchema).min(1),
    states: z.record(z.string(), z.array(z.string())).nullish(),
    rule_units: z.string().nullish(),
    vehicle_types: z.array(z.string()).nullish(),
    propulsion_types: z.array(z.string()).nullish(),
    minimum: z.int().nullish(),
    maximum: z.int().nullish(),
    inclusive_minimum: z.boolean().nullish(),
    inclusive_maximum: z.boolean().nullish(),
    start_time: timeSchema.nullish(),
    end_time: timeSchema.nullish(),
    days: z.array(z.enum(days)).nullish(),
  })
  .check(({ value, issues }) => {
    const { rule_type: type, rule_units: units, minimum, maximum } = value
    const say = (path: string, message: string): void => {
      issues.push({ code: 'custom', path: [path], message, input: value })
    }
    if (type !== 'user' && !unitsOf[type].includes(units ?? ''))
      say('rule_units', `expected one of ${unitsOf[type].join(', ')} for ${type}`)
    if ((minimum ?? 0) < 0) say('minimum', 'expected 0 or more')
    if ((maximum ?? 0) < 0) say('maximum', 'expected 0 or more')
    else if ((minimum ?? 0) > (maximum ?? instantMax)) say('maximum', 'is below minimum')
  })
export type RuleDocument = z.output<typeof ruleSchema>

const policySchema = z
  .looseObject({
    name: z.string().min(1).max(nameMax),
    policy_id: idSchema,
    provider_ids: z.array(idSchema).nullish(),
    description: z.string().max(descriptionMax),
    start_date: instantSchema,
    end_date: instantSchema.nullish(),
    published_date: instantSchema,
    prev_policies: z.array(idSchema).nullish(),
    rules: z.array(ruleSchema).min(1).max(mdsPolicyLimits.rules),
  })
  .check(({ value, issues }) => {
    const { start_date: start, end_date: end } = value
    if (end === null || end === undefined || end > start) return
    issues.push({ code: 'custom', path: ['end_date'], message: 'is not after start_date', input: value })
  })
export type PolicyDocument = z.output<typeof policySchema>

const geographySchema = z.looseObject({
  geography_id: idSchema,
  name: z.string().min(1),
  geography_json: z.looseObject({ type: z.string() }),
  published_date: instantSchema.optional(),
  prev_geographies: z.array(idSchema).nullish(),
})

export interface DocumentFault {
  readonly document: 'policies' | 'geographies'
  /** Where in it. */
  readonly at: string
  readonly text: string
}

export interface Documents {
  readonly policies: readonly PolicyDocument[]
  /** By their ids; null: no polygons that a fence or a count can have. */
  readonly geographies: ReadonlyMap<string, Boundary | null>
}

/** Both documents, or what is wrong with them. */
export function readDocuments(texts: Readonly<Record<DocumentFault['document'], string>>): Documents | DocumentFault[] {
  const faults: DocumentFault[] = []
  const policies = listOf('policies', texts.policies, z.array(policySchema).min(1), faults)
  const found = listOf('geographies', texts.geographies, z.array(geographySchema), faults)
  const geographies = new Map(found.map((one) => [one.geography_id, polygonsOf(one.geography_json)]))
  for (const [index, { geography_id: id }] of found.entries())
    if (found.findIndex((one) => one.geography_id === id) < index)
      faults.push({ document: 'geographies', at: `geographies.${index}.geography_id`, text: `${id} stands twice` })
  for (const [index, policy] of policies.entries()) {
    if (policies.findIndex((one) => one.policy_id === policy.policy_id) < index)
      faults.push({
        document: 'policies',
        at: `policies.${index}.policy_id`,
        text: `${policy.policy_id} stands twice`,
      })
    for (const [place, rule] of policy.rules.entries())
      for (const id of rule.geographies)
        if (!geographies.has(id) && found.length > 0)
          faults.push({
            document: 'policies',
            at: `policies.${index}.rules.${place}.geographies`,
            text: `${id} is not in geographies`,
          })
  }
  return faults.length > 0 ? faults.slice(0, mdsPolicyLimits.faults) : { policies, geographies }
}

/** Faults stand beside the names of the standard: they are in its language. */
const inEnglish = { error: z.locales.en().localeError }

/** The list of a document; it stands in `data`, or beside the version. Empty where the document has faults. */
function listOf<T>(
  document: DocumentFault['document'],
  text: string,
  schema: z.ZodType<T[]>,
  faults: DocumentFault[],
): T[] {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    faults.push({ document, at: '', text: 'is not JSON' })
    return []
  }
  const versioned = z
    .looseObject({ version: z.string().regex(/^2\./, { error: 'expected 2.x' }), data: z.looseObject({}).optional() })
    .safeParse(given, inEnglish)
  if (!versioned.success) {
    faults.push(...faultsOf(document, '', versioned.error))
    return []
  }
  const list = versioned.data.data?.[document] ?? versioned.data[document]
  const parsed = schema.safeParse(list, inEnglish)
  if (parsed.success) return parsed.data
  faults.push(...faultsOf(document, document, parsed.error))
  return []
}

const faultsOf = (document: DocumentFault['document'], within: string, error: z.ZodError): DocumentFault[] =>
  error.issues.map(({ path, message }) => ({
    document,
    at: [...(within === '' ? [] : [within]), ...path.map(String)].join('.'),
    text: message,
  }))

function polygonsOf(given: unknown): Boundary | null {
  const features = readGeoJson(JSON.stringify(given))
  if (typeof features === 'string' || features.length === 0) return null
  const shapes = features.flatMap(({ shape }) => (shape !== null && 'ring' in shape ? [shape] : []))
  if (shapes.length < features.length || shapes.some((shape) => shapeProblem(shape) !== null)) return null
  const parsed = boundarySchema.safeParse(shapes)
  return parsed.success ? parsed.data : null
}
