import { gcm } from '@noble/ciphers/aes.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { fromBase64Url, toBase64Url } from '@saddle/contract/wire/bytes.ts'
import type { SessionKeys, WireCrypto } from '@saddle/contract/wire/crypto.ts'
import type { SessionCipher } from './cipher.ts'
import { wireCipher } from './wireCipher.ts'

const primitives: WireCrypto = {
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  sha256: (data) => sha256(data),
  hmacSha256: (key, data) => hmac(sha256, key, data),
  toBase64Url,
  fromBase64Url,
  sealAesGcm: (key, iv, plaintext, associated) => gcm(key, iv, associated).encrypt(plaintext),
  openAesGcm: (key, iv, sealed, associated) => gcm(key, iv, associated).decrypt(sealed),
}

/**
 * The same in plain JavaScript, for an installation that was told to allow plain http: there the browser has no
 * `crypto.subtle`. Fetched by no other page.
 */
export const plainCipher = (keys: SessionKeys): SessionCipher => wireCipher(primitives, keys)
