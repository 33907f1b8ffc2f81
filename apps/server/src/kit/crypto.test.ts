import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKeyring, isSameText, randomId, randomToken, SealError } from './crypto.ts'
import { createSeededRandom, randomBelow, randomDigits, secureRandom } from './random.ts'

const SECRET = 'one secret that has more than 32 characters'
const OTHER = 'another secret with more than 32 characters'
const keyring = createKeyring({ secret: SECRET })

describe('createKeyring', () => {
  it('opens what it sealed, for every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, context) => {
        const sealed = keyring.encryptText({ purpose: 'p', text: text.toWellFormed(), context })
        expect(keyring.decryptText({ purpose: 'p', sealed, context })).toBe(text.toWellFormed())
      }),
    )
  })

  it('opens nothing that was changed, moved to another context or sealed for another purpose', () => {
    const sealed = keyring.encryptText({ purpose: 'p', text: '13800138000', context: 'row 1' })
    expect(() => keyring.decryptText({ purpose: 'p', sealed, context: 'row 2' })).toThrow(SealError)
    expect(() => keyring.decryptText({ purpose: 'q', sealed, context: 'row 1' })).toThrow(SealError)
    expect(() => createKeyring({ secret: OTHER }).decryptText({ purpose: 'p', sealed, context: 'row 1' })).toThrow(
      SealError,
    )
    const [version, id, body] = sealed.split('.') as [string, string, string]
    const bytes = Buffer.from(body, 'base64url')
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes)
      changed[index]! ^= 1
      const forged = [version, id, changed.toString('base64url')].join('.')
      expect(() => keyring.decryptText({ purpose: 'p', sealed: forged, context: 'row 1' })).toThrow(SealError)
    }
    for (const garbage of ['', 'v1', 'v1..', 'v2.aaaaaaaa.bbbb', `v1.${id}.AAAA`, `${sealed}.x`]) {
      expect(() => keyring.decryptText({ purpose: 'p', sealed: garbage, context: 'row 1' })).toThrow(SealError)
    }
  })

  it('seals the same text differently every time, and looks it up by its hmac', () => {
    const seal = (): string => keyring.encryptText({ purpose: 'p', text: 'same' })
    expect(seal()).not.toBe(seal())
    const hmac = keyring.hmac({ purpose: 'p', text: 'same' })
    expect(keyring.hmac({ purpose: 'p', text: 'same' })).toBe(hmac)
    expect(keyring.hmac({ purpose: 'q', text: 'same' })).not.toBe(hmac)
    expect(hmac).toMatch(/^[\w-]{43}$/)
  })

  it('still opens what the previous secret sealed', () => {
    const sealed = keyring.encryptText({ purpose: 'p', text: 'old' })
    const rotated = createKeyring({ secret: OTHER, previousSecret: SECRET })
    expect(rotated.decryptText({ purpose: 'p', sealed })).toBe('old')
    expect(() =>
      keyring.decryptText({ purpose: 'p', sealed: rotated.encryptText({ purpose: 'p', text: 'new' }) }),
    ).toThrow(SealError)
  })

  it('seals bytes as it seals text', () => {
    const bytes = secureRandom.bytes(1_000)
    const sealed = keyring.encryptBytes({ purpose: 'p', bytes, context: 'row 1' })
    const open = (changes: object): Buffer =>
      keyring.decryptBytes({ purpose: 'p', sealed, context: 'row 1', ...changes })
    expect(open({})).toEqual(Buffer.from(bytes))
    const forged = Buffer.from(sealed)
    forged[500]! ^= 1
    for (const changes of [
      { context: 'row 2' },
      { purpose: 'q' },
      { sealed: forged },
      { sealed: sealed.subarray(0, 20) },
    ]) {
      expect(() => open(changes)).toThrow(SealError)
    }
    const rotated = createKeyring({ secret: OTHER, previousSecret: SECRET })
    expect(rotated.decryptBytes({ purpose: 'p', sealed, context: 'row 1' })).toEqual(Buffer.from(bytes))
  })

  it('hands out keys that nobody can change inside', () => {
    keyring.key('p').fill(0)
    expect(keyring.key('p')).not.toEqual(new Uint8Array(32))
  })
})

it('compares texts', () => {
  expect(isSameText('abc', 'abc')).toBe(true)
  for (const other of ['', 'abd', 'ab', 'abcd']) expect(isSameText('abc', other)).toBe(false)
})

describe('random', () => {
  it('makes ids of the promised length that never repeat', () => {
    const ids = Array.from({ length: 10_000 }, () => randomId())
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((id) => /^[\w-]{22}$/.test(id))).toBe(true)
    expect(randomToken()).toMatch(/^[\w-]{43}$/)
  })

  it('repeats itself for the same seed only', () => {
    const draw = (seed: number): string => randomDigits({ random: createSeededRandom(seed), length: 30 })
    expect(draw(1)).toBe(draw(1))
    expect(draw(1)).not.toBe(draw(2))
    expect(draw(1)).toMatch(/^\d{30}$/)
  })

  it('draws every number below the bound about equally often', () => {
    const random = createSeededRandom(20_261_121)
    const counts = Array.from({ length: 6 }, () => 0)
    for (let draw = 0; draw < 60_000; draw += 1) counts[randomBelow({ random, bound: 6 })]! += 1
    expect(Math.min(...counts)).toBeGreaterThan(9_500)
    expect(() => randomBelow({ random: secureRandom, bound: 0 })).toThrow(RangeError)
    expect(() => randomBelow({ random: { bytes: (length) => new Uint8Array(length).fill(255) }, bound: 10 })).toThrow(
      'repeats',
    )
  })
})
