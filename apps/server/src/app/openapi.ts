import { isSealed, type Endpoint } from '@saddle/contract/endpoint.ts'
import { everyCall } from '@saddle/contract/endpoints.ts'
import { riderCalls } from '@saddle/contract/riderApi.ts'
import type { Language } from '@saddle/contract/constants.ts'
import { inLanguage } from '#kit/language.ts'
import { exampleOf, schemaOf, type Json } from './documentSchema.ts'
import { refusalSchema } from './refusalSchema.ts'

const appKey = { type: 'apiKey', in: 'header', name: 'X-Api-Key' } as const
const oneRebind = { phone: '13900000001', newPhone: '13900000002' } as const
const tags = {
  rider: "Calls of riders' applications, by the header X-Api-Key. docs/rider-api.md tells how they belong together.",
  user: 'Login: codes and the first steps of a session.',
  platform: 'Calls of the console.',
  finance: 'Calls of the console to the finance host.',
  python: 'Calls of the console to the Python host.',
  map: 'Calls of the console to the map host.',
} as const
type Tag = keyof typeof tags

/**
 * OpenAPI 3.1 of every call, derived from the contract. Of a call that travels in the envelope `requestBody` (or the
 * parameter `params`) is what is sent; what is inside is described in `x-input` and the answer's schema.
 */
export function openApiDocument(build: string, language: Language): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const [name, endpoint] of Object.entries(everyCall)) {
    const methods = (paths[endpoint.path] ??= {})
    methods[endpoint.method.toLowerCase()] = operationOf(name, endpoint, language)
  }
  const used = new Set(Object.values(everyCall).map(tagOf))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Saddle',
      version: build,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Calls that need a session carry a signed token and travel in an encrypted envelope: `x-input` and the ' +
        "answer's schema are what is inside `params`, see docs/wire.md. Riders' applications speak plain JSON.",
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags: [...used].map((name) => ({ name, description: tags[name] })),
    paths,
    components: {
      securitySchemes: {
        callToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT (HS256, per call)' },
        appKey,
      },
      schemas: { Refusal: refusalSchema, Envelope: envelopeSchema },
    },
  }
}

/** The calls of riders' applications alone, with an example of each input and answer. */
export function riderApiDocument(build: string): Json {
  const { info, servers, openapi } = openApiDocument(build, 'en') as Readonly<Record<string, Json>>
  const paths: Record<string, Record<string, Json>> = {}
  for (const [name, endpoint] of Object.entries(everyCall)) {
    if (endpoint.permission !== 'app') continue
    const methods = (paths[endpoint.path] ??= {})
    methods[endpoint.method.toLowerCase()] = withExamples(operationOf(name, endpoint, 'en'), {
      endpoint,
      input: riderInputExample(name, endpoint),
    })
  }
  return {
    openapi,
    info: { ...info, title: "Saddle for riders' applications", description: tags.rider },
    servers,
    tags: [{ name: 'rider', description: tags.rider }],
    paths,
    components: {
      securitySchemes: { appKey },
      schemas: { Refusal: refusalSchema },
    },
  }
}

const withValue = (one: Json, example: unknown): Json => (example === undefined ? one : { ...one, example })

/** What a schema says, but for calls that take one of several groups of fields. */
export const riderInputExample = (name: string, { input }: Endpoint): Json =>
  name === 'askRebind' ? oneRebind : (exampleOf(schemaOf(input)) as Json)

function withExamples(
  operation: Json,
  { endpoint, input }: { readonly endpoint: Endpoint; readonly input: Json },
): Json {
  const { requestBody, parameters, responses, ...rest } = operation
  const withExample = (one: Json, example: unknown): Json => ({
    ...one,
    content: { 'application/json': { ...((one['content'] as Json)['application/json'] as Json), example } },
  })
  const { 200: answer, ...refusals } = responses as Readonly<Record<string, Json>>
  return {
    ...rest,
    parameters: (parameters as readonly Json[]).map((one) => withValue(one, input[String(one['name'])])),
    ...(requestBody !== undefined && { requestBody: withExample(requestBody as Json, input) }),
    responses: { 200: withExample(answer ?? {}, exampleOf(schemaOf(endpoint.output))), ...refusals },
  }
}

const tagOf = (endpoint: Endpoint): Tag => (endpoint.permission === 'app' ? 'rider' : endpoint.host)

