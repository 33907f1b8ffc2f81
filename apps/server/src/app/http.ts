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
import type { Language } from '@saddle/contract/constants.ts'
import { assertEndpoints, bodyLimits, isSealed, loadOf, type Endpoint } from '@saddle/contract/endpoint.ts'
import { everyCall, type AllCalls } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { riderApiPath } from '@saddle/contract/riderApi.ts'
import { openEnvelope, sealEnvelope, type EnvelopeBinding } from '@saddle/contract/wire/envelope.ts'
import type { Call, Handlers, SessionCall } from '#kit/call.ts'
import { withinCall, type RunningCall } from '#kit/runningCall.ts'
import type { Kit } from '#kit/kit.ts'
import { nodeWireCrypto } from '#kit/wireCrypto.ts'
import type { Admission } from './admission.ts'
import { callOf } from './callContext.ts'
import { trustedHops } from './clientAddress.ts'
import { boundConnections } from './connections.ts'
import { allowConsoles } from './crossOrigin.ts'
import { checkFinanceHeaders, traceOf, type CheckedToken, type Guards } from './guards.ts'
import { safetyHeaders } from './headers.ts'
import { once } from './idempotency.ts'
import { faultsIn, languageOf } from './language.ts'
import { asAppError, inputError, refusalBody } from './refusal.ts'
import { requireSecureTransport } from './transport.ts'
import { checkFilterAreas } from './scope.ts'

/** Time limits for the whole request and for its headers. */
const requestTimeoutMs = 30_000
const headersTimeoutMs = 15_000
/** A line on which nothing moves, in neither direction. */
const silentLineMs = 120_000

export type AllHandlers = Handlers<AllCalls>
/** A handler with its types taken off: the table below has checked them. */
type AnyHandler = (input: unknown, call: Call) => Promise<unknown>

export interface HttpOptions {
  readonly kit: Kit
  readonly guards: Guards
  readonly handlers: AllHandlers
  readonly admission: Admission
  /** Whether this process answers the call; another one is refused. */
  readonly isServed: (endpoint: Endpoint) => boolean
  /** Called for each refused call, after the answer is decided. */
  readonly onRefusal: (refusal: {
    error: AppError
    call: Call
    endpoint: Endpoint
    caller: SessionCall['caller'] | null
  }) => void
  /** False when one address has made too many public calls. */
  readonly isPublicCallAllowed: (address: string) => boolean
  /** Hears of every answered call to the map service, by the caller's company. */
  readonly onMapCall: (agentId: number) => void
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
  assertEndpoints(Object.values(everyCall))
  const loggerInstance: FastifyBaseLogger = kit.log
  const http: FastifyInstance = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs more than the whole check of its token; the request's id is named where it matters.
    childLoggerFactory: (logger) => logger,
    bodyLimit: bodyLimits.ordinary,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: silentLineMs,
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 5_000 },
    trustProxy: trustedHops(kit.config.trustProxy) ?? false,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 200 },
  })
  boundConnections(http.server, kit.config)
  await http.register(fastifyCookie)
  http.addHook('onRequest', (_request, reply, done) => {
    reply.headers(safetyHeaders)
    done()
  })
  allowConsoles(http, kit.config.consoleOrigins)
  requireSecureTransport(http, kit)
  http.setErrorHandler((error, request, reply) => refuse({ kit, error, request, reply }))
  http.setNotFoundHandler((request, reply) => refuse({ kit, error: new AppError('not_found'), request, reply }))
  for (const [name, endpoint] of Object.entries(everyCall)) {
    const handler = Reflect.get(handlers, name) as AnyHandler | undefined
    if (handler === undefined) throw new Error(`No handler for ${name}`)
    if (options.isServed(endpoint)) registerEndpoint({ http, options, name, endpoint, handler })
    else refuseEndpoint(http, endpoint)
  }
  return http
}

/** Of `/a/{id}` as the router writes it. */
const routeOf = ({ path }: Endpoint): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** A call that another host answers: the caller learns that its address is wrong, and nothing of its body is read. */
function refuseEndpoint(http: FastifyInstance, endpoint: Endpoint): void {
  http.route({
    method: endpoint.method,
    url: routeOf(endpoint),
    exposeHeadRoute: false,
    onRequest: (_request, _reply, done) => done(new AppError('not_served_here')),
    handler: () => {},
  })
}

