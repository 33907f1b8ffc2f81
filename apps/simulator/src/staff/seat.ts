import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { AEAD_AES_256_GCM, KDF_HKDF_SHA256, KEM_DHKEM_X25519_HKDF_SHA256 } from '@panva/hpke-noble'
import { callTokenLifetimeMs } from '@saddle/contract/constants.ts'
import type { Endpoint, OutputOf } from '@saddle/contract/endpoint.ts'
import { loginEndpoints, type LoginData } from '@saddle/contract/identity/login.ts'
import { concatBytes, fromBase64Url, toBase64Url, utf8 } from '@saddle/contract/wire/bytes.ts'
import { openEnvelope, sealEnvelope } from '@saddle/contract/wire/envelope.ts'
import {
  decodeSessionKeys,
  encapsulatedLength,
  keyAnswerInfo,
  keyRequestInfo,
} from '@saddle/contract/wire/keyExchange.ts'
import { hashOfParams, signCallToken } from '@saddle/contract/wire/token.ts'
import { CipherSuite } from 'hpke'
import { phoneCrypto as crypto } from './wire.ts'

/** A session on somebody's phone; plain data, so that it outlives the process. */
export type Seat = {
  readonly phone: string
  readonly data: Pick<LoginData, 'objectId' | 'agentId' | 'accessToken'>
  readonly cookies: Readonly<Record<string, string>>
  /** base64url. */
  readonly encryptionKey: string
  readonly signingKey: string
}

const suite = new CipherSuite(KEM_DHKEM_X25519_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM)
/** Whoever waits longer for an answer looks at their phone and tries again. */
const answerMs = 10_000
const codeLooks = 50
const codeLookMs = 100

export type Refused = { readonly ok: false; readonly code: string }

/** Logs in as the console does: a code by message, which lies in the demo's outbox, a session, and its keys. */
export async function takeSeat({ url, phone, outbox }: { url: string; phone: string; outbox: string }): Promise<Seat> {
  const jar = new Map<string, string>()
  const send = async (endpoint: Endpoint, input: Readonly<Record<string, string>>): Promise<unknown> => {
    const isQuery = endpoint.method === 'GET'
    const query = isQuery ? `?${new URLSearchParams(input).toString()}` : ''
    const response = await fetch(`${url}${endpoint.path}${query}`, {
      method: endpoint.method,
      headers: { cookie: cookieText(jar), ...(isQuery ? {} : { 'content-type': 'application/json' }) },
      ...(isQuery ? {} : { body: JSON.stringify(input) }),
      signal: AbortSignal.timeout(answerMs),
    })
    keepCookies(jar, response)
    const body: unknown = await response.json()
    if (!response.ok) throw new Error(`${endpoint.path}: ${response.status} ${JSON.stringify(body)}`)
    return body
  }
  // Where messages really leave, nobody's number is to get one.
  const { status } = await fetch(`${url}/outbox`, { signal: AbortSignal.timeout(answerMs) })
  if (status !== 200) throw new Error('messages leave the house')
  const askedAt = Date.now()
  await send(loginEndpoints.requestSmsCode, { mobilePhoneNumber: phone })
  const smsCode = await readCode({ outbox, phone, askedAt })
  await send(loginEndpoints.verifySmsCode, { mobilePhoneNumber: phone, smsCode })
  const found = (await send(loginEndpoints.lookUpOperator, { phone })) as OutputOf<typeof loginEndpoints.lookUpOperator>
  const answer = (await send(loginEndpoints.permissionLogin, { opManId: found.data.opManId })) as { data: LoginData }
  const { objectId, agentId, accessToken } = answer.data
  const page = await (await fetch(`${url}/console/`, { signal: AbortSignal.timeout(answerMs) })).text()
  const serverKey = bytesOf(/"serverKey":"([^"]+)"/.exec(page)?.[1] ?? '')
  const own = await suite.GenerateKeyPair(true)
  const publicKey = toBase64Url(await suite.SerializePublicKey(own.publicKey))
  const request = utf8(JSON.stringify({ publicKey, sessionHandle: accessToken, issuedAt: Date.now() }))
  const up = await suite.Seal(await suite.DeserializePublicKey(serverKey), request, { info: keyRequestInfo })
  const params = toBase64Url(concatBytes(up.encapsulatedSecret, up.ciphertext))
  const sealed = (await send(loginEndpoints.signingKey, { params })) as { data: { aesKey: string } }
  const down = bytesOf(sealed.data.aesKey)
  const [secret, text] = [down.subarray(0, encapsulatedLength), down.subarray(encapsulatedLength)]
  const keys = decodeSessionKeys(await suite.Open(own, secret, text, { info: keyAnswerInfo }))
  return {
    phone,
    data: { objectId, agentId, accessToken },
    cookies: Object.fromEntries(jar),
    encryptionKey: toBase64Url(keys.encryptionKey),
    signingKey: toBase64Url(keys.signingKey),
  }
}

