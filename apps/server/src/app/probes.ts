import { randomBytes } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Registry } from 'prom-client'
import type { Language } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { isSameText } from '#kit/crypto.ts'
import type { Kit } from '#kit/kit.ts'
import type { Lifecycle } from '#kit/lifecycle.ts'
import { trustedHops } from './clientAddress.ts'
import { contentPolicy, safetyHeaders } from './headers.ts'
import { languageOf } from './language.ts'
import { openApiDocument, openApiPage, riderApiDocument } from './openapi.ts'
import { partnerApiDocument } from './partnerDocument.ts'
import { audiences, tryPage } from './tryPage.ts'
import { refuse } from './http.ts'
import { isFromThisMachine, requireSecureTransport } from './transport.ts'

/** Probes are asked without a body. */
const probeBodyBytes = 1_024
const probeTimeoutMs = 10_000

interface ProbeOptions {
  readonly http: FastifyInstance
  readonly kit: Kit
  readonly lifecycle: Lifecycle
  readonly metrics: Registry
  readonly build: string
}

/** What a process that answers no calls listens with: a balancer and Prometheus ask it as they ask the others. */
export function createProbes(options: Omit<ProbeOptions, 'http'>): FastifyInstance {
  const { kit } = options
  const loggerInstance: FastifyBaseLogger = kit.log
  const http: FastifyInstance = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: probeBodyBytes,
    requestTimeout: probeTimeoutMs,
    trustProxy: trustedHops(kit.config.trustProxy) ?? false,
  })
  http.addHook('onRequest', (_request, reply, done) => {
    reply.headers(safetyHeaders)
    done()
  })
  requireSecureTransport(http, kit)
  http.setErrorHandler((error, request, reply) => refuse({ kit, error, request, reply }))
  http.setNotFoundHandler((request, reply) => refuse({ kit, error: new AppError('not_found'), request, reply }))
  registerProbes({ http, ...options })
  return http
}

/** Health, readiness and metrics. */
export function registerProbes({ http, kit, lifecycle, metrics, build }: ProbeOptions): void {
  http.get('/healthz', () => ({ status: 'ok', build }))

  http.get('/readyz', async (_request, reply) => {
    if (lifecycle.isStopping()) return reply.code(503).send({ status: 'stopping' })
    try {
      await kit.db.ping()
      const lag = await kit.db.readLagSeconds()
      // A read database that is behind or away is no reason to take the process out: the primary answers instead.
      if (lag === null) return { status: 'ready' }
      return { status: 'ready', readDatabase: Number.isFinite(lag) ? { lagSeconds: lag } : 'unreachable' }
    } catch {
      return reply.code(503).send({ status: 'database unreachable' })
    }
  })

  http.get('/metrics', async (request, reply) => {
    // Figures tell how large the fleet is: only the machine itself and whoever has the token may read them.
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
  registerTryPages({ http, build })
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

/** The documents of those outside, and pages to try their calls on: they say nothing about an installation. */
function registerTryPages({ http, build }: Pick<ProbeOptions, 'http' | 'build'>): void {
  const riders = perLanguage(() => JSON.stringify(riderApiDocument(build)))
  http.get(audiences.riders.documentPath, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').type('application/json; charset=utf-8').send(riders('en')),
  )
  const documents = { partners: partnerApiDocument, riders: () => riderApiDocument(build) }
  for (const [name, audience] of Object.entries(audiences)) {
    const documentOf = documents[name as keyof typeof audiences]
    const pageIn = perLanguage((language) => tryPage({ document: documentOf(), audience, nonce: noncePlace, language }))
    http.get(`/docs/${name}`, (request, reply) => {
      const nonce = randomBytes(16).toString('base64')
      return reply
        .header('content-security-policy', contentPolicy({ nonce, otherHosts: [], scriptHosts: [] }))
        .type('text/html; charset=utf-8')
        .header('vary', 'Accept-Language')
        .send(pageIn(languageOf(request.headers['accept-language'])).replaceAll(noncePlace, nonce))
    })
  }
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
