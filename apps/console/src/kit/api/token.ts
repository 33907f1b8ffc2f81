import { callTokenLifetimeMs } from '@saddle/contract/constants.ts'
import { toBase64Url } from '@saddle/contract/wire/bytes.ts'
import type { CallToken } from '@saddle/contract/wire/token.ts'
import { serverNow } from '#kit/clock.ts'
import { clientConfig } from '#kit/config.ts'
import type { SessionCipher } from '#kit/crypto/cipher.ts'
import { currentSelection, type Selection } from '#kit/session/scope.ts'
import type { Session } from '#kit/session/store.ts'
import { readStored, writeStored } from '#kit/storage.ts'

const packageName = 'saddle-console'

interface TokenOptions {
  readonly cipher: SessionCipher
  readonly session: Session
  readonly callId: string
  readonly method: string
  readonly path: string
  readonly params: string | undefined
  readonly idempotencyKey?: string
  /** Instead of what the header has selected. */
  readonly scope?: Selection
}

/** A fresh id of one call: 128 random bits. */
export const newCallId = (): string => randomText(16)

/** The token of one call, narrowed to what the header has selected. */
export async function tokenFor(options: TokenOptions): Promise<string> {
  const { cipher, session, callId, method, path, params, idempotencyKey } = options
  const { agentIds, opAreaIds } = options.scope ?? currentSelection()
  const issuedAt = Math.floor(serverNow() / 1000)
  const payload: CallToken = {
    ...(agentIds && { agentIds: [...agentIds] }),
    ...(opAreaIds && { opAreaIds: [...opAreaIds] }),
    userId: session.objectId,
    phone: session.phone,
    agentId: session.agentId,
    build: clientConfig().build,
    devId: deviceId(),
    package: packageName,
    iat: issuedAt,
    exp: issuedAt + callTokenLifetimeMs / 1000,
    jti: callId,
    htm: method,
    htu: path,
    bodyHash: await cipher.hashOfParams(params),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  }
  return cipher.signToken(session.accessToken, payload)
}

/** A random name of this browser, for the logs; it proves nothing. */
function deviceId(): string {
  const known = readStored('device')
  if (typeof known === 'string') return known
  const fresh = randomText(12)
  writeStored('device', fresh)
  return fresh
}

const randomText = (bytes: number): string => toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)))
