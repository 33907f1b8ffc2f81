import { concatBytes, fromBase64Url, toBase64Url, utf8 } from '@saddle/contract/wire/bytes.ts'
import type { SessionKeys } from '@saddle/contract/wire/crypto.ts'
import {
  associatedData,
  doesNotOpen,
  envelopeIvLength,
  envelopePlaintext,
  envelopeValue,
  splitEnvelope,
  type EnvelopeBinding,
} from '@saddle/contract/wire/envelope.ts'
import { callTokenText, type CallToken } from '@saddle/contract/wire/token.ts'

/** Handles with which a browser signs and seals; no script can read the bytes behind them. */
export interface KeyHandles {
  readonly encryption: CryptoKey
  readonly signing: CryptoKey
}
/** Bytes only where there is no `crypto.subtle`: in a browser over plain http from another machine. */
export type HeldKeys = KeyHandles | SessionKeys

/** What can be done with the keys of a session, without having them. */
export interface SessionCipher {
  /** SHA-256 of the `params` text as sent, or of the empty text when there is none. */
  hashOfParams(params: string | undefined): Promise<string>
  signToken(sessionHandle: string, payload: CallToken): Promise<string>
  seal(binding: EnvelopeBinding, value: unknown): Promise<string>
  /** Throws `EnvelopeError` on anything that was not sealed for exactly this binding. */
  open(binding: EnvelopeBinding, params: string): Promise<unknown>
}

/** Turns keys into handles that cannot be read, where there is `crypto.subtle`. */
export async function handlesOf(keys: SessionKeys): Promise<HeldKeys> {
  // Absent outside of secure contexts, whatever its type says.
  const subtle = crypto.subtle as SubtleCrypto | undefined
  if (subtle === undefined) return keys
  const [encryption, signing] = await Promise.all([
    subtle.importKey('raw', new Uint8Array(keys.encryptionKey), 'AES-GCM', false, ['encrypt', 'decrypt']),
    subtle.importKey('raw', new Uint8Array(keys.signingKey), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']),
  ])
  return { encryption, signing }
}

/** WebCrypto, or ciphers in plain JavaScript where there is none. */
export async function cipherOf(keys: HeldKeys): Promise<SessionCipher> {
  if ('signing' in keys) return webCryptoCipher(keys)
  const { plainCipher } = await import('./plainCipher.ts')
  return plainCipher(keys)
}

/** `crypto.subtle` takes no view of memory that could be shared. */
const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)
const text = (buffer: ArrayBuffer): string => toBase64Url(new Uint8Array(buffer))

function webCryptoCipher({ encryption, signing }: KeyHandles): SessionCipher {
  const { subtle } = crypto
  const gcm = (iv: Uint8Array, binding: EnvelopeBinding): AesGcmParams => ({
    name: 'AES-GCM',
    iv: own(iv),
    additionalData: own(associatedData(binding)),
  })
  return {
    hashOfParams: async (params) => text(await subtle.digest('SHA-256', own(utf8(params ?? '')))),
    signToken: async (sessionHandle, payload) => {
      const signed = callTokenText(sessionHandle, payload)
      return `${signed}.${text(await subtle.sign('HMAC', signing, own(utf8(signed))))}`
    },
    seal: async (binding, value) => {
      const iv = crypto.getRandomValues(new Uint8Array(envelopeIvLength))
      const sealed = await subtle.encrypt(gcm(iv, binding), encryption, own(envelopePlaintext(value)))
      return toBase64Url(concatBytes(iv, new Uint8Array(sealed)))
    },
    open: async (binding, params) => {
      const { iv, sealed } = splitEnvelope({ fromBase64Url }, params)
      const plaintext = await subtle.decrypt(gcm(iv, binding), encryption, own(sealed)).catch((cause: unknown) => {
        throw doesNotOpen(cause)
      })
      return envelopeValue(new Uint8Array(plaintext))
    },
  }
}
