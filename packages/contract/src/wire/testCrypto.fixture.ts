import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto'
import { fromBase64Url, toBase64Url } from './bytes.ts'
import type { WireCrypto } from './crypto.ts'

/** The wire's primitives for tests of contract and console, which do not import the server's; `randomBytes` decides the nonces. */
export function testCrypto(randomBytes: (length: number) => Uint8Array): WireCrypto {
  return {
    randomBytes,
    toBase64Url,
    fromBase64Url,
    sha256: (data) => new Uint8Array(createHash('sha256').update(data).digest()),
    hmacSha256: (key, data) => new Uint8Array(createHmac('sha256', key).update(data).digest()),
    sealAesGcm: (key, iv, plaintext, associated) => {
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(associated)
      return new Uint8Array(Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]))
    },
    openAesGcm: (key, iv, sealed, associated) => {
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 }).setAAD(associated)
      decipher.setAuthTag(sealed.subarray(-16))
      return new Uint8Array(Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]))
    },
  }
}
