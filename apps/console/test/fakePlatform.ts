import { AEAD_AES_256_GCM, KDF_HKDF_SHA256, KEM_DHKEM_X25519_HKDF_SHA256 } from '@panva/hpke-noble'
import { CipherSuite } from 'hpke'
import { isSealed, type Endpoint } from '@saddle/contract/endpoint.ts'
import { endpoints, everyCall } from '@saddle/contract/endpoints.ts'
import type { ErrorAnswer } from '@saddle/contract/errorAnswer.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { concatBytes, fromBase64Url, fromUtf8, toBase64Url } from '@saddle/contract/wire/bytes.ts'
import type { SessionKeys } from '@saddle/contract/wire/crypto.ts'
import { openEnvelope, sealEnvelope } from '@saddle/contract/wire/envelope.ts'
import {
  encapsulatedLength,
  encodeSessionKeys,
  keyAnswerInfo,
  keyRequestInfo,
  keyRequestSchema,
} from '@saddle/contract/wire/keyExchange.ts'
import {
  checkTokenFits,
  sessionHandleOf,
  TokenError,
  verifyCallToken,
  type CallToken,
} from '@saddle/contract/wire/token.ts'
import { nodeCrypto } from './nodeCrypto.ts'

/** One call as the platform understood it. */
interface Heard {
  readonly key: string
  /** With the values of its parameters. */
  readonly path: string
  readonly input: unknown
  readonly token: CallToken | null
  readonly headers: Headers
}

type Answer = (input: unknown, heard: Heard) => unknown

export interface FakePlatform {
  readonly fetch: typeof fetch
  readonly heard: Heard[]
  readonly serverKey: string
  /** The session that calls must be signed for. */
  readonly keys: SessionKeys
  readonly sessionHandle: string
  /** Answers `METHOD path` from now on; throw an `AppError` to refuse, anything else to be unreachable. */
  on(endpoint: Endpoint, answer: Answer): void
  /** How many calls of this kind were answered, refusals not counted. */
  answered(endpoint: Endpoint): number
  /** What the platform's clock says. */
  now: () => number
}

interface Request {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string | undefined
}

/** The server's side of the wire, really done: tokens are verified, envelopes opened and sealed, keys exchanged by HPKE. */
export async function createFakePlatform(): Promise<FakePlatform> {
  const suite = new CipherSuite(KEM_DHKEM_X25519_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM)
  const pair = await suite.GenerateKeyPair(true)
  const keys = { encryptionKey: nodeCrypto.randomBytes(32), signingKey: nodeCrypto.randomBytes(32) }
  const answers = new Map<string, Answer>()
  const answered = new Map<string, number>()
  const sessionHandle = 'handle-of-the-session'
  const platform: FakePlatform = {
    heard: [],
    serverKey: toBase64Url(await suite.SerializePublicKey(pair.publicKey)),
    keys,
    sessionHandle,
    now: Date.now,
    on: (endpoint, answer) => answers.set(keyOf(endpoint), answer),
    answered: (endpoint) => answered.get(keyOf(endpoint)) ?? 0,
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input, 'http://platform.test')
      const method = init?.method ?? 'GET'
      const body = typeof init?.body === 'string' ? init.body : undefined
      const request = { method, url, headers: new Headers(init?.headers), body }
      const response = await respond(platform, answers, request)
      const endpoint = endpointOf(request)
      if (endpoint && response.ok) answered.set(keyOf(endpoint), (answered.get(keyOf(endpoint)) ?? 0) + 1)
      return response
    },
  }
  platform.on(endpoints.signingKey, async (input) => {
    const { params } = input as { params: string }
    const bytes = fromBase64Url(params) ?? new Uint8Array()
    const enc = bytes.subarray(0, encapsulatedLength)
    const plain = await suite.Open(pair, enc, bytes.subarray(encapsulatedLength), { info: keyRequestInfo })
    const request = keyRequestSchema.parse(JSON.parse(fromUtf8(plain)))
    if (request.sessionHandle !== sessionHandle) throw new AppError('signature_failed')
    const recipient = await suite.DeserializePublicKey(fromBase64Url(request.publicKey) ?? new Uint8Array())
    const sealed = await suite.Seal(recipient, encodeSessionKeys(keys), { info: keyAnswerInfo })
    return { suc: true, data: { aesKey: toBase64Url(concatBytes(sealed.encapsulatedSecret, sealed.ciphertext)) } }
  })
  return platform
}

const keyOf = (endpoint: Endpoint): string => `${endpoint.method} ${endpoint.path}`

async function respond(
  platform: FakePlatform,
  answers: ReadonlyMap<string, Answer>,
  request: Request,
): Promise<Response> {
  const endpoint = endpointOf(request)
  const answer = endpoint && answers.get(keyOf(endpoint))
  if (endpoint === undefined || answer === undefined) return refusal(new AppError('not_found'), platform.now())
  try {
    if (!isSealed(endpoint)) {
      const input =
        request.method === 'GET' || request.method === 'DELETE'
          ? Object.fromEntries(request.url.searchParams)
          : JSON.parse(request.body ?? '{}')
      const heard = { key: keyOf(endpoint), path: request.url.pathname, input, token: null, headers: request.headers }
      platform.heard.push(heard)
      return Response.json(await answer(input, heard))
    }
    return await respondSealed(platform, endpoint, answer, request)
  } catch (error) {
    if (error instanceof TokenError) {
      return refusal(new AppError(error.fault === 'clock' ? 'clock_skew' : 'unauthorized'), platform.now())
    }
    if (error instanceof AppError) return refusal(error, platform.now())
    throw error
  }
}

async function respondSealed(
  platform: FakePlatform,
  endpoint: Endpoint,
  answer: Answer,
  request: Request,
): Promise<Response> {
  const { method, url, headers } = request
  const path = url.pathname
  const isQuery = method === 'GET' || method === 'DELETE'
  const params = isQuery
    ? url.searchParams.get('params')
    : (JSON.parse(request.body ?? '{}') as { params?: string }).params
  const text = headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
  if (sessionHandleOf(text) !== platform.sessionHandle) throw new AppError('unauthorized')
  const token = verifyCallToken({
    crypto: nodeCrypto,
    signingKey: platform.keys.signingKey,
    token: text,
    nowMs: platform.now(),
    method,
    path,
  })
  checkTokenFits(token, {
    crypto: nodeCrypto,
    params: params ?? undefined,
    idempotencyKey: headers.get('idempotency-key') ?? undefined,
  })
  const binding = { method, path, callId: token.jti }
  const key = platform.keys.encryptionKey
  const input = openEnvelope(nodeCrypto, key, { ...binding, direction: 'request' }, params ?? '')
  const heard = { key: keyOf(endpoint), path, input, token, headers }
  platform.heard.push(heard)
  const value = await answer(input, heard)
  return Response.json({ params: sealEnvelope(nodeCrypto, key, { ...binding, direction: 'answer' }, value) })
}

const endpointOf = (request: Request): Endpoint | undefined =>
  Object.values(everyCall).find((row) => matches(row, request))

function matches(endpoint: Endpoint, { method, url }: Request): boolean {
  const pattern = new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`)
  return endpoint.method === method && pattern.test(url.pathname)
}

function refusal(error: AppError, nowMs: number): Response {
  const base = { code: error.code, promot: error.message }
  const body: ErrorAnswer = { suc: false, error: error.code === 'clock_skew' ? { ...base, serverTime: nowMs } : base }
  const headers = error.retryAfterS === undefined ? {} : { 'retry-after': String(error.retryAfterS) }
  return Response.json(body, { status: error.status, headers })
}
