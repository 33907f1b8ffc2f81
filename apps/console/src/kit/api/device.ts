import { toBase64Url } from '@saddle/contract/wire/bytes.ts'
import { readStored, writeStored } from '#kit/storage.ts'

/** A random id of this browser, for the logs; it proves nothing. */
export function deviceId(): string {
  const known = readStored('device')
  if (typeof known === 'string') return known
  const fresh = toBase64Url(crypto.getRandomValues(new Uint8Array(12)))
  writeStored('device', fresh)
  return fresh
}
