import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { AppError } from '@saddle/contract/errors.ts'
import { isSameText } from '#kit/crypto.ts'
import type { Kit } from '#kit/kit.ts'
import type { Lifecycle } from '#kit/lifecycle.ts'
import { contentPolicy } from './headers.ts'
import { languageOf } from './language.ts'
import { openApiDocument, openApiPage } from './openapi.ts'
import { isFromThisMachine } from './transport.ts'

interface ProbeOptions {
  readonly http: FastifyInstance
  readonly kit: Kit
  readonly lifecycle: Lifecycle
  readonly metrics: Registry
  readonly build: string
}

/** Health, readiness, metrics and the description of the calls. */
export function registerProbes({ http, kit, lifecycle, metrics, build }: ProbeOptions): void {
  http.get('/healthz', () => ({ status: 'ok', build }))

  http.get('/readyz', async (_request, reply) => {
    if (lifecycle.isStopping()) return reply.code(503).send({ status: 'stopping' })
    try {
      await kit.db.ping()
      return { status: 'ready' }
    } catch {
      return reply.code(503).send({ status: 'database unreachable' })
    }
  })

  http.get('/metrics', async (request, reply) => {
    // Figures tell a stranger how large the fleet is: only the machine itself and whoever has the token may read them.
    if (!isFromThisMachine(request.raw) && !hasToken(request, kit.config.metricsToken)) throw new AppError('not_found')
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })

  const documents = {
    zh: JSON.stringify(openApiDocument(build, 'zh')),
    en: JSON.stringify(openApiDocument(build, 'en')),
  }
  const mayReadDocs = (request: FastifyRequest): boolean => kit.config.publicDocs || isFromThisMachine(request.raw)
  http.get('/openapi.json', (request, reply) => {
    if (!mayReadDocs(request)) throw new AppError('not_found')
    const language = languageOf(request.headers['accept-language'])
    return reply.header('vary', 'Accept-Language').type('application/json; charset=utf-8').send(documents[language])
  })
  http.get('/docs', (request, reply) => {
    if (!mayReadDocs(request)) throw new AppError('not_found')
    const nonce = randomBytes(16).toString('base64')
    return reply
      .header('content-security-policy', contentPolicy({ nonce, otherHosts: [], scriptHosts: [] }))
      .type('text/html; charset=utf-8')
      .header('vary', 'Accept-Language')
      .send(openApiPage(nonce, languageOf(request.headers['accept-language'])))
  })
}

function hasToken({ headers }: FastifyRequest, token: string | undefined): boolean {
  return token !== undefined && isSameText(headers.authorization ?? '', `Bearer ${token}`)
}
