import type { z } from 'zod'
import type { Endpoint, RequestOf } from '@saddle/contract/endpoint.ts'
import { isSealed } from '@saddle/contract/endpoint.ts'
import { parseErrorAnswer } from '@saddle/contract/errors.ts'
import type { EnvelopeBinding } from '@saddle/contract/wire/envelope.ts'
import { learnServerTime } from '#kit/clock.ts'
import { clientConfig } from '#kit/config.ts'
import type { Selection } from '#kit/session/scope.ts'
import { readKeys } from '#kit/session/keys.ts'
import { currentSession, type Session } from '#kit/session/store.ts'
import { ApiError } from './error.ts'

export { ApiError, isApiError, wordsOf } from './error.ts'

export interface CallOptions {
  /** Of a call that changes money or a vehicle; one is made when absent. Repeat it to repeat the call safely. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  /** The caller shows the failure itself: nothing is told globally. */
  readonly quiet?: boolean
  /** Reaches as far as this instead of the header's selection: the selectors themselves list everything. */
  readonly scope?: Selection
}

/** An answer as the client reads it. */
export type AnswerOf<E extends Endpoint> = z.output<E['output']>

type FailureListener = (error: ApiError) => void
const failureListeners = new Set<FailureListener>()

/** Hears every failed call that is not quiet, and what `tellFailure` says; returns the way to stop it. */
export function onFailure(listener: FailureListener): () => void {
  failureListeners.add(listener)
  return () => failureListeners.delete(listener)
}

/** Tells everybody who listens of a failure: for a quiet call whose failure turns out to concern the whole page. */
export function tellFailure(error: ApiError): void {
  for (const listener of failureListeners) listener(error)
}

/**
 * Calls the server and returns the whole answer as the contract declares it. Signs, seals and opens; signs once more
 * when the clock was wrong. Throws `ApiError`, or an `AbortError` when the signal was raised.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: RequestOf<E>,
  options: CallOptions = {},
): Promise<AnswerOf<E>> {
  try {
    return await attempt(endpoint, input, options).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'clock_skew') throw error
      return attempt(endpoint, input, options)
    })
  } catch (error) {
    if (error instanceof ApiError && options.quiet !== true) tellFailure(error)
    throw error
  }
}

interface Prepared {
  readonly url: string
  readonly init: RequestInit
  /** Turns the body of a successful answer into what the contract declares. */
  readonly open: (body: unknown) => Promise<unknown>
}

async function attempt<E extends Endpoint>(
  endpoint: E,
  input: RequestOf<E>,
  options: CallOptions,
): Promise<AnswerOf<E>> {
  const prepared = isSealed(endpoint) ? await prepareSealed(endpoint, input, options) : preparePlain(endpoint, input)
  const signal = options.signal ?? null
  const response = await fetch(prepared.url, { ...prepared.init, signal }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw new ApiError({ code: 'network', status: 0, cause })
  })
  const body = await readBody(response, signal)
  const refusal = parseErrorAnswer(body)
  if (refusal !== null) {
    if (refusal.serverTime !== undefined) learnServerTime(refusal.serverTime)
    throw new ApiError({ ...refusal, status: response.status })
  }
  if (!response.ok) throw new ApiError({ code: codeOfStatus(response.status), status: response.status })
  // The server's handlers are typed by the same row: its answers are not checked a second time here.
  return (await prepared.open(body)) as AnswerOf<E>
}

function preparePlain(endpoint: Endpoint, input: unknown): Prepared {
  const { path, rest } = fillPath(endpoint.path, input)
  const url = hostOf(endpoint) + path
  const open = (body: unknown): Promise<unknown> => Promise.resolve(body)
  const credentials = credentialsOf(endpoint)
  if (hasNoBody(endpoint.method)) {
    const query = new URLSearchParams(
      Object.entries(rest).map(([name, value]): [string, string] => [name, text(value)]),
    )
    return { url: `${url}?${query}`, init: { method: endpoint.method, credentials }, open }
  }
  const headers = { 'content-type': 'application/json' }
  return { url, init: { method: endpoint.method, credentials, headers, body: JSON.stringify(rest) }, open }
}

