import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

const toleranceMs = 300_000

/**
 * Whether a webhook's message was signed by this key and not long ago: `signature` is the header `Saddle-Signature`, `text` the
 * body as it came.
 */
export function isSignedBy(options: {
  readonly secret: string
  readonly signature: string
  readonly text: string
  readonly nowMs: number
}): boolean {
  const { secret, signature, text, nowMs } = options
  const seconds = /^t=(\d{1,12}),/.exec(signature)?.[1]
  if (seconds === undefined || Math.abs(nowMs - Number(seconds) * 1_000) > toleranceMs) return false
  const expected = bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(`${seconds}.${text}`)))
  return signature.split(',').some((part) => isEqual(part, `v1=${expected}`))
}

/** Takes as long for any text of one length: how long it takes tells nothing about the signature. */
function isEqual(left: string, right: string): boolean {
  if (left.length !== right.length) return false
  let difference = 0
  for (let index = 0; index < left.length; index += 1) difference |= left.charCodeAt(index) ^ right.charCodeAt(index)
  return difference === 0
}
