import type { KeyObject } from 'node:crypto'
import { isSignedBy, readPublicKey } from '@saddle/device-protocols/image.ts'

/** Public keys of those who sign firmware and voice packs. The platform has no private one. */
export type Signers = {
  /** The name of the key that signed the bytes; null when none of the known ones did. */
  signerOf(bytes: Uint8Array, signature: Uint8Array): string | null
  /** Adds a key. Throws when it is none. */
  trust(name: string, base64: string): void
}

export function createSigners(given: readonly { readonly name: string; readonly key: string }[]): Signers {
  const keys = new Map<string, KeyObject>()
  const trust = (name: string, base64: string): void => {
    const key = readPublicKey(base64)
    if (key === null) throw new Error(`the key ${name} is no Ed25519 key of 32 bytes in base64`)
    keys.set(name, key)
  }
  for (const { name, key } of given) trust(name, key)
  return {
    trust,
    signerOf(bytes, signature) {
      for (const [name, key] of keys) if (isSignedBy(key, bytes, signature)) return name
      return null
    },
  }
}
