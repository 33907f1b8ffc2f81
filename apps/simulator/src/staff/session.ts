import { readFileSync } from 'node:fs'
import { cipherOf, handlesOf } from '@saddle/client/cipher.ts'
import { createClient, type Client, type ClientSession } from '@saddle/client/client.ts'
import { withCookies } from '@saddle/client/cookies.ts'
import { isApiError } from '@saddle/client/error.ts'
import { logIn as logInWith, serverKeyOf } from '@saddle/client/login.ts'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import type { LoginData } from '@saddle/contract/identity/login.ts'
import { fromBase64Url, toBase64Url } from '@saddle/contract/wire/bytes.ts'

/** A session of a staff member's phone; plain data, so that it can be saved. */
export type Session = {
  readonly phone: string
  readonly data: Pick<LoginData, 'objectId' | 'agentId' | 'accessToken'>
  readonly cookies: Readonly<Record<string, string>>
  /** base64url. */
  readonly encryptionKey: string
  readonly signingKey: string
}

/** A staff member who waits longer for an answer tries again. */
const answerMs = 10_000
const codeLooks = 50
const codeLookMs = 100

export type Refused = { readonly ok: false; readonly code: string }

/** A client whose answers come in time, or not at all. */
function clientOf(options: {
  readonly url: string
  readonly jar: Map<string, string>
  readonly session: () => Promise<ClientSession | null>
}): Client {
  const { url, jar, session } = options
  const send = withCookies(jar)
  let offsetMs = 0
  return createClient({
    fetch: (address, init) => send(address, { ...init, signal: AbortSignal.timeout(answerMs) }),
    hostOf: () => url,
    now: () => Date.now() + offsetMs,
    learnServerTime: (serverTimeMs) => {
      offsetMs = serverTimeMs - Date.now()
    },
    session,
    sender: () => ({ build: 'simulator', devId: 'simulator', package: 'saddle-simulator' }),
  })
}

/** Logs in as the console does: a code by message, which lies in the demo's outbox, a session, and its keys. */
export async function logIn({ url, phone, outbox }: { url: string; phone: string; outbox: string }): Promise<Session> {
  const jar = new Map<string, string>()
  const get = (path: string): Promise<Response> => fetch(url + path, { signal: AbortSignal.timeout(answerMs) })
  // Where SMS are really sent, no number must get one.
  if ((await get('/outbox')).status !== 200) throw new Error('messages leave the house')
  const serverKey = serverKeyOf(await (await get('/console/')).text())
  const askedAt = Date.now()
  const { data, keys } = await logInWith({
    client: clientOf({ url, jar, session: () => Promise.resolve(null) }),
    phone,
    serverKey,
    readCode: () => readCode({ outbox, phone, askedAt }),
    now: Date.now,
  })
  const { objectId, agentId, accessToken } = data
  return {
    phone,
    data: { objectId, agentId, accessToken },
    cookies: Object.fromEntries(jar),
    encryptionKey: toBase64Url(keys.encryptionKey),
    signingKey: toBase64Url(keys.signingKey),
  }
}

/** One client a session: it keeps cookies, ciphers and the server's time. */
const clients = new WeakMap<Session, Client>()

function clientFor(session: Session, url: string): Client {
  const known = clients.get(session)
  if (known !== undefined) return known
  const { phone, data, cookies } = session
  const keys = { encryptionKey: bytesOf(session.encryptionKey), signingKey: bytesOf(session.signingKey) }
  const opened = handlesOf(keys)
    .then(cipherOf)
    .then((cipher): ClientSession => ({ identity: { ...data, phone }, cipher }))
  const client = clientOf({ url, jar: new Map(Object.entries(cookies)), session: () => opened })
  clients.set(session, client)
  return client
}

/** A sealed call of this session. Never throws: whatever goes wrong is an answer, too. */
export async function callAs(
  session: Session,
  { url, endpoint, input, key }: { url: string; endpoint: Endpoint; input: unknown; key: string },
): Promise<{ readonly ok: true; readonly data: unknown } | Refused> {
  try {
    const answer = await clientFor(session, url).call(endpoint, input, { idempotencyKey: key })
    return { ok: true, data: (answer as { data?: unknown }).data }
  } catch (error) {
    const isRefused = isApiError(error) && error.status > 0 && error.status < 500 && error.status !== 429
    return { ok: false, code: isRefused ? error.code : 'away' }
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
