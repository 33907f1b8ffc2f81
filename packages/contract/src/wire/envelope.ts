import { concatBytes, fromUtf8, utf8 } from './bytes.ts'
import type { WireCrypto } from './crypto.ts'

/** `params` = base64url(iv ‖ ciphertext ‖ tag), AES-256-GCM with a random 96-bit nonce. */
export const envelopeIvLength = 12
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

/** The associated data of AES-GCM: an envelope opens only for the call and the direction that it was sealed for. */
export const associatedData = (binding: EnvelopeBinding): Uint8Array =>
  utf8(`saddle/1|${binding.direction}|${binding.method}|${binding.path}|${binding.callId}`)

/** What is sealed: the value as JSON. */
export const envelopePlaintext = (value: unknown): Uint8Array => utf8(JSON.stringify(value))

/** Nonce and ciphertext‖tag of `params`; throws `EnvelopeError` on what cannot be an envelope. */
export function splitEnvelope(
  reader: Pick<WireCrypto, 'fromBase64Url'>,
  params: string,
): { iv: Uint8Array; sealed: Uint8Array } {
  if (params.length > envelopeTextMax) throw new EnvelopeError('envelope too long')
  const bytes = reader.fromBase64Url(params)
  if (bytes === null || bytes.length < envelopeIvLength + tagLength) throw new EnvelopeError('not an envelope')
  return { iv: bytes.subarray(0, envelopeIvLength), sealed: bytes.subarray(envelopeIvLength) }
}

/** For keys that do not open an envelope, whatever the reason. */
export const doesNotOpen = (cause: unknown): EnvelopeError => new EnvelopeError('envelope does not open', { cause })

/** The value inside an opened envelope. */
export function envelopeValue(plaintext: Uint8Array): unknown {
  try {
    return JSON.parse(fromUtf8(plaintext)) as unknown
  } catch (cause) {
    throw new EnvelopeError('envelope holds no JSON', { cause })
  }
}

export function sealEnvelope(crypto: WireCrypto, key: Uint8Array, binding: EnvelopeBinding, value: unknown): string {
  const iv = crypto.randomBytes(envelopeIvLength)
  const sealed = crypto.sealAesGcm(key, iv, envelopePlaintext(value), associatedData(binding))
  return crypto.toBase64Url(concatBytes(iv, sealed))
}

/** The value inside; throws `EnvelopeError` on anything that was not sealed for exactly this binding. */
export function openEnvelope(crypto: WireCrypto, key: Uint8Array, binding: EnvelopeBinding, params: string): unknown {
  const { iv, sealed } = splitEnvelope(crypto, params)
  let plaintext: Uint8Array
  try {
    plaintext = crypto.openAesGcm(key, iv, sealed, associatedData(binding))
  } catch (cause) {
    throw doesNotOpen(cause)
  }
  return envelopeValue(plaintext)
}
