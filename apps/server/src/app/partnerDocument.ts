import { partnerCalls, partnerPath, type PartnerCall } from '@saddle/contract/partners/api.ts'
import { webhookEvents, webhookMessageSchema, type WebhookEvent } from '@saddle/contract/partners/webhookEvents.ts'
import { z } from 'zod'
import type { Json } from './documentSchema.ts'
import { refusalSchema } from './refusalSchema.ts'

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
    tags: [
      { name: 'partner', description: 'Rows of the company of the key.' },
      { name: 'webhooks', description: 'What the address of a partner is told.' },
    ],
    paths: Object.fromEntries(
      Object.entries<PartnerCall>(partnerCalls).map(([name, call]) => [call.path, { get: operationOf(name, call) }]),
    ),
    webhooks: Object.fromEntries(
      Object.entries<WebhookEvent>(webhookEvents).map(([name, event]) => [name, { post: messageOf(name, event) }]),
    ),
    components: {
      securitySchemes: { partnerKey: { type: 'http', scheme: 'bearer', description: `A key for ${partnerPath}` } },
      schemas: { Refusal: refusalSchema },
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

/** What a webhook is told of an event, and what it answers. */
function messageOf(name: string, { about, data, example }: WebhookEvent): Json {
  const header = (called: string, description: string): Json => ({
    name: called,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })
  const id = String(example['id'])
  return {
    operationId: `webhook_${name}`,
    summary: about,
    description:
      'A message may come more than once, with the same `id`; what is told of one `subject` arrives in order. Anything but 2xx ' +
      'within 10 seconds is tried again for 24 hours.',
    tags: ['webhooks'],
    security: [],
    parameters: [
      header('Saddle-Signature', '`t=<seconds>,v1=<hex of HMAC-SHA256 by the signing key over "<seconds>.<body>">`'),
      header('Saddle-Delivery', 'The `id` of the message'),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemaOf(webhookMessageSchema(data), 'output'),
          example: { id: '1001', event: name, subject: `${name} ${id}`, at: Date.UTC(2026, 0, 15, 4), data: example },
        },
      },
    },
    responses: {
      '2XX': { description: 'Taken' },
      default: { description: 'Tried again' },
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