/** A sealed call of this seat. Never throws: whatever goes wrong is an answer, too. */
export async function callFrom(
  seat: Seat,
  { url, endpoint, input, key }: { url: string; endpoint: Endpoint; input: unknown; key: string },
): Promise<{ readonly ok: true; readonly data: unknown } | Refused> {
  const callId = randomUUID().replaceAll('-', '')
  const { method, path } = endpoint
  const encryptionKey = bytesOf(seat.encryptionKey)
  const binding = { method, path, callId } as const
  const params = sealEnvelope(crypto, encryptionKey, { ...binding, direction: 'request' }, input)
  const iat = Math.floor(Date.now() / 1000)
  const { objectId: userId, agentId, accessToken: sessionHandle } = seat.data
  const payload = {
    userId,
    agentId,
    phone: seat.phone,
    build: 'simulator',
    devId: 'simulator',
    package: 'saddle-simulator',
    iat,
    exp: iat + callTokenLifetimeMs / 1000,
    jti: callId,
    htm: method,
    htu: path,
    bodyHash: hashOfParams(crypto, params),
    ...(endpoint.idempotency === 'key' && { idempotencyKey: key }),
  }
  const token = signCallToken({ crypto, signingKey: bytesOf(seat.signingKey), sessionHandle, payload })
  const isQuery = method === 'GET' || method === 'DELETE'
  try {
    const response = await fetch(isQuery ? `${url}${path}?params=${params}` : `${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        cookie: cookieText(new Map(Object.entries(seat.cookies))),
        ...(isQuery ? {} : { 'content-type': 'application/json' }),
        ...(endpoint.idempotency === 'key' ? { 'idempotency-key': key } : {}),
      },
      ...(isQuery ? {} : { body: JSON.stringify({ params }) }),
      signal: AbortSignal.timeout(answerMs),
    })
    const body = (await response.json()) as { params?: string; error?: { code?: string } }
    if (body.params !== undefined) {
      const opened = openEnvelope(crypto, encryptionKey, { ...binding, direction: 'answer' }, body.params)
      return { ok: true, data: (opened as { data?: unknown }).data }
    }
    const isOverloaded = response.status >= 500 || response.status === 429
    return { ok: false, code: isOverloaded ? 'away' : (body.error?.code ?? 'away') }
  } catch {
    return { ok: false, code: 'away' }
  }
}

const cookieText = (jar: ReadonlyMap<string, string>): string =>
  [...jar].map(([name, value]) => `${name}=${value}`).join('; ')

function keepCookies(jar: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';')
    const mark = pair.indexOf('=')
    const value = decodeURIComponent(pair.slice(mark + 1))
    if (value === '' || /max-age=0/i.test(line)) jar.delete(pair.slice(0, mark))
    else jar.set(pair.slice(0, mark), value)
  }
}

/** The code that was sent to the phone since it was asked for. */
async function readCode(asked: { outbox: string; phone: string; askedAt: number }): Promise<string> {
  for (let looks = 0; looks < codeLooks; looks++) {
    const found = readLines(asked.outbox).findLast(
      ({ phone, sentAt }) => phone === asked.phone && sentAt !== undefined && sentAt >= asked.askedAt - 1_000,
    )
    if (found?.code !== undefined) return found.code
    await new Promise((resolve) => setTimeout(resolve, codeLookMs))
  }
  throw new Error('no code arrived')
}

type Message = { readonly phone?: string; readonly code?: string; readonly sentAt?: number }

function readLines(file: string): Message[] {
  try {
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return lines.map((line) => JSON.parse(line) as Message)
  } catch {
    // Nothing was sent yet, or a line is just being written.
    return []
  }
}

function bytesOf(text: string): Uint8Array {
  const bytes = fromBase64Url(text)
  if (bytes === null) throw new TypeError('not base64url')
  return bytes
}
