import { gcm } from '@noble/ciphers/aes.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { fromBase64Url, toBase64Url } from '@saddle/contract/wire/bytes.ts'
import type { WireCrypto } from '@saddle/contract/wire/crypto.ts'

/** The wire's primitives in plain JavaScript: `crypto.subtle` is missing on plain-http addresses of a local network. */
export const wireCrypto: WireCrypto = {
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  sha256: (data) => sha256(data),
  hmacSha256: (key, data) => hmac(sha256, key, data),
  toBase64Url,
  fromBase64Url,
  sealAesGcm: (key, iv, plaintext, associated) => gcm(key, iv, associated).encrypt(plaintext),
  openAesGcm: (key, iv, sealed, associated) => gcm(key, iv, associated).decrypt(sealed),
}
