import { randomUUID } from 'node:crypto'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import fastifyCookie from '@fastify/cookie'
import { z } from 'zod'
import { assertEndpoints, isSealed, type Endpoint } from '@saddle/contract/endpoint.ts'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { openEnvelope, sealEnvelope, type EnvelopeBinding } from '@saddle/contract/wire/envelope.ts'
import type { Call, Handlers, SessionCall } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { nodeWireCrypto } from '#kit/wireCrypto.ts'
import { callOf } from './callContext.ts'
import { trustedHops } from './clientAddress.ts'
import { checkFinanceHeaders, type Guards } from './guards.ts'
import { safetyHeaders } from './headers.ts'
import { once } from './idempotency.ts'
import { asAppError, inputError, refusalBody } from './refusal.ts'
import { requireSecureTransport } from './transport.ts'

const bodyLimitBytes = 5_000_000

export type AllHandlers = Handlers<typeof endpoints>
/** A handler with its types taken off: the table below has checked them. */
type AnyHandler = (input: unknown, call: Call) => Promise<unknown>

export interface HttpOptions {
  readonly kit: Kit
  readonly guards: Guards
  readonly handlers: AllHandlers
  /** Called for each refused call, after the answer is decided. */
  readonly onRefusal: (refusal: {
    error: AppError
    call: Call
    endpoint: Endpoint
    caller: SessionCall['caller'] | null
  }) => void
  /** False when one address has made too many public calls. */
  readonly isPublicCallAllowed: (address: string) => boolean
  /** Hears of every call that was answered. */
  readonly onAnswered: (answered: {
    readonly name: string
    readonly status: number
    readonly durationMs: number
  }) => void
}

/** The HTTP server with every call of the contract behind its guards. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { kit, handlers } = options
  assertEndpoints(Object.values(endpoints))
  const loggerInstance: FastifyBaseLogger = kit.log
  const http: FastifyInstance = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs more than the whole check of its token; the request's id is named where it matters.
    childLoggerFactory: (logger) => logger,
    bodyLimit: bodyLimitBytes,
    trustProxy: trustedHops(kit.config.trustProxy) ?? false,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 200 },
  })
  await http.register(fastifyCookie)
  http.addHook('onRequest', (_request, reply, done) => {
    reply.headers(safetyHeaders)
    done()
  })
  requireSecureTransport(http, kit)
  http.setErrorHandler((error, request, reply) => refuse({ kit, error, request, reply }))
  http.setNotFoundHandler((request, reply) => refuse({ kit, error: new AppError('not_found'), request, reply }))
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const handler = Reflect.get(handlers, name) as AnyHandler | undefined
    if (handler === undefined) throw new Error(`No handler for ${name}`)
    registerEndpoint({ http, options, name, endpoint, handler })
  }
  return http
}

interface EndpointRegistration {
  readonly http: FastifyInstance
  readonly options: HttpOptions
  readonly name: string
  readonly endpoint: Endpoint
  readonly handler: AnyHandler
}

function registerEndpoint(registration: EndpointRegistration): void {
  const { http, name, endpoint } = registration
  const run = isSealed(endpoint) ? sealedCall(registration) : plainCall(registration)
  http.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return await run(request, reply)
    },
    onResponse: (_request, reply, done) => {
      registration.options.onAnswered({ name, status: reply.statusCode, durationMs: reply.elapsedTime })
      done()
    },
  })
}

type Run = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Calls before there is a key: input and answer are plain. */
function plainCall({ options, endpoint, handler }: EndpointRegistration): Run {
  return async (request, reply) => {
    const call = callOf(request, reply)
    try {
      const guarded = await guardPlain({ options, endpoint, call, key: headerOf(request, 'x-api-key') })
      const given = endpoint.method === 'GET' ? request.query : request.body
      const input = parseInput(endpoint, given, request.params)
      return z.parse(endpoint.output, await handler(input, guarded))
    } catch (error) {
      options.onRefusal({ error: asAppError(error), call, endpoint, caller: null })
      throw error
    }
  }
}

interface PlainGuard {
  readonly options: HttpOptions
  readonly endpoint: Endpoint
  readonly call: Call
  /** Of a riders' application. */
  readonly key: string | undefined
}

