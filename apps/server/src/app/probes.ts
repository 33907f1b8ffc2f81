import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { AppError } from '@saddle/contract/errors.ts'
import type { Kit } from '#kit/kit.ts'
import type { Lifecycle } from '#kit/lifecycle.ts'
import { contentPolicy, isLoopbackAddress } from './headers.ts'
import { openApiDocument, openApiPage } from './openapi.ts'

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
    // Figures tell a stranger how large the fleet is: only the machine itself and its scraper may read them.
    if (!isLoopbackAddress(request.ip)) throw new AppError('not_found')
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })

  const document = JSON.stringify(openApiDocument(build))
  http.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(document))
  http.get('/docs', (_request, reply) => {
    const nonce = randomBytes(16).toString('base64')
    return reply
      .header('content-security-policy', contentPolicy({ nonce, otherHosts: [], scriptHosts: [] }))
      .type('text/html; charset=utf-8')
      .send(openApiPage(nonce))
  })
}
