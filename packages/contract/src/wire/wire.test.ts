import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromBase64Url, toBase64Url, utf8 } from './bytes.ts'
import { EnvelopeError, openEnvelope, sealEnvelope, type EnvelopeBinding } from './envelope.ts'
import { testCrypto } from './testCrypto.fixture.ts'
import {
  checkTokenFits,
  hashOfParams,
  sessionHandleOf,
  signCallToken,
  TokenError,
  verifyCallToken,
  type CallToken,
} from './token.ts'

const crypto = testCrypto((length) => new Uint8Array(randomBytes(length)))

const key = new Uint8Array(32).fill(7)
const binding: EnvelopeBinding = { method: 'POST', path: '/a', direction: 'request', callId: 'call-0001-call-0001' }
const nowMs = Date.UTC(2026, 0, 1)

const payload: CallToken = {
  userId: 'u1',
  phone: '13800138000',
  agentId: 3,
  build: 'test',
  devId: 'd1',
  package: 'console',
  iat: nowMs / 1000,
  exp: nowMs / 1000 + 60,
  jti: 'abcdefghijklmnop',
  htm: 'POST',
  htu: '/a',
  bodyHash: hashOfParams(crypto, 'x'),
}
const sign = (changes: Partial<CallToken> = {}, signingKey = key): string =>
  signCallToken({ crypto, signingKey, sessionHandle: 'handle-1', payload: { ...payload, ...changes } })
const verify = (token: string, changes: Partial<Parameters<typeof verifyCallToken>[0]> = {}): CallToken =>
  verifyCallToken({
    crypto,
    signingKey: key,
    token,
    nowMs,
    method: 'POST',
    path: '/a',
    ...changes,
  })
const faultOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof TokenError) return error.fault
    throw error
  }
  return 'none'
}

describe('base64url', () => {
  it('is what Node writes, and reads back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const text = toBase64Url(bytes)
        expect(text).toBe(Buffer.from(bytes).toString('base64url'))
        expect(fromBase64Url(text)).toEqual(bytes)
      }),
    )
  })

  it('has one spelling only', () => {
    for (const text of ['A', 'AB', 'AA=', 'A+A', 'A/A', 'AAB', 'é123', 'AA AA']) expect(fromBase64Url(text)).toBeNull()
    expect(fromBase64Url('AA')).toEqual(new Uint8Array([0]))
  })
})

describe('envelope', () => {
  it('opens for the binding it was sealed for', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const params = sealEnvelope(crypto, key, binding, value)
        expect(openEnvelope(crypto, key, binding, params)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
      { numRuns: 50 },
    )
  })

  it('opens nowhere else', () => {
    const params = sealEnvelope(crypto, key, binding, { a: 1 })
    const others: EnvelopeBinding[] = [
      { ...binding, method: 'GET' },
      { ...binding, path: '/b' },
      { ...binding, direction: 'answer' },
      { ...binding, callId: 'call-0002-call-0002' },
    ]
    for (const other of others) expect(() => openEnvelope(crypto, key, other, params)).toThrow(EnvelopeError)
    expect(() => openEnvelope(crypto, new Uint8Array(32), binding, params)).toThrow(EnvelopeError)
  })

  it('refuses every single changed character', () => {
    const params = sealEnvelope(crypto, key, binding, { a: 1 })
    for (let at = 0; at < params.length; at++) {
      const other = params[at] === 'A' ? 'B' : 'A'
      const changed = params.slice(0, at) + other + params.slice(at + 1)
      expect(() => openEnvelope(crypto, key, binding, changed), `character ${at}`).toThrow(EnvelopeError)
    }
  })

  it('refuses sealed bytes that are not JSON', () => {
    const associated = utf8(`saddle/1|request|POST|/a|${binding.callId}`)
    const iv = new Uint8Array(12)
    const sealed = crypto.sealAesGcm(key, iv, utf8('{'), associated)
    const params = toBase64Url(new Uint8Array([...iv, ...sealed]))
    expect(() => openEnvelope(crypto, key, binding, params)).toThrow('holds no JSON')
  })
})

describe('call token', () => {
  it('gives back what was signed', () => {
    expect(verify(sign())).toEqual(payload)
    expect(sessionHandleOf(sign())).toBe('handle-1')
  })

  it('keeps an absent scope list apart from an empty one', () => {
    expect(verify(sign()).agentIds).toBeUndefined()
    expect(verify(sign({ agentIds: [] })).agentIds).toEqual([])
  })

  it.each([
    ['signature', sign({}, new Uint8Array(32).fill(8)), {}],
    ['clock', sign({ iat: nowMs / 1000 + 6, exp: nowMs / 1000 + 20 }), {}],
    ['clock', sign({ iat: nowMs / 1000 - 66, exp: nowMs / 1000 - 6 }), {}],
    ['none', sign({ iat: nowMs / 1000 + 5, exp: nowMs / 1000 + 20 }), {}],
    ['none', sign({ iat: nowMs / 1000 - 64, exp: nowMs / 1000 - 4 }), {}],
    ['malformed', sign({ exp: nowMs / 1000 + 61 }), {}],
    ['malformed', sign({ exp: nowMs / 1000 - 1 }), {}],
    ['malformed', sign({ agentIds: [-1] }), {}],
    ['malformed', 'a.b', {}],
    ['malformed', '', {}],
    ['binding', sign({ htm: 'GET' }), {}],
    ['binding', sign(), { path: '/b' }],
  ] as const)('answers %s', (fault, token, changes) => {
    expect(faultOf(() => verify(token, changes))).toBe(fault)
  })

  it.each([
    ['none', {}, 'x', undefined],
    ['binding', {}, 'y', undefined],
    ['binding', {}, undefined, undefined],
    ['none', { idempotencyKey: 'key-0001' }, 'x', 'key-0001'],
    ['binding', { idempotencyKey: 'key-0001' }, 'x', 'key-0002'],
    ['binding', { idempotencyKey: 'key-0001' }, 'x', undefined],
    ['binding', {}, 'x', 'key-0001'],
  ])('answers %s to the claims %j of a call with %s and key %s', (fault, claims, params, idempotencyKey) => {
    const token = verify(sign(claims))
    expect(faultOf(() => checkTokenFits(token, { crypto, params, idempotencyKey }))).toBe(fault)
  })

  it('knows no algorithm but its own', () => {
    const header = toBase64Url(utf8(JSON.stringify({ alg: 'none', typ: 'JWT', kid: 'handle-1' })))
    const body = sign().split('.')[1]
    const signature = toBase64Url(crypto.hmacSha256(key, utf8(`${header}.${body}`)))
    expect(faultOf(() => verify(`${header}.${body}.${signature}`))).toBe('malformed')
    expect(sessionHandleOf(`${header}.${body}.`)).toBeNull()
  })
})