interface EndpointRegistration {
  readonly http: FastifyInstance
  readonly options: HttpOptions
  readonly name: string
  readonly endpoint: Endpoint
  readonly handler: AnyHandler
}

/** A call in two steps: `enter` sees headers only, `run` the body too. No body is read of a caller who is not let in. */
interface Way<S> {
  enter(request: FastifyRequest, reply: FastifyReply): Promise<S>
  run(request: FastifyRequest, reply: FastifyReply, entered: S): Promise<unknown>
}

function registerEndpoint(registration: EndpointRegistration): void {
  if (isSealed(registration.endpoint)) registerWay(registration, sealedWay(registration))
  else registerWay(registration, plainWay(registration))
}

function registerWay<S extends Entered>({ http, options, name, endpoint }: EndpointRegistration, way: Way<S>): void {
  const entered = new WeakMap<FastifyRequest, S>()
  const load = loadOf(endpoint)
  const isFinance = endpoint.host === 'finance'
  const note = (error: unknown, known: Entered): void =>
    options.onRefusal({ error: asAppError(error), call: known.call, endpoint, caller: known.caller })
  http.route({
    method: endpoint.method,
    url: routeOf(endpoint),
    bodyLimit: endpoint.bodyLimitBytes ?? bodyLimits.ordinary,
    // A token is for its method, and nobody asks for the head of a call.
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      // Also where the call is refused: whoever asks about it names its trace.
      const trace = isFinance ? traceOf(request) : null
      if (trace !== null) reply.header('traceid', trace)
      options.admission.check(load)
      try {
        entered.set(request, await way.enter(request, reply))
      } catch (error) {
        note(error, { call: callOf(request, reply, options.kit.config.cookieDomain), caller: null })
        throw error
      }
    },
    handler: async (request, reply) => {
      const known = entered.get(request)
      if (known === undefined) throw new Error('a call that has not entered')
      const leave = await options.admission.enter({ load, person: known.caller?.operatorId ?? null })
      try {
        return await way.run(request, reply, known)
      } catch (error) {
        note(error, known)
        throw error
      } finally {
        leave()
      }
    },
    onResponse: (request, reply, done) => {
      const { statusCode: status, elapsedTime: durationMs } = reply
      options.onAnswered({ name, status, durationMs })
      if (isFinance) {
        const traceId = traceOf(request)
        options.kit.log.info({ traceId, requestId: request.id, call: name, status, durationMs }, 'finance call')
      }
      done()
    },
  })
}

interface Entered {
  readonly call: Call
  readonly caller: SessionCall['caller'] | null
}

/** Calls before there is a key: input and answer are plain. */
function plainWay({ options, endpoint, handler }: EndpointRegistration): Way<Entered> {
  return {
    enter: async (request, reply) => {
      const key = headerOf(request, 'x-api-key')
      return {
        call: await guardPlain({
          options,
          endpoint,
          call: callOf(request, reply, options.kit.config.cookieDomain),
          key,
        }),
        caller: null,
      }
    },
    run: async (request, _reply, { call }) => {
      const given = endpoint.method === 'GET' ? request.query : request.body
      return z.parse(endpoint.output, await handler(inputOf(endpoint, given, request), call))
    },
  }
}

interface PlainGuard {
  readonly options: HttpOptions
  readonly endpoint: Endpoint
  readonly call: Call
  /** Of a riders' application. */
  readonly key: string | undefined
}

/** An application with a key acts for many riders; a caller that guesses keys gets the public limits. */
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

interface EnteredSession extends Entered {
  readonly checked: CheckedToken
  readonly path: string
}

