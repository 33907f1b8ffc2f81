import { randomUUID } from 'node:crypto'
import { callTokenOf } from '@saddle/client/callToken.ts'
import { createClient as createWireClient, type Client, type Sender } from '@saddle/client/client.ts'
import { withCookies } from '@saddle/client/cookies.ts'
import { exchangeKeys, logIn } from '@saddle/client/login.ts'
import { wireCipher } from '@saddle/client/wireCipher.ts'
import { isSealed, type Endpoint, type OutputOf, type RequestOf } from '@saddle/contract/endpoint.ts'
import type { LoginData } from '@saddle/contract/identity/login.ts'
import { wallScreenEndpoints } from '@saddle/contract/identity/screens.ts'
import type { SessionKeys } from '@saddle/contract/wire/crypto.ts'
import { hashOfParams, signCallToken, type CallToken } from '@saddle/contract/wire/token.ts'
import { nodeWireCrypto as crypto } from '#kit/wireCrypto.ts'

export interface CallOptions {
  /** Changes the token before it is signed. */
  readonly token?: Partial<CallToken>
  /** Changes the finished token, as an attacker would. */
  readonly forge?: (token: string) => string
  readonly idempotencyKey?: string
  /** Address of another process than the one that the client was made for. */
  readonly at?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Hears of the headers of the answer. */
  readonly onAnswer?: (headers: Headers) => void
}

export interface CallResult<T = unknown> {
  readonly status: number
  /** Opened answer, or the plain refusal. */
  readonly body: T
}

export interface Session {
  readonly data: LoginData
  readonly phone: string
  readonly keys: SessionKeys
}

export type TestClient = ReturnType<typeof createClient>

const sender: Sender = { build: 'test', devId: 'test-device', package: 'test' }
const newCallId = (): string => randomUUID().replaceAll('-', '')

/** A client without a browser: logs in and calls over real HTTP, as the console does, and as an attacker would. */
export function createClient({ url, now = Date.now }: { url: string; now?: () => number }) {
  const jar = new Map<string, string>()
  const fetch = withCookies(jar)
  let session: Session | null = null

  /** The client of the console; what a test wants otherwise is done to its token and headers. */
  const clientWith = ({ token: change, forge, headers, onAnswer, at }: CallOptions): Client =>
    createWireClient({
      fetch: async (address, init) => {
        const answer = await fetch(address, { ...init, headers: { ...init.headers, ...headers } })
        onAnswer?.(answer.headers)
        return answer
      },
      hostOf: () => at ?? url,
      now,
      learnServerTime: () => {},
      session: async () => {
        if (session === null) throw new Error('not logged in')
        const { data, phone, keys } = session
        const cipher = wireCipher(crypto, keys)
        const signToken = async (handle: string, payload: CallToken): Promise<string> => {
          const token = await cipher.signToken(handle, { ...payload, ...change })
          return forge === undefined ? token : forge(token)
        }
        return { identity: { ...data, phone }, cipher: { ...cipher, signToken } }
      },
      sender: () => sender,
      newCallId: () => change?.jti ?? newCallId(),
    })

  /** A call outside of the envelope, its input as it is. */
  const plain = async (
    endpoint: Endpoint,
    input: unknown,
    headers: Record<string, string> = {},
  ): Promise<CallResult> => {
    const isQuery = endpoint.method === 'GET'
    const query = isQuery ? `?${new URLSearchParams(input as Record<string, string>).toString()}` : ''
    const response = await fetch(`${url}${endpoint.path}${query}`, {
      method: endpoint.method,
      headers: { ...(isQuery ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(isQuery ? {} : { body: JSON.stringify(input) }),
    })
    return { status: response.status, body: await response.json() }
  }

  return {
    jar,
    plain,
    sign: (payload: CallToken): string => {
      if (session === null) throw new Error('not logged in')
      const { keys, data } = session
      return signCallToken({ crypto, signingKey: keys.signingKey, sessionHandle: data.accessToken, payload })
    },
    tokenFor: (options: {
      endpoint: { method: string; path: string }
      params?: string | undefined
      change?: Partial<CallToken>
    }): CallToken => {
      if (session === null) throw new Error('not logged in')
      const { data, phone } = session
      const { method, path } = options.endpoint
      const bodyHash = hashOfParams(crypto, options.params)
      const call = { callId: newCallId(), method, path, bodyHash }
      const payload = callTokenOf({ identity: { ...data, phone }, sender, selection: {}, nowMs: now(), ...call })
      return { ...payload, ...options.change }
    },
    get session(): Session | null {
      return session
    },
    /** The whole login; `readCode` finds what was sent to the phone. */
    login: async (options: {
      phone: string
      serverKey: string
      readCode: (phone: string) => string | undefined | Promise<string>
    }): Promise<LoginData> => {
      const { data, keys } = await logIn({ client: clientWith({}), now, ...options })
      session = { data, phone: options.phone, keys }
      return data
    },
    /** What a screen on a wall does until staff have entered its code: its state, and from `paired` on it has a session. */
    collectScreen: async (serverKey: string): Promise<string> => {
      const client = clientWith({})
      const { data } = await client.call(wallScreenEndpoints.collectScreenSession, {})
      if (data.state !== 'paired') return data.state
      const { accessToken, objectId, agentId } = data
      const keys = await exchangeKeys({ client, serverKey, sessionHandle: accessToken, issuedAtMs: now() })
      session = { data: { accessToken, objectId, agentId, roleId: null, phone: '' }, phone: '', keys }
      return data.state
    },
    /** Calls any endpoint; throws only when the answer cannot be read. */
    call: async <E extends Endpoint>(
      endpoint: E,
      input: RequestOf<E>,
      options: CallOptions = {},
    ): Promise<CallResult<OutputOf<E>>> => {
      const { idempotencyKey = randomUUID() } = options
      const result = isSealed(endpoint)
        ? clientWith(options).send(endpoint, input, { idempotencyKey })
        : plain(endpoint, input)
      return (await result) as CallResult<OutputOf<E>>
    },
  }
}
