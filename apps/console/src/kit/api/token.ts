import { callTokenLifetimeMs } from '@saddle/contract/constants.ts'
import { toBase64Url } from '@saddle/contract/wire/bytes.ts'
import type { SessionKeys, WireCrypto } from '@saddle/contract/wire/crypto.ts'
import { hashOfParams, signCallToken, type CallToken } from '@saddle/contract/wire/token.ts'
import { serverNow } from '#kit/clock.ts'
import { clientConfig } from '#kit/config.ts'
import { currentSelection, type Selection } from '#kit/session/scope.ts'
import type { Session } from '#kit/session/store.ts'
import { readStored, writeStored } from '#kit/storage.ts'

const packageName = 'saddle-console'

interface TokenOptions {
  readonly crypto: WireCrypto
  readonly keys: SessionKeys
  readonly session: Session
  readonly callId: string
  readonly method: string
  readonly path: string
  readonly params: string | undefined
  /** Instead of what the header has selected. */
  readonly scope?: Selection
}

/** A fresh id of one call: 128 random bits. */
export const newCallId = (crypto: WireCrypto): string => toBase64Url(crypto.randomBytes(16))

/** The token of one call, narrowed to what the header has selected. */
export function tokenFor(options: TokenOptions): string {
  const { crypto, keys, session, callId, method, path, params } = options
  const { agentIds, opAreaIds } = options.scope ?? currentSelection()
  const issuedAt = Math.floor(serverNow() / 1000)
  const payload: CallToken = {
    ...(agentIds && { agentIds: [...agentIds] }),
    ...(opAreaIds && { opAreaIds: [...opAreaIds] }),
    userId: session.objectId,
    phone: session.phone,
    agentId: session.agentId,
    build: clientConfig().build,
    devId: deviceId(crypto),
    package: packageName,
    iat: issuedAt,
    exp: issuedAt + callTokenLifetimeMs / 1000,
    jti: callId,
    htm: method,
    htu: path,
    bodyHash: hashOfParams(crypto, params),
  }
  return signCallToken({ crypto, signingKey: keys.signingKey, sessionHandle: session.accessToken, payload })
}

/** A random name of this browser, for the logs; it proves nothing. */
function deviceId(crypto: WireCrypto): string {
  const known = readStored('device')
  if (typeof known === 'string') return known
  const fresh = toBase64Url(crypto.randomBytes(12))
  writeStored('device', fresh)
  return fresh
}
