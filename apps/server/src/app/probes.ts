import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Language } from '@saddle/contract/constants.ts'
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

/** Health, readiness and metrics. */
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
}

/** The description of the calls. */
export function registerDocs({ http, kit, build }: Pick<ProbeOptions, 'http' | 'kit' | 'build'>): void {
  const documentIn = perLanguage((language) => JSON.stringify(openApiDocument(build, language)))
  const pageIn = perLanguage((language) => openApiPage(noncePlace, language))
  const mayReadDocs = (request: FastifyRequest): boolean => kit.config.publicDocs || isFromThisMachine(request.raw)
  http.get('/openapi.json', (request, reply) => {
    if (!mayReadDocs(request)) throw new AppError('not_found')
    const language = languageOf(request.headers['accept-language'])
    return reply.header('vary', 'Accept-Language').type('application/json; charset=utf-8').send(documentIn(language))
  })
  http.get('/docs', (request, reply) => {
    if (!mayReadDocs(request)) throw new AppError('not_found')
    const nonce = randomBytes(16).toString('base64')
    return reply
      .header('content-security-policy', contentPolicy({ nonce, otherHosts: [], scriptHosts: [] }))
      .type('text/html; charset=utf-8')
      .header('vary', 'Accept-Language')
      .send(pageIn(languageOf(request.headers['accept-language'])).replaceAll(noncePlace, nonce))
  })
}

/** Stands in the page of the calls where each answer has a nonce of its own. */
const noncePlace = '__NONCE__'

/** Describing every call takes a tenth of a second: it is done when somebody asks for the first time, and kept. */
function perLanguage(make: (language: Language) => string): (language: Language) => string {
  const made = new Map<Language, string>()
  return (language) => {
    const known = made.get(language) ?? make(language)
    made.set(language, known)
    return known
  }
}

function hasToken({ headers }: FastifyRequest, token: string | undefined): boolean {
  return token !== undefined && isSameText(headers.authorization ?? '', `Bearer ${token}`)
}
