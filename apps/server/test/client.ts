import { randomUUID } from 'node:crypto'
import { AEAD_AES_256_GCM, KDF_HKDF_SHA256, KEM_DHKEM_X25519_HKDF_SHA256 } from '@panva/hpke-noble'
import { CipherSuite } from 'hpke'
import { isSealed, type Endpoint, type OutputOf, type RequestOf } from '@saddle/contract/endpoint.ts'
import { loginEndpoints, type LoginData } from '@saddle/contract/identity/login.ts'
import { concatBytes, fromBase64Url, toBase64Url, utf8 } from '@saddle/contract/wire/bytes.ts'
import type { SessionKeys } from '@saddle/contract/wire/crypto.ts'
import { openEnvelope, sealEnvelope } from '@saddle/contract/wire/envelope.ts'
import {
  decodeSessionKeys,
  encapsulatedLength,
  keyAnswerInfo,
  keyRequestInfo,
} from '@saddle/contract/wire/keyExchange.ts'
import { hashOfParams, signCallToken, type CallToken } from '@saddle/contract/wire/token.ts'
import { nodeWireCrypto as crypto } from '#kit/wireCrypto.ts'

export interface CallOptions {
  /** Changes the token before it is signed. */
  readonly token?: Partial<CallToken>
  /** Changes the finished token, as an attacker would. */
  readonly forge?: (token: string) => string
  readonly idempotencyKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: Readonly<Record<string, string>>
}

export interface CallResult<T = unknown> {
  readonly status: number
  /** Opened answer, or the plain refusal. */
  readonly body: T
}

interface Seat {
  readonly data: LoginData
  readonly phone: string
  readonly keys: SessionKeys
}

export type TestClient = ReturnType<typeof createClient>

const suite = new CipherSuite(KEM_DHKEM_X25519_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM)

