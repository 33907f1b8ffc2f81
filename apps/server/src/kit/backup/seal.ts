import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, type DecipherGCM } from 'node:crypto'
import { BackupError } from './manifest.ts'

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** The key of one backup: of the master secret, which is not in it, and of a salt, which is. */
export const backupKey = (secret: string, salt: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, Buffer.from(salt, 'base64url'), 'saddle backup', 32))

export const newSalt = (): string => randomBytes(16).toString('base64url')

/** A file as it lies in a backup: an initial value, the sealed bytes, and their tag. */
export const sealWith = (key: Uint8Array) =>
  async function* seal(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv(algorithm, key, iv)
    yield iv
    for await (const chunk of source) yield cipher.update(chunk)
    yield cipher.final()
    yield cipher.getAuthTag()
  }

/** Its bytes again. They are whole only when it ends: throws BackupError at the end of a file that was changed. */
export const openWith = (key: Uint8Array) =>
  async function* open(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let decipher: DecipherGCM | null = null
    let rest: Buffer = Buffer.alloc(0)
    for await (const chunk of source) {
      rest = Buffer.concat([rest, chunk])
      if (decipher === null) {
        if (rest.length < ivBytes) continue
        decipher = createDecipheriv(algorithm, key, rest.subarray(0, ivBytes))
        rest = rest.subarray(ivBytes)
      }
      const known = rest.length - tagBytes
      if (known <= 0) continue
      yield decipher.update(rest.subarray(0, known))
      rest = rest.subarray(known)
    }
    if (decipher === null || rest.length !== tagBytes) throw new BackupError('A file of the backup is cut off.')
    try {
      yield decipher.setAuthTag(rest).final()
    } catch {
      throw new BackupError('A file of the backup was changed, or its master secret is another one.')
    }
  }
