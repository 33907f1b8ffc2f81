import { z } from 'zod'
import { fromBase64Url, fromUtf8, toBase64Url, utf8 } from './bytes.ts'
import type { SessionKeys } from './crypto.ts'

/**
 * Signing-key call (specification, section 7). Both ways are HPKE base mode (RFC 9180) with
 * DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM; text form base64url(enc ‖ ciphertext), `enc` 32 bytes.
 * Up: the request below, sealed to the server's public key. Down: the two keys, sealed to `publicKey`.
 */
export const encapsulatedLength = 32
export const keyRequestInfo = utf8('saddle/1 signing-key request')
export const keyAnswerInfo = utf8('saddle/1 signing-key answer')

export const keyRequestSchema = z.strictObject({
  /** The client's one-time X25519 public key, base64url. */
  publicKey: z.string().length(43),
  /** The access token that the keys are asked for; a sealed request cannot be moved to another session. */
  sessionHandle: z.string().max(64),
  issuedAt: z.int(),
})
export type KeyRequest = z.infer<typeof keyRequestSchema>

const keyAnswerSchema = z.strictObject({ encryptionKey: z.string().length(43), signingKey: z.string().length(43) })

export function encodeSessionKeys(keys: SessionKeys): Uint8Array {
  const text = { encryptionKey: toBase64Url(keys.encryptionKey), signingKey: toBase64Url(keys.signingKey) }
  return utf8(JSON.stringify(text))
}

/** Throws when the plaintext is not the two keys. */
export function decodeSessionKeys(plaintext: Uint8Array): SessionKeys {
  const { encryptionKey, signingKey } = keyAnswerSchema.parse(JSON.parse(fromUtf8(plaintext)))
  const first = fromBase64Url(encryptionKey)
  const second = fromBase64Url(signingKey)
  if (first?.length !== 32 || second?.length !== 32) throw new TypeError('session keys have the wrong length')
  return { encryptionKey: first, signingKey: second }
}
