import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes } from 'node:crypto'
import { fromBase64Url, toBase64Url } from '@saddle/contract/wire/bytes.ts'
import type { WireCrypto } from '@saddle/contract/wire/crypto.ts'

const tagLength = 16

/** The wire's primitives, as a phone has them. */
export const phoneCrypto: WireCrypto = {
  randomBytes: (length) => randomBytes(length),
  sha256: (data) => hash('sha256', data, 'buffer'),
  hmacSha256: (key, data) => createHmac('sha256', key).update(data).digest(),
  toBase64Url,
  fromBase64Url,
  sealAesGcm: (key, iv, plaintext, associated) => {
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(associated)
    return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
  },
  openAesGcm: (key, iv, sealed, associated) => {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagLength }).setAAD(associated)
    decipher.setAuthTag(sealed.subarray(sealed.length - tagLength))
    return Buffer.concat([decipher.update(sealed.subarray(0, sealed.length - tagLength)), decipher.final()])
  },
}
