import { isSealed, type AnswerOf, type Endpoint, type RequestOf } from '@saddle/contract/endpoint.ts'
import type { CoreErrorCode } from '@saddle/contract/coreErrors.ts'
import { parseErrorAnswer } from '@saddle/contract/errorAnswer.ts'
import type { EnvelopeBinding } from '@saddle/contract/wire/envelope.ts'
import type { SessionCipher } from './cipher.ts'
import { ApiError } from './error.ts'

/** Who is logged in, as the login answered. */
export interface Identity {
  /** Public handle of the session, not a secret. */
  readonly accessToken: string
  readonly objectId: string
  readonly phone: string
  readonly agentId: number
}

/** Name of the calling program, for the logs; it proves nothing. */
export interface Sender {
  readonly build: string
  readonly devId: string
  readonly package: string
}

/** What calls are narrowed to; an absent list means everything that was granted, an empty one nothing. */
export interface Selection {
  readonly agentIds?: readonly number[]
  readonly opAreaIds?: readonly number[]
  /** Of the screens on walls alone. */
  readonly opAreaIdsBigScreen?: readonly number[]
}

export interface ClientSession {
  readonly identity: Identity
  readonly cipher: SessionCipher
}

/** What `fetch` is told, with headers that an adapter can add to. */
export type Init = Omit<RequestInit, 'headers'> & { readonly headers: Readonly<Record<string, string>> }

export interface ClientDeps {
  readonly fetch: (url: string, init: Init) => Promise<Response>
  /** Address of the host that serves the call, without a slash at its end. */
  readonly hostOf: (endpoint: Endpoint) => string
  /** Milliseconds by the server's clock, as well as it is known here. */
  readonly now: () => number
  /** Hears the server's time from an answer that refuses a call for its clock. */
  readonly learnServerTime: (serverTimeMs: number) => void
  /** Null while nobody is logged in, or the keys are gone. */
  readonly session: () => Promise<ClientSession | null>
  readonly sender: () => Sender
  readonly selection?: () => Selection
  /** Random ids of calls; absent: 128 random bits each. */
  readonly newCallId?: () => string
}

export interface SendOptions {
  /** Of a call that changes money or a vehicle; one is made when absent. Repeat it to repeat the call safely. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  /** Reaches as far as this instead of the client's own selection. */
  readonly scope?: Selection
}

/** An answer or a refusal, opened. */
export interface Reply {
  readonly status: number
  readonly body: unknown
  /** Of a refusal that says when another try may succeed. */
  readonly retryAfterS?: number
}

export interface Client {
  /**
   * Sends a call once and resolves to whatever the server said. Throws `ApiError` when nothing was heard that the
   * server can have said, an `AbortError` when the signal was raised.
   */
  readonly send: (endpoint: Endpoint, input: unknown, options?: SendOptions) => Promise<Reply>
  /**
   * Calls the server and resolves to the whole answer as the contract declares it. Signs once more when the clock was
   * wrong. Throws `ApiError` for a refusal too.
   */
  readonly call: <E extends Endpoint>(endpoint: E, input: RequestOf<E>, options?: SendOptions) => Promise<AnswerOf<E>>
  /** A token bound to method and path alone, for the live socket; null while nobody is logged in. */
  readonly tokenFor: (target: { readonly method: string; readonly path: string }) => Promise<string | null>
}

interface Prepared {
  readonly url: string
  readonly init: Init
  /** Turns the body of a successful answer into what the contract declares. */
  readonly open: (body: unknown) => Promise<unknown>
}

/** Signs, seals, sends and opens the contract's calls as docs/wire.md says. */
export function createClient(deps: ClientDeps): Client {
  const send: Client['send'] = async (endpoint, input, options = {}) => {
    const prepared = isSealed(endpoint) ? await sealed(deps, endpoint, input, options) : plain(deps, endpoint, input)
    const signal = options.signal ?? null
    const response = await deps.fetch(prepared.url, { ...prepared.init, signal }).catch((cause: unknown) => {
      if (signal?.aborted) throw cause
      throw new ApiError({ code: 'network', status: 0, cause })
    })
    const body = await readBody(response, signal)
    const { status } = response
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
    return {
      status,
      body: response.ok && parseErrorAnswer(body) === null ? await prepared.open(body) : body,
      ...(Number.isFinite(wait) && { retryAfterS: wait }),
    }
  }

  const attempt = async (endpoint: Endpoint, input: unknown, options: SendOptions): Promise<unknown> => {
    const { status, body, retryAfterS = null } = await send(endpoint, input, options)
    const refusal = parseErrorAnswer(body)
    if (refusal !== null) {
      if (refusal.serverTime !== undefined) deps.learnServerTime(refusal.serverTime)
      throw new ApiError({ ...refusal, status, retryAfterS })
    }
    if (status < 200 || status > 299) throw new ApiError({ code: codeOfStatus(status), status })
    return body
  }

  return {
    send,
    async call<E extends Endpoint>(endpoint: E, input: RequestOf<E>, options: SendOptions = {}) {
      const answer = await attempt(endpoint, input, options).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== 'clock_skew') throw error
        return attempt(endpoint, input, options)
      })
      // The server's handlers are typed by the same row: its answers are not checked a second time here.
      return answer as AnswerOf<E>
    },
    async tokenFor({ method, path }) {
      const session = await deps.session()
      if (session === null) return null
      return (await loadSigner())(deps, session, { method, path, params: undefined })
    },
  }
}

