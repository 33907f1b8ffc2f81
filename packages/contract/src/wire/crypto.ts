/**
 * The primitives that the wire needs, over keys that are bytes. The server fills them with node:crypto. A browser does the
 * same with `crypto.subtle` and keys that are handles; where that is missing, over plain http, it fills these with noble.
 */
export interface WireCrypto {
  randomBytes(length: number): Uint8Array
  sha256(data: Uint8Array): Uint8Array
  hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array
  /** AES-256-GCM; returns ciphertext‖tag (16 bytes). */
  sealAesGcm(key: Uint8Array, iv: Uint8Array, plaintext: Uint8Array, associated: Uint8Array): Uint8Array
  /** Canonical base64url without padding: `toBase64Url` and `fromBase64Url` of bytes.ts, or what does the same faster. */
  toBase64Url(bytes: Uint8Array): string
  fromBase64Url(text: string): Uint8Array | null
  /** Throws when key, associated data or tag do not fit. */
  openAesGcm(key: Uint8Array, iv: Uint8Array, sealed: Uint8Array, associated: Uint8Array): Uint8Array
}

/** The two values that the signing-key call hands out (32 bytes each). */
export interface SessionKeys {
  readonly encryptionKey: Uint8Array
  readonly signingKey: Uint8Array
}
