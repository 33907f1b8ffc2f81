import {
  constants,
  createCipheriv,
  createDecipheriv,
  createSign,
  createVerify,
  privateDecrypt,
  publicEncrypt,
  type KeyObject,
} from 'node:crypto'
import { z } from 'zod'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Clock } from '#kit/clock.ts'
import type { Random } from '#kit/random.ts'

/** A message that is not the other side's, was changed on the way, or is too old; the text is for the log. */
export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError'
}

/** Our private key and the other side's public one. */
export type EnvelopeKeys = { readonly own: KeyObject; readonly other: KeyObject }

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
export const maxSkewMs = 5 * minuteMs

const envelopeSchema = z.strictObject({
  memberId: z.string().min(1).max(40),
  service: z.string().min(1).max(40),
  timestamp: z.int().positive(),
  nonce: z.string().regex(/^[a-f0-9]{32}$/),
  /** The message's own AES key, under the other side's RSA key (OAEP, SHA-256). */
  key: z.base64().max(1_000),
  /** AES-256-GCM: nonce, encrypted JSON, tag. What is signed is bound to it as associated data. */
  content: z.base64().max(1_500_000),
  /** RSA with SHA-256 over all of the above, by whoever sends it. */
  sign: z.base64().max(1_000),
})
type Envelope = z.output<typeof envelopeSchema>

const headOf = ({ memberId, service, timestamp, nonce }: Omit<Envelope, 'key' | 'content' | 'sign'>): string =>
  [memberId, service, timestamp, nonce].join('\n')
const signedText = (envelope: Omit<Envelope, 'sign'>): string =>
  [headOf(envelope), envelope.key, envelope.content].join('\n')
const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' } as const

/** Signs and encrypts a message: only the other side reads it, and knows that it comes from us. */
export function sealEnvelope(options: {
  readonly keys: EnvelopeKeys
  readonly random: Random
  readonly clock: Clock
  readonly memberId: string
  readonly service: string
  /** Of an answer: the nonce of the request that it answers. */
  readonly nonce?: string
  readonly content: unknown
}): string {
  const { keys, random, clock, memberId, service, content } = options
  const nonce = options.nonce ?? Buffer.from(random.bytes(16)).toString('hex')
  const head = { memberId, service, timestamp: clock.now(), nonce }
  const key = random.bytes(KEY_BYTES)
  const start = random.bytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, start).setAAD(Buffer.from(headOf(head)))
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()])
  const body = {
    ...head,
    key: publicEncrypt({ key: keys.other, ...oaep }, key).toString('base64'),
    content: Buffer.concat([start, encrypted, cipher.getAuthTag()]).toString('base64'),
  }
  const sign = createSign('sha256').update(signedText(body)).sign(keys.own, 'base64')
  return JSON.stringify({ ...body, sign } satisfies Envelope)
}

export type Opened = {
  readonly memberId: string
  readonly service: string
  readonly nonce: string
  readonly content: unknown
}

/** Verifies, then decrypts. Throws EnvelopeError. */
export function openEnvelope(options: {
  readonly keys: EnvelopeKeys
  readonly clock: Clock
  readonly body: string
}): Opened {
  const { keys, clock, body } = options
  const envelope = parsed(body)
  const { memberId, service, nonce, key, content, sign } = envelope
  const isTrue = createVerify('sha256').update(signedText(envelope)).verify(keys.other, sign, 'base64')
  if (!isTrue) throw new EnvelopeError('the signature is not that of the other side')
  if (Math.abs(clock.now() - envelope.timestamp) > maxSkewMs) throw new EnvelopeError('too old, or of another time')
  try {
    const secret = privateDecrypt({ key: keys.own, ...oaep }, Buffer.from(key, 'base64'))
    const bytes = Buffer.from(content, 'base64')
    const end = bytes.length - TAG_BYTES
    const start = bytes.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', secret, start, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(headOf(envelope))).setAuthTag(bytes.subarray(end))
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, end)), decipher.final()]).toString('utf8')
    return { memberId, service, nonce, content: JSON.parse(text) as unknown }
  } catch (cause) {
    throw new EnvelopeError('the content cannot be opened', { cause })
  }
}

function parsed(body: string): Envelope {
  try {
    return envelopeSchema.parse(JSON.parse(body))
  } catch (cause) {
    throw new EnvelopeError('the message has another form', { cause })
  }
}
