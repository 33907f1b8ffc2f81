import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import type { WireCrypto } from '@saddle/contract/wire/crypto.ts'

const tagLength = 16

/** The wire's primitives from node:crypto; the browser fills the same interface with noble. */
export const nodeWireCrypto: WireCrypto = {
  randomBytes: (length) => randomBytes(length),
  sha256: (data) => createHash('sha256').update(data).digest(),
  hmacSha256: (key, data) => createHmac('sha256', key).update(data).digest(),
  sealAesGcm: (key, iv, plaintext, associated) => {
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(associated)
    const body = cipher.update(plaintext)
    cipher.final()
    return Buffer.concat([body, cipher.getAuthTag()])
  },
  openAesGcm: (key, iv, sealed, associated) => {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagLength }).setAAD(associated)
    decipher.setAuthTag(sealed.subarray(sealed.length - tagLength))
    const body = decipher.update(sealed.subarray(0, sealed.length - tagLength))
    decipher.final()
    return body
  },
}