function operationOf(name: string, endpoint: Endpoint, language: Language): Json {
  const input = schemaOf(endpoint.input)
  const sealed = isSealed(endpoint)
  const hasBody = endpoint.method === 'POST' || endpoint.method === 'PUT'
  return {
    operationId: name,
    summary: summaryOf(name, endpoint, language),
    tags: [tagOf(endpoint)],
    'x-permission': endpoint.permission,
    'x-scope': endpoint.scope,
    'x-sealed': sealed,
    ...(sealed ? { 'x-input': input } : {}),
    security: sealed ? [{ callToken: [] }] : endpoint.permission === 'app' ? [{ appKey: [] }] : [],
    parameters: [
      ...pathParameters(endpoint.path, input),
      ...(endpoint.idempotency === 'key' ? [idempotencyParameter] : []),
      ...(hasBody ? [] : sealed ? [envelopeParameter] : queryOf(endpoint.path, input)),
    ],
    ...(hasBody && {
      requestBody: { required: true, content: jsonContent(sealed ? reference('Envelope') : input) },
    }),
    responses: {
      200: {
        description: sealed ? 'The answer; its schema is what is inside params' : 'The answer',
        content: jsonContent(schemaOf(endpoint.output)),
      },
      '4XX': { description: 'Refused: the error names the reason', content: jsonContent(reference('Refusal')) },
      '5XX': { description: 'Failed: the same call may be tried again', content: jsonContent(reference('Refusal')) },
    },
  }
}

function summaryOf(name: string, endpoint: Endpoint, language: Language): string {
  const english: Readonly<Record<string, string>> = riderCalls
  return language === 'en' ? (english[name] ?? inLanguage(language, endpoint.summary)) : endpoint.summary
}

const reference = (name: 'Refusal' | 'Envelope'): Json => ({ $ref: `#/components/schemas/${name}` })
const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const propertiesOf = ({ properties }: Json): Json => (properties ?? {}) as Json

function pathParameters(path: string, input: Json): Json[] {
  const properties = propertiesOf(input)
  return namesIn(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: properties[name] ?? { type: 'string' },
  }))
}

/** What a call without an envelope carries in its address. */
function queryOf(path: string, input: Json): Json[] {
  const needed = new Set(Array.isArray(input['required']) ? input['required'] : [])
  const inPath = new Set(namesIn(path))
  return Object.entries(propertiesOf(input))
    .filter(([name]) => !inPath.has(name))
    .map(([name, schema]) => ({ name, in: 'query', required: needed.has(name), schema }))
}

const idempotencyParameter = { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } }
const envelopeParameter = {
  name: 'params',
  in: 'query',
  required: false,
  description: 'The sealed input (docs/wire.md); absent when the call has none',
  schema: { type: 'string' },
}
const envelopeSchema = {
  type: 'object',
  required: ['params'],
  properties: { params: { type: 'string', description: 'base64url(nonce, ciphertext, tag), see docs/wire.md' } },
}
const jsonContent = (schema: Json): Json => ({ 'application/json': { schema } })

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character)

/** A page without scripts that lists the calls. */
export function openApiPage(nonce: string, language: Language): string {
  const rows = Object.entries(everyCall).map(([name, row]) => {
    const permission = typeof row.permission === 'string' ? row.permission : row.permission.join(' | ')
    const schemas = { input: schemaOf(row.input), output: schemaOf(row.output) }
    return `<details id="${name}"><summary><b>${row.method}</b> <code>${escape(row.path)}</code>
<span>${escape(permission)} · ${row.scope}${row.idempotency === 'key' ? ' · Idempotency-Key' : ''}</span>
<p>${escape(summaryOf(name, row, language))}</p></summary><pre>${escape(JSON.stringify(schemas, null, 2))}</pre></details>`
  })
  return `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${headingIn(language)}</title><style nonce="${nonce}">
body{font:14px/1.6 system-ui,sans-serif;max-width:960px;margin:2rem auto;padding:0 1rem;color:#1f2329}
summary{cursor:pointer;padding:.5rem 0;border-top:1px solid #e5e6eb}summary span{color:#5c6370;margin-left:.5rem}
summary p{margin:0;color:#3d434d}b{display:inline-block;width:4.5em;color:#0958d9}pre{overflow:auto;background:#f5f6f7;padding:1rem}
</style><h1>${headingIn(language)}</h1><p>${introIn(language, rows.length)}<a href="/openapi.json">/openapi.json</a></p>
<p>${tryIn(language)} <a href="/docs/partners">/docs/partners</a> <a href="/docs/riders">/docs/riders</a></p>
${rows.join('\n')}</html>`
}

const headingIn = (language: Language): string => (language === 'zh' ? 'Saddle 接口' : 'The calls of Saddle')
const tryIn = (language: Language): string =>
  language === 'zh'
    ? '在页面上试用合作方与用户端应用的接口：'
    : "Try the calls of partners and of riders' applications:"
const introIn = (language: Language, count: number): string =>
  language === 'zh'
    ? `${count} 个接口，由同一份契约生成。机器可读：`
    : `${count} calls, generated from the contract; those of riders' applications are described in English. For programs: `
