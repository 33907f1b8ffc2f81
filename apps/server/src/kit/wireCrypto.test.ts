import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromBase64Url, toBase64Url } from '@saddle/contract/wire/bytes.ts'
import { nodeWireCrypto } from './wireCrypto.ts'

describe('the wire with node:crypto', () => {
  it('spells bytes as the contract does, and reads no other spelling', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const text = nodeWireCrypto.toBase64Url(bytes)
        expect(text).toBe(toBase64Url(bytes))
        expect(new Uint8Array(nodeWireCrypto.fromBase64Url(text) ?? [])).toEqual(bytes)
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (text) => {
        const known = fromBase64Url(text)
        const given = nodeWireCrypto.fromBase64Url(text)
        expect(given === null ? null : new Uint8Array(given)).toEqual(known)
      }),
    )
  })

  it('opens what it sealed, with the same key, nonce and data only', () => {
    const key = new Uint8Array(32).fill(1)
    const iv = new Uint8Array(12).fill(2)
    const data = new Uint8Array([1, 2, 3])
    const sealed = nodeWireCrypto.sealAesGcm(key, iv, data, iv)
    expect(new Uint8Array(nodeWireCrypto.openAesGcm(key, iv, sealed, iv))).toEqual(data)
    expect(() => nodeWireCrypto.openAesGcm(key, iv, sealed, data)).toThrow()
    expect(() => nodeWireCrypto.openAesGcm(new Uint8Array(32), iv, sealed, iv)).toThrow()
  })
})
