import { describe, expect, it } from 'vitest'
import { EnvelopeError, openEnvelope, sealEnvelope, type EnvelopeBinding } from './envelope.ts'
import { testCrypto } from './testCrypto.fixture.ts'
import { hashOfParams, sessionHandleOf, signCallToken, TokenError, verifyCallToken, type CallToken } from './token.ts'
import { thorough } from '../../../../scripts/lib/thorough.mjs'

// A longer run tries a million of each; the short one keeps the harness honest.
const rounds = thorough({ normal: 10_000, long: 300_000, full: 1_000_000 })
const seed = Number(process.env['SADDLE_SEED'] ?? 20_261_121)
const timeoutMs = 20 * 60_000

/** mulberry32: repeatable from the printed seed. */
function createRandom(start: number): (below: number) => number {
  let state = start >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * below)
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ {}"\u0000é'

/** One to four edits: change, insert, delete, cut, double, swap parts. Never the text itself. */
function mutate(text: string, random: (below: number) => number): string {
  let changed = text
  for (let edits = 1 + random(4); edits > 0; edits--) {
    const at = random(changed.length + 1)
    const letter = alphabet[random(alphabet.length)] ?? 'A'
    const kind = random(6)
    if (kind === 0) changed = changed.slice(0, at) + letter + changed.slice(at + 1)
    else if (kind === 1) changed = changed.slice(0, at) + letter + changed.slice(at)
    else if (kind === 2) changed = changed.slice(0, at) + changed.slice(at + 1 + random(4))
    else if (kind === 3) changed = changed.slice(0, at)
    else if (kind === 4) changed = changed.slice(0, at) + changed.slice(at, at + 8) + changed.slice(at)
    else changed = changed.slice(at) + changed.slice(0, at)
  }
  return changed === text ? `${text}A` : changed
}

describe(`mutated, seed ${seed}`, () => {
  const random = createRandom(seed)
  const crypto = testCrypto((length) => Uint8Array.from({ length }, () => random(256)))
  const key = crypto.randomBytes(32)
  const binding: EnvelopeBinding = { method: 'POST', path: '/a', direction: 'request', callId: 'call-0001-call-0001' }

  it(`${rounds} envelopes: none opens, none crashes`, { timeout: timeoutMs }, () => {
    const genuine = sealEnvelope(crypto, key, binding, { vehicleId: 1, kind: 'unlock', reason: '巡检' })
    expect(openEnvelope(crypto, key, binding, genuine)).toEqual({ vehicleId: 1, kind: 'unlock', reason: '巡检' })
    const surprises: string[] = []
    for (let round = 0; round < rounds; round++) {
      const text = mutate(genuine, random)
      try {
        openEnvelope(crypto, key, binding, text)
        surprises.push(`opened: ${text}`)
      } catch (error) {
        if (!(error instanceof EnvelopeError)) surprises.push(`${String(error)}: ${text}`)
      }
    }
    expect(surprises).toEqual([])
  })

  it(`${rounds} tokens: none passes, none crashes`, { timeout: timeoutMs }, () => {
    const nowMs = 1_800_000_000_000
    const payload: CallToken = {
      agentIds: [3],
      userId: 'u1',
      phone: '13800138000',
      agentId: 3,
      build: 'b',
      devId: 'd',
      package: 'console',
      iat: nowMs / 1000,
      exp: nowMs / 1000 + 60,
      jti: 'abcdefghijklmnop',
      htm: 'POST',
      htu: '/a',
      bodyHash: hashOfParams(crypto, 'x'),
    }
    const genuine = signCallToken({ crypto, signingKey: key, sessionHandle: 'handle-1', payload })
    const verify = (token: string): CallToken =>
      verifyCallToken({ crypto, signingKey: key, token, nowMs, method: 'POST', path: '/a' })
    expect(verify(genuine)).toEqual(payload)
    const surprises: string[] = []
    for (let round = 0; round < rounds; round++) {
      const text = mutate(genuine, random)
      try {
        sessionHandleOf(text)
        verify(text)
        surprises.push(`passed: ${text}`)
      } catch (error) {
        if (!(error instanceof TokenError)) surprises.push(`${String(error)}: ${text}`)
      }
    }
    expect(surprises).toEqual([])
  })
})
