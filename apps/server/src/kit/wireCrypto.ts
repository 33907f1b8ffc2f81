import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import type { WireCrypto } from '@saddle/contract/wire/crypto.ts'

const tagLength = 16

/** Node prepares a raw key on each use, which costs more than the cipher itself; sessions keep the prepared key. */
const prepared = new WeakMap<Uint8Array, KeyObject>()

function keyOf(raw: Uint8Array): KeyObject {
  let key = prepared.get(raw)
  if (key === undefined) {
    key = createSecretKey(raw)
    prepared.set(raw, key)
  }
  return key
}

/** The wire's primitives from node:crypto. */
export const nodeWireCrypto: WireCrypto = {
  randomBytes: (length) => randomBytes(length),
  sha256: (data) => hash('sha256', data, 'buffer'),
  hmacSha256: (key, data) => createHmac('sha256', keyOf(key)).update(data).digest(),
  toBase64Url: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url'),
  fromBase64Url: (text) => {
    const bytes = Buffer.from(text, 'base64url')
    // Buffer decodes leniently; only the one canonical encoding is accepted.
    return bytes.toString('base64url') === text ? bytes : null
  },
  sealAesGcm: (key, iv, plaintext, associated) => {
    const cipher = createCipheriv('aes-256-gcm', keyOf(key), iv).setAAD(associated)
    const body = cipher.update(plaintext)
    cipher.final()
    return Buffer.concat([body, cipher.getAuthTag()])
  },
  openAesGcm: (key, iv, sealed, associated) => {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(key), iv, { authTagLength: tagLength }).setAAD(associated)
    decipher.setAuthTag(sealed.subarray(sealed.length - tagLength))
    const body = decipher.update(sealed.subarray(0, sealed.length - tagLength))
    decipher.final()
    return body
  },
}