interface Signed {
  readonly method: string
  readonly path: string
  readonly params: string | undefined
  readonly callId?: string
  readonly idempotencyKey?: string | undefined
  readonly scope?: Selection | undefined
}

/** Loaded with the first signed call: a login page needs neither ciphers nor signatures before it is submitted. */
async function loadSigner() {
  const { callTokenOf, newCallId } = await import('./callToken.ts')
  return async (deps: ClientDeps, { identity, cipher }: ClientSession, signed: Signed): Promise<string> => {
    const { method, path, params, callId = newCallId(), idempotencyKey } = signed
    const payload = callTokenOf({
      identity,
      sender: deps.sender(),
      selection: signed.scope ?? deps.selection?.() ?? {},
      nowMs: deps.now(),
      callId,
      method,
      path,
      bodyHash: await cipher.hashOfParams(params),
      idempotencyKey,
    })
    return cipher.signToken(identity.accessToken, payload)
  }
}

function plain(deps: ClientDeps, endpoint: Endpoint, input: unknown): Prepared {
  const { path, rest } = fillPath(endpoint.path, input)
  const url = deps.hostOf(endpoint) + path
  const { method } = endpoint
  const open = (body: unknown): Promise<unknown> => Promise.resolve(body)
  if (hasNoBody(method)) {
    const query = new URLSearchParams(
      Object.entries(rest ?? {}).map(([name, value]): [string, string] => [name, text(value)]),
    )
    return { url: `${url}?${query}`, init: { method, headers: {} }, open }
  }
  const headers = { 'content-type': 'application/json' }
  return { url, init: { method, headers, body: JSON.stringify(rest) }, open }
}

async function sealed(deps: ClientDeps, endpoint: Endpoint, input: unknown, options: SendOptions): Promise<Prepared> {
  const session = await deps.session()
  if (session === null) throw new ApiError({ code: 'unauthorized', status: 401 })
  const [sign, ids] = await Promise.all([loadSigner(), import('./callToken.ts')])
  const { cipher, identity } = session
  const { path, rest } = fillPath(endpoint.path, input)
  const { method } = endpoint
  const callId = (deps.newCallId ?? ids.newCallId)()
  const bind = (direction: EnvelopeBinding['direction']): EnvelopeBinding => ({ method, path, direction, callId })
  const params = await cipher.seal(bind('request'), rest)
  const idempotencyKey = endpoint.idempotency === 'key' ? (options.idempotencyKey ?? ids.newCallId()) : undefined
  const { scope } = options
  const token = await sign(deps, session, { method, path, params, callId, idempotencyKey, scope })
  const headers: Record<string, string> = { authorization: `Bearer ${token}`, ...financeHeaders(endpoint, identity) }
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
  const open = async (body: unknown): Promise<unknown> => {
    const found = sealedText(body)
    // Only the server can seal: a plain success to a sealed call was inserted on the way.
    if (found === null) throw new ApiError({ code: 'network', status: 0 })
    return cipher.open(bind('answer'), found)
  }
  const url = deps.hostOf(endpoint) + path
  if (hasNoBody(method)) return { url: `${url}?params=${params}`, init: { method, headers }, open }
  headers['content-type'] = 'application/json'
  return { url, init: { method, headers, body: JSON.stringify({ params }) }, open }
}

/** Puts `{name}` parts of the path in and leaves the others as the input. */
function fillPath(template: string, input: unknown): { readonly path: string; readonly rest: unknown } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { path: template, rest: input }
  const rest: Record<string, unknown> = { ...input }
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(text(value))
  })
  for (const name of Object.keys(rest)) if (rest[name] === undefined) delete rest[name]
  return { path, rest }
}

function financeHeaders(endpoint: Endpoint, identity: Identity): Record<string, string> {
  if (endpoint.host !== 'finance') return {}
  return { phone: identity.phone, agentId: String(identity.agentId), traceId: newTraceId() }
}

/** Letters, digits and hyphens, as the finance host asks for it. */
function newTraceId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const hasNoBody = (method: Endpoint['method']): boolean => method === 'GET' || method === 'DELETE'
const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

async function readBody(response: Response, signal: AbortSignal | null): Promise<unknown> {
  try {
    return (await response.json()) as unknown
  } catch (cause) {
    if (signal?.aborted) throw cause
    // The answer was cut off or replaced by a captive portal: it is unknown whether the server has processed the call.
    if (response.ok) throw new ApiError({ code: 'network', status: 0, cause })
    return null
  }
}

function sealedText(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || 'suc' in body || !('params' in body)) return null
  return typeof body.params === 'string' ? body.params : null
}

/** For answers that come from a proxy and not from us. */
function codeOfStatus(status: number): CoreErrorCode {
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'not_found'
  if (status === 413) return 'payload_too_large'
  if (status === 429) return 'too_many_requests'
  return status === 502 || status === 503 || status === 504 ? 'unavailable' : 'server_error'
}
