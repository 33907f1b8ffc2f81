import { z } from 'zod'
import { isSealed, type Endpoint } from '@saddle/contract/endpoint.ts'
import { endpoints } from '@saddle/contract/endpoints.ts'

type Json = Readonly<Record<string, unknown>>

/** OpenAPI 3.1 of every call, derived from the contract; what is inside the envelope is described, not the envelope. */
export function openApiDocument(build: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const methods = (paths[endpoint.path] ??= {})
    methods[endpoint.method.toLowerCase()] = operationOf(name, endpoint)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Saddle',
      version: build,
      description:
        'Calls that need a session carry a signed token and travel in an encrypted envelope: ' +
        'the schemas below are what is inside `params`, see docs/wire.md.',
    },
    paths,
    components: {
      securitySchemes: {
        callToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT (HS256, per call)' },
        appKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      },
    },
  }
}

function operationOf(name: string, endpoint: Endpoint): Json {
  const input = schemaOf(endpoint.input, 'input')
  const sealed = isSealed(endpoint)
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [endpoint.permission === 'app' ? 'rider' : endpoint.host],
    'x-permission': endpoint.permission,
    'x-scope': endpoint.scope,
    'x-sealed': sealed,
    ...(sealed ? { security: [{ callToken: [] }] } : {}),
    ...(endpoint.permission === 'app' ? { security: [{ appKey: [] }] } : {}),
    parameters: [
      ...(endpoint.idempotency === 'key' ? [idempotencyParameter] : []),
      ...(endpoint.method === 'GET' && !sealed ? queryOf(input) : []),
    ],
    ...(endpoint.method === 'GET' ? { 'x-input': input } : { requestBody: { content: jsonContent(input) } }),
    responses: {
      200: { description: '成功', content: jsonContent(schemaOf(endpoint.output, 'output')) },
      default: { description: '拒绝', content: jsonContent(refusalSchema) },
    },
  }
}

/** What a call without an envelope carries in its address. */
function queryOf({ properties, required }: Json): Json[] {
  const needed = new Set(Array.isArray(required) ? required : [])
  return Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: needed.has(name),
    schema,
  }))
}

const idempotencyParameter = { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } }
const refusalSchema = {
  type: 'object',
  required: ['suc', 'error'],
  properties: {
    suc: { const: false },
    error: { type: 'object', properties: { code: { type: 'string' }, promot: { type: 'string' } } },
  },
}

const jsonContent = (schema: Json): Json => ({ 'application/json': { schema } })

function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  // An answer is described as the handler writes it, which for our schemas is its input side.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: io === 'output' ? 'input' : io, unrepresentable: 'any' })
  return rest
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character)

/** A page without scripts that lists the calls. */
export function openApiPage(nonce: string): string {
  const rows = Object.entries(endpoints).map(([name, endpoint]) => {
    const row: Endpoint = endpoint
    const permission = typeof row.permission === 'string' ? row.permission : row.permission.join(' | ')
    const schemas = { input: schemaOf(row.input, 'input'), output: schemaOf(row.output, 'output') }
    return `<details id="${name}"><summary><b>${row.method}</b> <code>${escape(row.path)}</code>
<span>${escape(permission)} · ${row.scope}${row.idempotency === 'key' ? ' · Idempotency-Key' : ''}</span>
<p>${escape(row.summary)}</p></summary><pre>${escape(JSON.stringify(schemas, null, 2))}</pre></details>`
  })
  return `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Saddle 接口</title><style nonce="${nonce}">
body{font:14px/1.6 system-ui,sans-serif;max-width:960px;margin:2rem auto;padding:0 1rem;color:#1f2329}
summary{cursor:pointer;padding:.5rem 0;border-top:1px solid #e5e6eb}summary span{color:#5c6370;margin-left:.5rem}
summary p{margin:0;color:#3d434d}b{display:inline-block;width:4.5em;color:#0958d9}pre{overflow:auto;background:#f5f6f7;padding:1rem}
</style><h1>接口</h1><p>${rows.length} 个接口，由同一份契约生成。机器可读：<a href="/openapi.json">/openapi.json</a></p>
${rows.join('\n')}</html>`
}
