import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import { ProtocolError } from './error.ts'

/** The header of a firmware image: what it is, before its first byte of code. */
export type ImageHeader = {
  version: string
  protocol: string
  /** Empty: every model of the protocol. */
  models: string[]
}

const magic = Buffer.from('SDFW')
const formatVersion = 1
const headStart = magic.length + 3
const headMax = 4_096

export const signatureBytes = 64
/** What stands before the 32 bytes of an Ed25519 key in its usual form. */
const keyPrefix = Buffer.from('302a300506032b6570032100', 'hex')
const keyBytes = 32

/** The public key of 32 bytes in base64; null where it is none. */
export function readPublicKey(base64: string): KeyObject | null {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length !== keyBytes) return null
  return createPublicKey({ key: Buffer.concat([keyPrefix, bytes]), format: 'der', type: 'spki' })
}

/** The inverse of readPublicKey. */
export function writePublicKey(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).subarray(keyPrefix.length).toString('base64')
}

export function isImage(bytes: Uint8Array): boolean {
  return magic.equals(Buffer.from(bytes.subarray(0, magic.length)))
}

/**
 * The header of a firmware image.
 *
 * @throws ProtocolError when it is malformed.
 */
export function readImageHeader(bytes: Buffer): ImageHeader {
  if (!isImage(bytes) || bytes[magic.length] !== formatVersion || bytes.length < headStart) {
    throw new ProtocolError('the file is no firmware image')
  }
  const length = bytes.readUInt16BE(magic.length + 1)
  if (length > headMax || headStart + length > bytes.length) throw new ProtocolError('the header is cut off')
  let head: unknown
  try {
    head = JSON.parse(bytes.toString('utf8', headStart, headStart + length))
  } catch {
    throw new ProtocolError('the header is not JSON')
  }
  const { version, protocol, models } = (head ?? {}) as Partial<Record<keyof ImageHeader, unknown>>
  if (typeof version !== 'string' || typeof protocol !== 'string')
    throw new ProtocolError('the header names no version')
  if (!Array.isArray(models) || !models.every((model): model is string => typeof model === 'string')) {
    throw new ProtocolError('the header names no models')
  }
  return { version, protocol, models }
}

/** A firmware image of a header and code. */
export function writeImage(header: ImageHeader, code: Uint8Array): Buffer {
  const head = Buffer.from(JSON.stringify(header))
  const start = Buffer.alloc(headStart)
  magic.copy(start)
  start[magic.length] = formatVersion
  start.writeUInt16BE(head.length, magic.length + 1)
  return Buffer.concat([start, head, code])
}

/** What travels where the protocol has no field for a signature: the bytes with their signature behind them. */
export function withSignature(bytes: Uint8Array, signature: Uint8Array): Buffer {
  return Buffer.concat([bytes, signature])
}

/** The bytes of what `withSignature` made; null when the signature is not of this key. */
export function openSigned(key: KeyObject, signed: Buffer): Buffer | null {
  if (signed.length <= signatureBytes) return null
  const bytes = signed.subarray(0, -signatureBytes)
  return isSignedBy(key, bytes, signed.subarray(-signatureBytes)) ? bytes : null
}

export function isSignedBy(key: KeyObject, bytes: Uint8Array, signature: Uint8Array): boolean {
  return signature.length === signatureBytes && verify(null, bytes, key, signature)
}
