import { describe, expect, test } from 'vitest'
import { createSeededRandom } from '#kit/random.ts'
import {
  failureState,
  fromBase32,
  matchingStep,
  newRecoveryCodes,
  newTotpSecret,
  readCode,
  stepMs,
  toBase32,
  totpCode,
  totpFailureWindowMs,
  totpUri,
} from './rules.ts'

/** The secret of RFC 6238, appendix B. */
const secret = toBase32(Buffer.from('12345678901234567890'))

describe('a code', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %i is the one of RFC 6238', (seconds, code) => {
    expect(totpCode(secret, Math.floor((seconds * 1000) / stepMs))).toBe(code)
  })

  test('of the step before, of now and of the step after is taken, and of no other', () => {
    const nowMs = 1_000 * stepMs
    const match = (step: number, lastStep = 0) =>
      matchingStep({ secret, code: totpCode(secret, step), nowMs, lastStep })
    expect([998, 999, 1000, 1001, 1002].map((step) => match(step))).toEqual([null, 999, 1000, 1001, null])
    expect([999, 1000, 1001].map((step) => match(step, 1000))).toEqual([null, null, 1001])
    expect(matchingStep({ secret, code: '', nowMs, lastStep: 0 })).toBeNull()
  })
})

test('base32 is that of RFC 4648 and goes both ways', () => {
  expect(toBase32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
  const random = createSeededRandom(1)
  for (let length = 0; length < 40; length += 1) {
    const bytes = random.bytes(length)
    expect(fromBase32(toBase32(bytes))).toEqual(bytes)
  }
  expect(newTotpSecret(random)).toMatch(/^[A-Z2-7]{32}$/)
})

test('the picture names company, person and secret', () => {
  const uri = new URL(totpUri({ secret: 'ABC', issuer: '青骑 & 甲', account: '138****8000' }))
  expect(decodeURIComponent(uri.pathname)).toContain('青骑 & 甲:138****8000')
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: 'ABC',
    issuer: '青骑 & 甲',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

test('recovery codes differ and are read as people type them', () => {
  const codes = newRecoveryCodes(createSeededRandom(2))
  expect(new Set(codes).size).toBe(10)
  const [first = ''] = codes
  expect(first).toMatch(/^[A-Z2-7]{5}-[A-Z2-7]{5}$/)
  const plain = first.replace('-', '')
  expect(readCode(` ${first.toLowerCase()} `)).toEqual({ kind: 'recovery', code: plain })
  expect(readCode('123 456')).toEqual({ kind: 'totp', code: '123456' })
  for (const wrong of ['', '12345', '1234567', 'ABCDE', `${plain}A`, '１２３４５６']) expect(readCode(wrong)).toBeNull()
})

test('failures count for a while and lock at the fifth', () => {
  const since = new Date(1_000_000)
  const state = (failures: number, afterMs: number) =>
    failureState({ failures, since, nowMs: since.getTime() + afterMs })
  expect(state(4, 0)).toEqual({ failures: 4, lockedUntilMs: null })
  expect(state(5, 0)).toEqual({ failures: 5, lockedUntilMs: since.getTime() + totpFailureWindowMs })
  expect(state(5, totpFailureWindowMs)).toEqual({ failures: 0, lockedUntilMs: null })
  expect(failureState({ failures: 0, since: null, nowMs: 0 })).toEqual({ failures: 0, lockedUntilMs: null })
})
