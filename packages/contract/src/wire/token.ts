import { z } from 'zod'
import { callTokenLifetimeMs, clockSkewMs, scopeListMax } from '#contract/constants.ts'
import { equalBytes, fromBase64Url, fromUtf8, toBase64Url, utf8 } from './bytes.ts'
import type { WireCrypto } from './crypto.ts'

/** Longest token read; the scope lists are the only part that grows. */
const tokenTextMax = 64_000

const idList = z.array(z.int().positive()).max(scopeListMax)

/**
 * Payload of the signed token that every call carries (specification, section 3), plus what binds it to one call.
 * An absent list means everything the session was granted, an empty one means nothing.
 */
export const callTokenSchema = z.strictObject({
  opAreaIds: idList.optional(),
  opAreaIdsBigScreen: idList.optional(),
  agentIds: idList.optional(),
  userId: z.string().max(64),
  phone: z.string().max(20),
  agentId: z.int().positive(),
  build: z.string().max(40),
  devId: z.string().max(64),
  package: z.string().max(40),
  iat: z.int(),
  exp: z.int(),
  jti: z.string().regex(/^[A-Za-z0-9_-]{16,43}$/),
  htm: z.string().max(8),
  htu: z.string().max(300),
  bodyHash: z.string().length(43),
  /** The call's Idempotency-Key, so that whoever sits in between cannot make two calls of one, or one of two. */
  idempotencyKey: z.string().max(64).optional(),
})
export type CallToken = z.infer<typeof callTokenSchema>

const headerSchema = z.strictObject({ alg: z.literal('HS256'), typ: z.literal('JWT'), kid: z.string().max(64) })

export type TokenFault = 'malformed' | 'signature' | 'clock' | 'binding'
export class TokenError extends Error {
  override readonly name = 'TokenError'
  readonly fault: TokenFault
  constructor(fault: TokenFault) {
    super(`call token refused: ${fault}`)
    this.fault = fault
  }
}

/** SHA-256 of the `params` text as sent, or of the empty text when there is none. */
export function hashOfParams(crypto: WireCrypto, params: string | undefined): string {
  return crypto.toBase64Url(crypto.sha256(utf8(params ?? '')))
}

export interface SignOptions {
  readonly crypto: WireCrypto
  readonly signingKey: Uint8Array
  /** Public handle of the session, the access token that login returned. */
  readonly sessionHandle: string
  readonly payload: CallToken
}

/** HS256 compact JWS (RFC 7515). */
export function signCallToken({ crypto, signingKey, sessionHandle, payload }: SignOptions): string {
  const text = callTokenText(sessionHandle, payload)
  return `${text}.${toBase64Url(crypto.hmacSha256(signingKey, utf8(text)))}`
}

/** Header and payload of the token: the text that is signed. */
export function callTokenText(sessionHandle: string, payload: CallToken): string {
  const header = toBase64Url(utf8(JSON.stringify({ alg: 'HS256', typ: 'JWT', kid: sessionHandle })))
  return `${header}.${toBase64Url(utf8(JSON.stringify(payload)))}`
}

/** The session that a token claims to be of, read before anything is trusted; null when it is no token. */
export function sessionHandleOf(token: string): string | null {
  if (token.length > tokenTextMax) return null
  const header = headerSchema.safeParse(jsonPart(token.slice(0, token.indexOf('.'))))
  return header.success ? header.data.kid : null
}

export interface VerifyOptions {
  readonly crypto: WireCrypto
  readonly signingKey: Uint8Array
  readonly token: string
  readonly nowMs: number
  readonly method: string
  readonly path: string
}

/**
 * Checks signature, form, clock and the binding to method and path, in this order, and returns the payload: all that can
 * be known before the body is read. What the caller still has to check: that userId, phone and agentId are the session's,
 * `checkTokenFits`, and that `jti` is new.
 */
export function verifyCallToken(options: VerifyOptions): CallToken {
  const { crypto, signingKey, token, nowMs } = options
  if (token.length > tokenTextMax) throw new TokenError('malformed')
  const parts = token.split('.')
  const [header, body, signature] = parts
  if (parts.length !== 3 || !header || !body || !signature) throw new TokenError('malformed')
  const given = crypto.fromBase64Url(signature)
  if (given === null) throw new TokenError('malformed')
  if (!equalBytes(given, crypto.hmacSha256(signingKey, utf8(`${header}.${body}`)))) throw new TokenError('signature')
  if (!headerSchema.safeParse(jsonPart(header, crypto)).success) throw new TokenError('malformed')
  const parsed = callTokenSchema.safeParse(jsonPart(body, crypto))
  if (!parsed.success) throw new TokenError('malformed')
  const payload = parsed.data
  const issuedMs = payload.iat * 1000
  const expiresMs = payload.exp * 1000
  if (expiresMs <= issuedMs || expiresMs - issuedMs > callTokenLifetimeMs) throw new TokenError('malformed')
  // Whole seconds on the wire: a token signed late in a second is up to 999 ms younger than it says.
  if (issuedMs > nowMs + clockSkewMs || expiresMs < nowMs - clockSkewMs) throw new TokenError('clock')
  if (payload.htm !== options.method || payload.htu !== options.path) throw new TokenError('binding')
  return payload
}

interface TokenFit {
  readonly crypto: WireCrypto
  /** As sent; absent when there are none. */
  readonly params: string | undefined
  /** Of a call that carries one. */
  readonly idempotencyKey: string | undefined
}

/** Throws when the token was signed for another body or another Idempotency-Key. */
export function checkTokenFits(token: CallToken, { crypto, params, idempotencyKey }: TokenFit): void {
  const isFit = token.bodyHash === hashOfParams(crypto, params) && token.idempotencyKey === idempotencyKey
  if (!isFit) throw new TokenError('binding')
}

function jsonPart(part: string, reader: Pick<WireCrypto, 'fromBase64Url'> = { fromBase64Url }): unknown {
  const bytes = reader.fromBase64Url(part)
  if (bytes === null) return undefined
  try {
    return JSON.parse(fromUtf8(bytes)) as unknown
  } catch {
    return undefined
  }
}
