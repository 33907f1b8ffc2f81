import { concatBytes, fromUtf8, utf8 } from './bytes.ts'
import type { WireCrypto } from './crypto.ts'

/** `params` = base64url(iv ‖ ciphertext ‖ tag), AES-256-GCM with a random 96-bit nonce. */
const ivLength = 12
const tagLength = 16
/** Longest text accepted in `params`; larger things travel as files. */
export const envelopeTextMax = 4_000_000

/** What an envelope is bound to, so that it opens nowhere else. */
export interface EnvelopeBinding {
  readonly method: string
  readonly path: string
  readonly direction: 'request' | 'answer'
  /** `jti` of the call: an answer cannot be passed off as that of another call. */
  readonly callId: string
}

export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError'
}

const associated = (binding: EnvelopeBinding): Uint8Array =>
  utf8(`saddle/1|${binding.direction}|${binding.method}|${binding.path}|${binding.callId}`)

export function sealEnvelope(crypto: WireCrypto, key: Uint8Array, binding: EnvelopeBinding, value: unknown): string {
  const iv = crypto.randomBytes(ivLength)
  const sealed = crypto.sealAesGcm(key, iv, utf8(JSON.stringify(value)), associated(binding))
  return crypto.toBase64Url(concatBytes(iv, sealed))
}

/** The value inside; throws `EnvelopeError` on anything that was not sealed for exactly this binding. */
export function openEnvelope(crypto: WireCrypto, key: Uint8Array, binding: EnvelopeBinding, params: string): unknown {
  if (params.length > envelopeTextMax) throw new EnvelopeError('envelope too long')
  const bytes = crypto.fromBase64Url(params)
  if (bytes === null || bytes.length < ivLength + tagLength) throw new EnvelopeError('not an envelope')
  let plaintext: Uint8Array
  try {
    plaintext = crypto.openAesGcm(key, bytes.subarray(0, ivLength), bytes.subarray(ivLength), associated(binding))
  } catch (cause) {
    throw new EnvelopeError('envelope does not open', { cause })
  }
  try {
    return JSON.parse(fromUtf8(plaintext)) as unknown
  } catch (cause) {
    throw new EnvelopeError('envelope holds no JSON', { cause })
  }
}