/** An application with its key speaks for many riders; whoever only guesses keys is held to what everybody may. */
async function guardPlain({ options, endpoint, call, key }: PlainGuard): Promise<Call> {
  const { guards } = options
  const limit = (): void => {
    if (!options.isPublicCallAllowed(call.address)) throw new AppError('too_many_requests')
  }
  if (endpoint.permission === 'app') {
    try {
      return await guards.appCall(call, key)
    } catch (error) {
      limit()
      throw error
    }
  }
  limit()
  if (endpoint.permission === 'presession') return guards.presessionCall(call)
  return endpoint.permission === 'cookie' ? guards.cookieCall(call) : call
}

/** Calls of a session: signed token, encrypted input and answer. */
function sealedCall({ options, name, endpoint, handler }: EndpointRegistration): Run {
  const { kit, guards } = options
  return async (request, reply) => {
    const call = callOf(request, reply)
    let caller: SessionCall['caller'] | null = null
    try {
      const path = pathOf(request)
      const params = paramsOf(endpoint, request)
      const use = {
        token: bearerOf(request),
        method: endpoint.method,
        path,
        params,
        isWriting: endpoint.method !== 'GET',
      }
      const {
        encryptionKey: key,
        token,
        call: sessionCall,
      } = await guards.sessionCall(endpoint, use, call, (known) => {
        caller = known
      })
      if (endpoint.host === 'finance') checkFinanceHeaders(request, sessionCall)
      const binding = { method: endpoint.method, path, callId: token.jti } as const
      const given =
        params === undefined ? {} : openEnvelope(nodeWireCrypto, key, { ...binding, direction: 'request' }, params)
      const input = parseInput(endpoint, given, request.params)
      const runHandler = (): Promise<unknown> => handler(input, sessionCall)
      const answer =
        endpoint.idempotency === 'key'
          ? await once({
              db: kit.db,
              clock: kit.clock,
              call: sessionCall,
              endpoint: name,
              key: headerOf(request, 'idempotency-key'),
              input,
              run: runHandler,
            })
          : await runHandler()
      return sealAnswer({
        reply,
        key,
        binding: { ...binding, direction: 'answer' },
        answer: z.parse(endpoint.output, answer),
      })
    } catch (error) {
      options.onRefusal({ error: asAppError(error), call, endpoint, caller })
      throw error
    }
  }
}

interface AnswerOptions {
  readonly reply: FastifyReply
  readonly key: Uint8Array
  readonly binding: EnvelopeBinding
  readonly answer: unknown
}

function sealAnswer({ reply, key, binding, answer }: AnswerOptions): string {
  reply.header('content-type', 'application/json; charset=utf-8')
  // Base64url needs no escaping, so the answer is written by hand.
  return `{"params":"${sealEnvelope(nodeWireCrypto, key, binding, answer)}"}`
}

function parseInput(endpoint: Endpoint, given: unknown, pathParts: unknown): unknown {
  // PostgreSQL holds no NUL, so no text of ours does.
  if (JSON.stringify(given)?.includes('\\u0000')) throw new AppError('bad_request', { values: { detail: 'NUL' } })
  const whole = endpoint.path.includes('{') ? { ...asObject(given), ...asObject(pathParts) } : (given ?? {})
  const parsed = z.safeParse(endpoint.input, whole)
  if (!parsed.success) throw inputError(parsed.error)
  return parsed.data
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

function pathOf(request: FastifyRequest): string {
  const mark = request.url.indexOf('?')
  return mark === -1 ? request.url : request.url.slice(0, mark)
}

function bearerOf(request: FastifyRequest): string {
  const header = request.headers.authorization ?? ''
  if (!header.startsWith('Bearer ')) throw new AppError('unauthorized')
  return header.slice('Bearer '.length)
}

function paramsOf(endpoint: Endpoint, request: FastifyRequest): string | undefined {
  const holder = endpoint.method === 'GET' || endpoint.method === 'DELETE' ? request.query : request.body
  const { params } = asObject(holder) as { params?: unknown }
  if (params === undefined) return undefined
  if (typeof params !== 'string') throw new AppError('bad_request', { values: { detail: 'params' } })
  return params
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

interface RefuseOptions {
  readonly kit: Kit
  readonly error: unknown
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

function refuse({ kit, error, request, reply }: RefuseOptions): FastifyReply {
  const refusal = asAppError(error)
  if (refusal.status >= 500) kit.log.error({ err: error, requestId: request.id, url: request.url }, 'call failed')
  return reply.code(refusal.status).type('application/json; charset=utf-8').send(refusalBody(refusal, kit.clock.now()))
}