/** A console without a screen: logs in and calls over real HTTP, as the browser does. */
export function createClient({ url, now = Date.now }: { url: string; now?: () => number }) {
  const jar = new Map<string, string>()
  let seat: Seat | null = null

  const send = async (
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
  ): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(`${url}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie === '' ? {} : { cookie }), ...init.headers },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const mark = pair.indexOf('=')
      const value = decodeURIComponent(pair.slice(mark + 1))
      if (value === '' || /max-age=0/i.test(line)) jar.delete(pair.slice(0, mark))
      else jar.set(pair.slice(0, mark), value)
    }
    return response
  }

  const plain = async (
    endpoint: Endpoint,
    input: unknown,
    headers: Record<string, string> = {},
  ): Promise<CallResult> => {
    const isQuery = endpoint.method === 'GET'
    const query = isQuery ? `?${new URLSearchParams(input as Record<string, string>).toString()}` : ''
    const body = isQuery ? {} : { body: JSON.stringify(input) }
    const response = await send(`${endpoint.path}${query}`, {
      method: endpoint.method,
      headers: { ...(isQuery ? {} : { 'content-type': 'application/json' }), ...headers },
      ...body,
    })
    return { status: response.status, body: await response.json() }
  }

  const tokenFor = (options: {
    endpoint: { method: string; path: string }
    params?: string | undefined
    change?: Partial<CallToken>
  }): CallToken => {
    if (seat === null) throw new Error('not logged in')
    const seconds = Math.floor(now() / 1000)
    return {
      userId: seat.data.objectId,
      phone: seat.phone,
      agentId: seat.data.agentId,
      build: 'test',
      devId: 'test-device',
      package: 'test',
      iat: seconds,
      exp: seconds + 60,
      jti: randomUUID().replaceAll('-', ''),
      htm: options.endpoint.method,
      htu: options.endpoint.path,
      bodyHash: hashOfParams(crypto, options.params),
      ...options.change,
    }
  }

  const sign = (payload: CallToken): string => {
    if (seat === null) throw new Error('not logged in')
    return signCallToken({ crypto, signingKey: seat.keys.signingKey, sessionHandle: seat.data.accessToken, payload })
  }

  const sealed = async (endpoint: Endpoint, input: unknown, options: CallOptions): Promise<CallResult> => {
    if (seat === null) throw new Error('not logged in')
    const { path, rest } = fillPath(endpoint.path, input)
    const callId = options.token?.jti ?? randomUUID().replaceAll('-', '')
    const binding = { method: endpoint.method, path, callId } as const
    const params = sealEnvelope(crypto, seat.keys.encryptionKey, { ...binding, direction: 'request' }, rest)
    const idempotencyKey = endpoint.idempotency === 'key' ? (options.idempotencyKey ?? randomUUID()) : undefined
    const payload = tokenFor({
      endpoint: { method: endpoint.method, path },
      params,
      change: { jti: callId, ...(idempotencyKey !== undefined && { idempotencyKey }), ...options.token },
    })
    const token = (options.forge ?? ((text: string) => text))(sign(payload))
    const isQuery = endpoint.method === 'GET' || endpoint.method === 'DELETE'
    const finance =
      endpoint.host === 'finance'
        ? { phone: seat.phone, agentId: String(seat.data.agentId), traceId: randomUUID() }
        : {}
    const response = await send(isQuery ? `${path}?params=${params}` : path, {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(isQuery ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...finance,
        ...options.headers,
      },
      ...(isQuery ? {} : { body: JSON.stringify({ params }) }),
    })
    const body = (await response.json()) as { params?: string; suc?: boolean }
    if (body.params === undefined) return { status: response.status, body }
    return {
      status: response.status,
      body: openEnvelope(crypto, seat.keys.encryptionKey, { ...binding, direction: 'answer' }, body.params),
    }
  }

  const exchangeKeys = async (data: LoginData, phone: string, serverKey: string): Promise<void> => {
    const own = await suite.GenerateKeyPair(true)
    const request = {
      publicKey: toBase64Url(await suite.SerializePublicKey(own.publicKey)),
      sessionHandle: data.accessToken,
      issuedAt: now(),
    }
    const recipient = await suite.DeserializePublicKey(bytesOf(serverKey))
    const up = await suite.Seal(recipient, utf8(JSON.stringify(request)), { info: keyRequestInfo })
    const params = toBase64Url(concatBytes(up.encapsulatedSecret, up.ciphertext))
    const { status, body } = await plain(loginEndpoints.signingKey, { params })
    if (status !== 200) throw new Error(`key exchange: ${JSON.stringify(body)}`)
    const down = bytesOf((body as OutputOf<typeof loginEndpoints.signingKey>).data.aesKey)
    const plaintext = await suite.Open(own, down.subarray(0, encapsulatedLength), down.subarray(encapsulatedLength), {
      info: keyAnswerInfo,
    })
    seat = { data, phone, keys: decodeSessionKeys(plaintext) }
  }

  return {
    jar,
    plain,
    sign,
    tokenFor,
    get seat(): Seat | null {
      return seat
    },
    /** The whole login; `readCode` finds what was sent to the phone. */
    login: async (options: {
      phone: string
      serverKey: string
      readCode: (phone: string) => string | undefined | Promise<string>
    }): Promise<LoginData> => {
      const { phone, serverKey, readCode } = options
      const must = async (result: Promise<CallResult>): Promise<unknown> => {
        const { status, body } = await result
        if (status !== 200) throw new Error(`login: ${status} ${JSON.stringify(body)}`)
        return body
      }
      await must(plain(loginEndpoints.requestSmsCode, { mobilePhoneNumber: phone }))
      const smsCode = await readCode(phone)
      await must(plain(loginEndpoints.verifySmsCode, { mobilePhoneNumber: phone, smsCode }))
      const found = (await must(plain(loginEndpoints.lookUpOperator, { phone }))) as OutputOf<
        typeof loginEndpoints.lookUpOperator
      >
      const answer = (await must(plain(loginEndpoints.permissionLogin, found.data))) as OutputOf<
        typeof loginEndpoints.permissionLogin
      >
      await exchangeKeys(answer.data as LoginData, phone, serverKey)
      return answer.data as LoginData
    },
    /** Calls any endpoint; throws only when the answer cannot be read. */
    call: async <E extends Endpoint>(
      endpoint: E,
      input: RequestOf<E>,
      options: CallOptions = {},
    ): Promise<CallResult<OutputOf<E>>> => {
      const result = isSealed(endpoint) ? sealed(endpoint, input, options) : plain(endpoint, input)
      return (await result) as CallResult<OutputOf<E>>
    },
  }
}

function fillPath(path: string, input: unknown): { path: string; rest: unknown } {
  if (!path.includes('{')) return { path, rest: input }
  const rest = { ...(input as Record<string, unknown>) }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  return { path: filled, rest }
}

function bytesOf(text: string): Uint8Array {
  const bytes = fromBase64Url(text)
  if (bytes === null) throw new TypeError('not base64url')
  return bytes
}