/** Calls of a session: signed token, encrypted input and answer. */
function sealedWay({ options, name, endpoint, handler }: EndpointRegistration): Way<EnteredSession> {
  const { kit, guards } = options
  return {
    enter: async (request, reply) => {
      const call = callOf(request, reply, options.kit.config.cookieDomain)
      const path = pathOf(request)
      const checked = await guards.checkToken({ token: bearerOf(request), method: endpoint.method, path }, call)
      return { call, caller: checked.session.caller, checked, path }
    },
    run: async (request, reply, { call, checked, path }) => {
      const params = paramsOf(endpoint, request)
      const idempotencyKey = endpoint.idempotency === 'key' ? headerOf(request, 'idempotency-key') : undefined
      const sealed = await guards.sessionCall(endpoint, checked, { params, idempotencyKey }, call)
      const { encryptionKey: key, token, call: sessionCall } = sealed
      if (endpoint.host === 'finance') checkFinanceHeaders(request, sessionCall)
      const binding = { method: endpoint.method, path, callId: token.jti } as const
      const given =
        params === undefined ? {} : openEnvelope(nodeWireCrypto, key, { ...binding, direction: 'request' }, params)
      const input = inputOf(endpoint, given, request)
      checkFilterAreas(input, sessionCall.grant)
      const running = { name, writes: endpoint.writes }
      const runHandler = (): Promise<unknown> => withinCall(running, () => handler(input, sessionCall))
      const runKeyed = (beforeCommit: RunningCall['beforeCommit']): Promise<unknown> =>
        withinCall({ ...running, beforeCommit }, () => handler(input, sessionCall))
      const { db } = kit
      const answer =
        endpoint.idempotency === 'key'
          ? await once({ db, call: sessionCall, endpoint: name, key: idempotencyKey, input, run: runKeyed })
          : await (endpoint.load === 'file' ? db.apart(runHandler) : runHandler())
      if (endpoint.host === 'map') options.onMapCall(sessionCall.caller.agentId)
      return sealAnswer({
        reply,
        key,
        binding: { ...binding, direction: 'answer' },
        answer: z.parse(endpoint.output, answer),
      })
    },
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

function inputOf(endpoint: Endpoint, given: unknown, request: FastifyRequest): unknown {
  checkShape(given)
  const whole = endpoint.path.includes('{') ? { ...asObject(given), ...asObject(request.params) } : (given ?? {})
  if (endpoint.permission === 'app') refuseUnknownFields(endpoint, whole)
  const parsed = z.safeParse(endpoint.input, whole, faultsIn(languageOfCall(request)))
  if (!parsed.success) throw inputError(parsed.error)
  return parsed.data
}

/** An application that misspells a field gets an error, instead of having the field ignored. */
function refuseUnknownFields({ input }: Endpoint, given: unknown): void {
  if (!(input instanceof z.ZodObject)) return
  const unknown = Object.keys(asObject(given)).find((name) => !Object.hasOwn(input.shape, name))
  if (unknown !== undefined) throw new AppError('unknown_field', { values: { field: unknown.slice(0, 40) } })
}

/** Deeper than any valid input; a deeper one is meant to be expensive. */
const depthMax = 32

/** PostgreSQL holds no NUL, so no text of ours does. Throws, before a schema walks it, what is too deep to be an input. */
function checkShape(value: unknown, depth = 0): void {
  if (typeof value === 'string') return checkText(value)
  if (typeof value !== 'object' || value === null) return
  if (depth >= depthMax) throw new AppError('bad_request', { values: { detail: '嵌套过深' } })
  if (Array.isArray(value)) {
    for (const item of value) checkShape(item, depth + 1)
    return
  }
  for (const [key, item] of Object.entries(value)) {
    checkText(key)
    checkShape(item, depth + 1)
  }
}

function checkText(text: string): void {
  if (text.includes('\0')) throw new AppError('bad_request', { values: { detail: 'NUL' } })
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

export function refuse({ kit, error, request, reply }: RefuseOptions): FastifyReply {
  const refusal = asAppError(error)
  if (refusal.retryAfterS !== undefined) reply.header('retry-after', refusal.retryAfterS)
  // While the database is unavailable every call logs one line, without a stack trace.
  if (refusal.code === 'unavailable') kit.log.warn({ requestId: request.id, reason: String(error) }, 'not available')
  else if (refusal.status >= 500 && refusal.code !== 'overloaded')
    kit.log.error({ err: error, requestId: request.id, traceId: traceOf(request), url: request.url }, 'call failed')
  const body = refusalBody(refusal, kit.clock.now(), languageOfCall(request))
  return reply.code(refusal.status).type('application/json; charset=utf-8').send(body)
}

/** Riders' applications are answered in the language that they ask for; the console translates by itself. */
function languageOfCall(request: FastifyRequest): Language {
  return request.url.startsWith(riderApiPath) ? languageOf(request.headers['accept-language']) : 'zh'
}
