import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { fromBase64Url, toBase64Url } from '@saddle/contract/wire/bytes.ts'
import type { WireCrypto } from '@saddle/contract/wire/crypto.ts'

const tagLength = 16

/** The wire's primitives by node:crypto, as the server has them. */
export const nodeCrypto: WireCrypto = {
  randomBytes: (length) => new Uint8Array(randomBytes(length)),
  sha256: (data) => new Uint8Array(createHash('sha256').update(data).digest()),
  hmacSha256: (key, data) => new Uint8Array(createHmac('sha256', key).update(data).digest()),
  toBase64Url,
  fromBase64Url,
  sealAesGcm: (key, iv, plaintext, associated) => {
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    cipher.setAAD(associated)
    return new Uint8Array(Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]))
  },
  openAesGcm: (key, iv, sealed, associated) => {
    const decipher = createDecipheriv('aes-256-gcm', key, iv)
    decipher.setAAD(associated)
    decipher.setAuthTag(sealed.subarray(sealed.length - tagLength))
    const body = sealed.subarray(0, sealed.length - tagLength)
    return new Uint8Array(Buffer.concat([decipher.update(body), decipher.final()]))
  },
}
