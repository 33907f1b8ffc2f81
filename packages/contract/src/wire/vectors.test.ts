import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { envelopeValue, openEnvelope, sealEnvelope } from './envelope.ts'
import { fromUtf8, utf8 } from './bytes.ts'
import { testCrypto } from './testCrypto.fixture.ts'
import { hashOfParams, signCallToken, verifyCallToken, type CallToken } from './token.ts'
import { keyAnswerInfo, keyRequestInfo } from './keyExchange.ts'

const bytes = (first: number): Uint8Array => Uint8Array.from({ length: 32 }, (_, index) => first + index)
const crypto = testCrypto((length) => new Uint8Array(length).fill(0xa5))
const keys = { encryptionKey: bytes(0), signingKey: bytes(32) }
const call = { method: 'GET', path: '/ebike/v3/backend/auth/me', callId: 'AAAAAAAAAAAAAAAAAAAAAA' } as const
const params = sealEnvelope(crypto, keys.encryptionKey, { ...call, direction: 'request' }, {})
const answered = { suc: true, data: { name: '王芳' } }
const answer = sealEnvelope(crypto, keys.encryptionKey, { ...call, direction: 'answer' }, answered)
const payload: CallToken = {
  userId: 'aaaaaaaaaaaaaaaaaaaaaaaa',
  phone: '13800138000',
  agentId: 3,
  build: 'example',
  devId: 'example',
  package: 'example',
  iat: 1_700_000_000,
  exp: 1_700_000_060,
  jti: call.callId,
  htm: call.method,
  htu: call.path,
  bodyHash: hashOfParams(crypto, params),
}
const token = signCallToken({ crypto, signingKey: keys.signingKey, sessionHandle: 'example-handle', payload })

/** Everything that docs/wire.md gives as an example; a client that is written from it comes to the same. */
const vectors = {
  'hash of the empty text': hashOfParams(crypto, undefined),
  params,
  bodyHash: payload.bodyHash,
  token,
  answer,
}

test('the page about the wire gives the examples that this code makes', () => {
  const page = readFileSync(new URL('../../../../docs/wire.md', import.meta.url), 'utf8')
  for (const [name, value] of Object.entries(vectors)) expect(page, `${name}: ${value}`).toContain(value)
  for (const info of [keyRequestInfo, keyAnswerInfo]) expect(page).toContain(fromUtf8(info))
})

test('the examples open and verify', () => {
  const check = { crypto, signingKey: keys.signingKey, token, nowMs: payload.iat * 1000, ...call }
  expect(verifyCallToken(check)).toEqual(payload)
  expect(openEnvelope(crypto, keys.encryptionKey, { ...call, direction: 'answer' }, answer)).toEqual(answered)
  expect(envelopeValue(utf8('{}'))).toEqual({})
})
