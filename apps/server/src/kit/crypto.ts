import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { secureRandom, type Random } from './random.ts'

/** A sealed value that does not open: wrong key, wrong context or changed bytes. Says no more than that. */
export class SealError extends Error {
  override readonly name = 'SealError'
}

/** Keys for single purposes, all derived from the master secret; a purpose is a short name such as 'rider-phone'. */
export type Keyring = {
  /** 32 bytes for use outside of this file. */
  key(purpose: string): Uint8Array
  /** HMAC-SHA256 as base64url: for codes, and to look up encrypted values by. */
  hmac(options: { purpose: string; text: string }): string
  /**
   * The same under the present key, the previous secret's and those that were kept of earlier ones, the present first:
   * for values that cannot be hashed anew because what they are a hash of is stored nowhere.
   */
  hmacs(options: { purpose: string; text: string }): readonly [string, ...string[]]
  /** Names of the keys that open what is sealed for this purpose, the present one first. */
  keyIds(purpose: string): readonly [string, ...string[]]
  /** The previous secret's key; null when there is no previous secret. */
  previousKey(purpose: string): { readonly id: string; readonly key: Uint8Array } | null
  /** AES-256-GCM under the present key; `context` (such as the row's id) must be the same to open it. */
  encryptText(options: { purpose: string; text: string; context?: string }): string
  /** Opens what the present or the previous secret sealed. Throws SealError. */
  decryptText(options: { purpose: string; sealed: string; context?: string }): string
  /** The same for bytes, without the third more that a text takes. */
  encryptBytes(options: { purpose: string; bytes: Uint8Array; context?: string }): Buffer
  /** Throws SealError. */
  decryptBytes(options: { purpose: string; sealed: Uint8Array; context?: string }): Buffer
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const SALT = 'saddle keyring v1'
const FORMAT = /^v1\.([\w-]{8})\.([\w-]{38,})$/
/** Version and key in front of sealed bytes. */
const BYTES_HEAD = /^1[\w-]{8}$/
const BYTES_HEAD_LENGTH = 9

type Sealer = { id: string; key: Uint8Array }
/** A key of an earlier master secret that outlives it. */
export type KeptKey = { readonly purpose: string; readonly key: Uint8Array }

export function createKeyring(options: {
  secret: string
  previousSecret?: string | undefined
  kept?: readonly KeptKey[]
  random?: Random
}): Keyring {
  const { secret, previousSecret, kept = [], random = secureRandom } = options
  const masters: readonly [string, ...string[]] =
    previousSecret === undefined || previousSecret === secret ? [secret] : [secret, previousSecret]
  const known = new Map<string, Sealer>()
  const sealer = (master: string, purpose: string): Sealer => {
    // Purposes are names in the code, so this map stays small.
    const name = `${master === secret ? 'present' : 'previous'} ${purpose}`
    const found = known.get(name) ?? derive({ master, purpose })
    known.set(name, found)
    return found
  }
  /** Of the present or the previous secret. Throws SealError. */
  const keyOf = (purpose: string, id: string): Uint8Array => {
    const fitting = masters.map((master) => sealer(master, purpose)).find((candidate) => candidate.id === id)
    if (fitting === undefined) throw new SealError('sealed with a key that is not known here')
    return fitting.key
  }
  return {
    key: (purpose) => sealer(secret, purpose).key.slice(),
    hmac: ({ purpose, text }) => hmacOf(sealer(secret, purpose).key, text),
    hmacs: ({ purpose, text }) => {
      const [present, ...earlier] = masters.map((master) => hmacOf(sealer(master, purpose).key, text))
      const older = kept.filter((one) => one.purpose === purpose).map(({ key }) => hmacOf(key, text))
      return [present ?? '', ...new Set([...earlier, ...older])]
    },
    keyIds: (purpose) => {
      const [present, ...earlier] = masters.map((master) => sealer(master, purpose).id)
      return [present ?? '', ...earlier]
    },
    previousKey: (purpose) => {
      const [, previous] = masters
      return previous === undefined ? null : sealer(previous, purpose)
    },
    encryptText: ({ purpose, text, context = '' }) => {
      const { id, key } = sealer(secret, purpose)
      const body = close({ key, nonce: random.bytes(NONCE_BYTES), plain: text, aad: associated({ purpose, context }) })
      return `v1.${id}.${body.toString('base64url')}`
    },
    decryptText: ({ purpose, sealed, context = '' }) => {
      const [, id, body] = FORMAT.exec(sealed) ?? []
      if (id === undefined || body === undefined) throw new SealError('not a sealed value')
      const key = keyOf(purpose, id)
      return open({ key, body: Buffer.from(body, 'base64url'), aad: associated({ purpose, context }) }).toString('utf8')
    },
    encryptBytes: ({ purpose, bytes, context = '' }) => {
      const { id, key } = sealer(secret, purpose)
      const aad = associated({ purpose, context })
      const body = close({ key, nonce: random.bytes(NONCE_BYTES), plain: bytes, aad })
      return Buffer.concat([Buffer.from(`1${id}`, 'latin1'), body])
    },
    decryptBytes: ({ purpose, sealed, context = '' }) => {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      const head = bytes.toString('latin1', 0, BYTES_HEAD_LENGTH)
      const body = bytes.subarray(BYTES_HEAD_LENGTH)
      if (!BYTES_HEAD.test(head) || body.length < NONCE_BYTES + TAG_BYTES) throw new SealError('not a sealed value')
      return open({ key: keyOf(purpose, head.slice(1)), body, aad: associated({ purpose, context }) })
    },
  }
}

function derive(options: { master: string; purpose: string }): Sealer {
  const key = new Uint8Array(hkdfSync('sha256', options.master, SALT, options.purpose, KEY_BYTES))
  return { key, id: createHash('sha256').update('key id').update(key).digest('base64url').slice(0, 8) }
}

function hmacOf(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

function associated(options: { purpose: string; context: string }): Buffer {
  return Buffer.from(`${options.purpose}\0${options.context}`)
}

function close(options: { key: Uint8Array; nonce: Uint8Array; plain: string | Uint8Array; aad: Buffer }): Buffer {
  const { key, nonce, plain, aad } = options
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aad)
  const sealed = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain)
  return Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()])
}

function open(options: { key: Uint8Array; body: Buffer; aad: Buffer }): Buffer {
  const { key, body, aad } = options
  const end = body.length - TAG_BYTES
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(aad).setAuthTag(body.subarray(end))
    return Buffer.concat([decipher.update(body.subarray(NONCE_BYTES, end)), decipher.final()])
  } catch {
    throw new SealError('the sealed value does not open')
  }
}

/** Compares two texts in a time that tells nothing about where they differ. */
export function isSameText(a: string, b: string): boolean {
  // Hashed first: timingSafeEqual wants equal lengths, and the length would be told otherwise.
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}

/** SHA-256 of a text or bytes as base64url. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('base64url')
}

/** An unguessable id of 128 bits, 22 characters of base64url. */
export function randomId(random: Random = secureRandom): string {
  return Buffer.from(random.bytes(16)).toString('base64url')
}

/** An unguessable token of 256 bits, 43 characters of base64url. */
export function randomToken(random: Random = secureRandom): string {
  return Buffer.from(random.bytes(32)).toString('base64url')
}
