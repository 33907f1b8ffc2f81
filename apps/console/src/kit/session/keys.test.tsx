import { webcrypto } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { EnvelopeError, openEnvelope, sealEnvelope } from '@saddle/contract/wire/envelope.ts'
import { verifyCallToken, type CallToken } from '@saddle/contract/wire/token.ts'
import { call } from '#kit/api/client.ts'
import { cipherOf, type HeldKeys } from '@saddle/client/cipher.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { nodeCrypto } from '#test/nodeCrypto.ts'
import { logIn, somebody, withPlatform } from '#test/session.ts'
import { keepKeys, readKeys } from './keys.ts'
import { endSession } from './store.ts'

const raw = { encryptionKey: nodeCrypto.randomBytes(32), signingKey: nodeCrypto.randomBytes(32) }
const handle = somebody.accessToken
let platform: FakePlatform

beforeEach(async () => {
  platform = await withPlatform()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  endSession()
})

/** A page that came over plain http from another machine. */
const withoutSubtle = () => vi.stubGlobal('crypto', { getRandomValues: webcrypto.getRandomValues.bind(webcrypto) })

describe('the keys of a session', () => {
  test('are handles that give no bytes away, and stand in no cookie and no storage', async () => {
    await keepKeys(handle, raw)
    const keys = await readKeys(handle)
    if (keys === null || !('signing' in keys)) throw new Error('these are not handles')
    for (const key of [keys.encryption, keys.signing]) {
      expect(key.extractable).toBe(false)
      await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow()
    }
    const kept = document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)
    for (const bytes of Object.values(raw)) expect(kept).not.toContain(nodeCrypto.toBase64Url(bytes))
  })

  test('belong to one session, and go with it', async () => {
    await keepKeys(handle, raw)
    expect(await readKeys('another')).toBeNull()
    await keepKeys(handle, raw)
    endSession()
    expect(await readKeys(handle)).toBeNull()
  })

  test('last two days', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await keepKeys(handle, raw)
    vi.setSystemTime(Date.now() + 2 * dayMs - 1)
    expect(await readKeys(handle)).not.toBeNull()
    vi.setSystemTime(Date.now() + 1)
    expect(await readKeys(handle)).toBeNull()
  })

  test('are bytes where the browser has no ciphers, and calls are made with them', async () => {
    withoutSubtle()
    logIn(platform)
    expect(await readKeys(handle)).toEqual(platform.keys)
    expect((await call(endpoints.allCode, { opManId: somebody.opManId })).data).toEqual(['0301'])
  })
})

describe.each([
  [
    'the browser’s own',
    async (): Promise<HeldKeys> => {
      await keepKeys(handle, raw)
      return (await readKeys(handle)) as HeldKeys
    },
  ],
  ['those in plain JavaScript', async (): Promise<HeldKeys> => raw],
])('ciphers: %s', (_, keysOf) => {
  const binding = { method: 'POST', path: '/x', callId: 'c'.repeat(22) } as const
  const up = { ...binding, direction: 'request' } as const
  const down = { ...binding, direction: 'answer' } as const

  test('seal and open what the server opens and seals, and nothing else', async () => {
    const cipher = await cipherOf(await keysOf())
    const value = { 车辆: [1, 2, { deep: null }] }
    expect(openEnvelope(nodeCrypto, raw.encryptionKey, up, await cipher.seal(up, value))).toEqual(value)
    const answer = sealEnvelope(nodeCrypto, raw.encryptionKey, down, value)
    expect(await cipher.open(down, answer)).toEqual(value)
    for (const [wrong, text] of [
      [up, answer],
      [{ ...down, callId: 'd'.repeat(22) }, answer],
      [down, `${answer.startsWith('A') ? 'B' : 'A'}${answer.slice(1)}`],
      [down, 'AAAA'],
      [down, '='],
    ] as const) {
      await expect(cipher.open(wrong, text)).rejects.toThrow(EnvelopeError)
    }
  })

  test('sign what the server verifies', async () => {
    const cipher = await cipherOf(await keysOf())
    const payload: CallToken = {
      userId: 'u',
      phone: somebody.phone,
      agentId: 3,
      build: 'b',
      devId: 'd',
      package: 'p',
      iat: 1_700_000_000,
      exp: 1_700_000_060,
      jti: 'j'.repeat(22),
      htm: 'GET',
      htu: '/x',
      bodyHash: await cipher.hashOfParams(undefined),
    }
    const token = await cipher.signToken(handle, payload)
    const options = { crypto: nodeCrypto, token, nowMs: payload.iat * 1000, method: 'GET', path: '/x' }
    const check = { ...options, bodyHash: payload.bodyHash }
    expect(verifyCallToken({ ...check, signingKey: raw.signingKey })).toEqual(payload)
    expect(() => verifyCallToken({ ...check, signingKey: raw.encryptionKey })).toThrow('signature')
  })
})
