import { errorCatalogue } from '@saddle/contract/errors.ts'
import { partnerCalls, partnerPath, type PartnerCall } from '@saddle/contract/partners/api.ts'
import { z } from 'zod'

type Json = Readonly<Record<string, unknown>>

/** OpenAPI 3.1 of the calls of partners, with an example of each answer. */
export function partnerApiDocument(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: "Saddle for partners' programs",
      version: '1.0.0',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Plain JSON over https. The key of a company stands in `Authorization: Bearer saddle_pk_…`. Instants are milliseconds ' +
        'since 1970 (UTC), money is integer cents, positions are WGS-84. Lists go on with `cursor` = `next` until `next` is null.',
    },
    servers: [{ url: '/', description: 'This installation' }],
    security: [{ partnerKey: [] }],
    tags: [{ name: 'partner', description: 'Rows of the company of the key.' }],
    paths: Object.fromEntries(
      Object.entries<PartnerCall>(partnerCalls).map(([name, call]) => [call.path, { get: operationOf(name, call) }]),
    ),
    components: {
      securitySchemes: { partnerKey: { type: 'http', scheme: 'bearer', description: `A key for ${partnerPath}` } },
      schemas: { Refusal: refusal },
    },
  }
}

function operationOf(name: string, { summary, scope, input, output, example }: PartnerCall): Json {
  const refused = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } }
  return {
    operationId: name,
    summary,
    description: `Needs the scope \`${scope}\`.`,
    tags: ['partner'],
    parameters: parametersOf(input),
    responses: {
      200: {
        description: 'One page',
        content: { 'application/json': { schema: schemaOf(output, 'output'), example } },
      },
      '4XX': { description: 'Refused: the error names the reason', content: refused },
      '5XX': { description: 'Failed: the same call may be tried again', content: refused },
    },
  }
}

function parametersOf(input: z.ZodObject): Json[] {
  const schema = schemaOf(input, 'input')
  const needed = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const properties = (schema['properties'] ?? {}) as Json
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: 'query',
    required: needed.has(name),
    schema: one,
  }))
}

function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

const refusal = {
  type: 'object',
  required: ['suc', 'error'],
  properties: {
    suc: { const: false },
    error: {
      type: 'object',
      required: ['code', 'promot'],
      properties: { code: { enum: Object.keys(errorCatalogue) }, promot: { type: 'string' } },
    },
  },
}