async function prepareSealed(endpoint: Endpoint, input: unknown, options: CallOptions): Promise<Prepared> {
  const session = currentSession()
  const keys = session && (await readKeys(session.accessToken))
  if (session === null || keys === null) throw new ApiError({ code: 'unauthorized', status: 401 })
  // Loaded with the first signed call: the login page needs neither ciphers nor signatures before it is submitted.
  const [{ cipherOf }, { newCallId, tokenFor }] = await Promise.all([
    import('#kit/crypto/cipher.ts'),
    import('./token.ts'),
  ])
  const cipher = await cipherOf(keys)
  const { path, rest } = fillPath(endpoint.path, input)
  const { method } = endpoint
  const callId = newCallId()
  const bind = (direction: EnvelopeBinding['direction']): EnvelopeBinding => ({ method, path, direction, callId })
  const params = await cipher.seal(bind('request'), rest)
  const idempotencyKey = endpoint.idempotency === 'key' ? (options.idempotencyKey ?? newCallId()) : undefined
  const token = await tokenFor({
    cipher,
    session,
    callId,
    method,
    path,
    params,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(options.scope && { scope: options.scope }),
  })
  const headers: Record<string, string> = { authorization: `Bearer ${token}`, ...financeHeaders(endpoint, session) }
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
  const open = async (body: unknown): Promise<unknown> => {
    const sealed = sealedText(body)
    // Only the server can seal: a plain success to a sealed call was put there by somebody on the way.
    if (sealed === null) throw new ApiError({ code: 'network', status: 0 })
    return cipher.open(bind('answer'), sealed)
  }
  const url = hostOf(endpoint) + path
  const credentials = credentialsOf(endpoint)
  if (hasNoBody(method)) return { url: `${url}?params=${params}`, init: { method, credentials, headers }, open }
  headers['content-type'] = 'application/json'
  return { url, init: { method, credentials, headers, body: JSON.stringify({ params }) }, open }
}

/** Puts `{name}` parts of the path in and leaves the others as the input. */
function fillPath(template: string, input: unknown): { path: string; rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = { ...(input as Record<string, unknown>) }
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(text(value))
  })
  for (const name of Object.keys(rest)) if (rest[name] === undefined) delete rest[name]
  return { path, rest }
}

function financeHeaders(endpoint: Endpoint, session: Session): Record<string, string> {
  if (endpoint.host !== 'finance') return {}
  return { phone: session.phone, agentId: String(session.agentId), traceId: newTraceId() }
}

/** Letters, digits and hyphens, as the finance host asks for it. */
function newTraceId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const hasNoBody = (method: Endpoint['method']): boolean => method === 'GET' || method === 'DELETE'
const hostOf = (endpoint: Endpoint): string => clientConfig().hosts[endpoint.host]
const credentialsOf = (endpoint: Endpoint): RequestCredentials => (hostOf(endpoint) === '' ? 'same-origin' : 'include')
const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

async function readBody(response: Response, signal: AbortSignal | null): Promise<unknown> {
  try {
    return (await response.json()) as unknown
  } catch (cause) {
    if (signal?.aborted) throw cause
    // Cut off on the way, or the page of a hotel in place of ours: nobody knows whether the server has done it.
    if (response.ok) throw new ApiError({ code: 'network', status: 0, cause })
    return null
  }
}

function sealedText(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || 'suc' in body || !('params' in body)) return null
  return typeof body.params === 'string' ? body.params : null
}

/** For answers that come from a proxy and not from us. */
function codeOfStatus(status: number): ApiError['code'] {
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'not_found'
  if (status === 413) return 'payload_too_large'
  if (status === 429) return 'too_many_requests'
  return status === 502 || status === 503 || status === 504 ? 'unavailable' : 'server_error'
}
