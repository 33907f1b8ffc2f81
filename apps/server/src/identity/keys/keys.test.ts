import { AEAD_AES_256_GCM, KDF_HKDF_SHA256, KEM_DHKEM_X25519_HKDF_SHA256 } from '@panva/hpke-noble'
import { CipherSuite } from 'hpke'
import { beforeEach, describe, expect, test } from 'vitest'
import type { LoginData } from '@saddle/contract/identity/login.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { concatBytes, fromBase64Url, toBase64Url, utf8 } from '@saddle/contract/wire/bytes.ts'
import type { SessionKeys } from '@saddle/contract/wire/crypto.ts'
import { decodeSessionKeys, keyAnswerInfo, keyRequestInfo } from '@saddle/contract/wire/keyExchange.ts'
import { type Browser, createWorld, phones, refusalOf, startMs } from '#identity/world.fixture.ts'
import { createKeyExchange } from './exchange.ts'

const world = await createWorld()
const { identity, clock, owner, browser, logIn } = world
const suite = new CipherSuite(KEM_DHKEM_X25519_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM)
let nowMs = startMs
let own: Browser
let login: LoginData

beforeEach(async () => {
  nowMs += dayMs
  clock.set(nowMs)
  own = browser()
  login = await logIn(phones.manager, own)
})

/** The client's side of the exchange. */
async function seal(changes: Record<string, unknown> = {}, options: { serverKey?: string; info?: Uint8Array } = {}) {
  const pair = await suite.GenerateKeyPair(true)
  const publicKey = toBase64Url(await suite.SerializePublicKey(pair.publicKey))
  const request = { publicKey, sessionHandle: login.accessToken, issuedAt: clock.now(), ...changes }
  const server = await suite.DeserializePublicKey(fromBase64Url(options.serverKey ?? identity.serverKey)!)
  const info = options.info ?? keyRequestInfo
  const { encapsulatedSecret, ciphertext } = await suite.Seal(server, utf8(JSON.stringify(request)), { info })
  const open = async (aesKey: string): Promise<SessionKeys> => {
    const bytes = fromBase64Url(aesKey)!
    const plaintext = await suite.Open(pair, bytes.subarray(0, 32), bytes.subarray(32), { info: keyAnswerInfo })
    return decodeSessionKeys(plaintext)
  }
  return { params: toBase64Url(concatBytes(encapsulatedSecret, ciphertext)), open }
}
const exchange = async (params: string, by = own): Promise<string> =>
  (await identity.handlers.signingKey({ params }, await by.cookieCall())).data.aesKey
const refused = (params: string): Promise<string> => refusalOf(exchange(params))

describe('the key exchange', () => {
  test('gives the client the two keys that the session holds, sealed in the database', async () => {
    const { params, open } = await seal()
    const keys = await open(await exchange(params))
    expect(keys.encryptionKey).not.toEqual(keys.signingKey)
    const session = await identity.sessions.find(login.accessToken)
    expect(session?.keys?.encryptionKey).toEqual(keys.encryptionKey)
    expect(session?.keys?.signingKey).toEqual(keys.signingKey)
    const { keys_sealed } = await owner
      .selectFrom('session')
      .select('keys_sealed')
      .where('handle', '=', login.accessToken)
      .executeTakeFirstOrThrow()
    expect(keys_sealed).toMatch(/^v1\./)
    expect(keys_sealed).not.toContain(toBase64Url(keys.signingKey))
  })

  test('drops at once what was remembered of the session before it', async () => {
    expect((await identity.sessions.find(login.accessToken))?.keys).toBeNull()
    expect(identity.sessions.cached(login.accessToken)).toBeDefined()
    await exchange((await seal()).params)
    expect((await identity.sessions.find(login.accessToken))?.keys).not.toBeNull()
  })

  test('gives every login other keys', async () => {
    const first = await seal()
    const keys = await first.open(await exchange(first.params))
    login = await logIn(phones.manager, own)
    const second = await seal()
    expect(await second.open(await exchange(second.params))).not.toEqual(keys)
  })

  test('happens once, also at the same time', async () => {
    const { params } = await seal()
    const more = await Promise.all([seal(), seal()])
    const calls = [params, ...more.map((request) => request.params)].map((text) => exchange(text))
    const answers = await Promise.allSettled(calls)
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1)
    expect(await refused(params)).toBe('signature_failed')
    expect(await refused((await seal()).params)).toBe('signature_failed')
  })

  test('happens within two minutes of the login', async () => {
    clock.advance(120_001)
    expect(await refused((await seal()).params)).toBe('signature_failed')
    clock.advance(-1)
    await exchange((await seal()).params)
  })

  test('refuses a client whose clock is minutes off', async () => {
    expect(await refused((await seal({ issuedAt: clock.now() - 120_001 })).params)).toBe('signature_failed')
    expect(await refused((await seal({ issuedAt: clock.now() + 120_001 })).params)).toBe('signature_failed')
    await exchange((await seal({ issuedAt: clock.now() - 119_000 })).params)
  })

  test('refuses a request that was edited anywhere', async () => {
    const { params } = await seal()
    const bytes = fromBase64Url(params)!
    for (const at of [0, 31, 32, 60, bytes.length - 1]) {
      const edited = bytes.slice()
      edited[at] = (edited[at] ?? 0) ^ 1
      expect(await refused(toBase64Url(edited))).toBe('signature_failed')
    }
    for (const text of ['', 'x', '!!!!', toBase64Url(bytes.subarray(0, 32)), toBase64Url(bytes.subarray(0, 40))])
      expect(await refused(text)).toBe('signature_failed')
    await exchange(params)
  })

  test('refuses what was sealed to another key, for another purpose or another session', async () => {
    const otherKey = await createKeyExchange(new Uint8Array(32).fill(7)).publicKey()
    expect(await refused((await seal({}, { serverKey: otherKey })).params)).toBe('signature_failed')
    expect(await refused((await seal({}, { info: keyAnswerInfo })).params)).toBe('signature_failed')
    expect(await refused((await seal({ sessionHandle: 'A'.repeat(43) })).params)).toBe('signature_failed')
    expect(await refused((await seal({ more: true })).params)).toBe('signature_failed')
    const outsider = browser('198.51.100.9')
    await logIn(phones.worker, outsider)
    const { params } = await seal()
    expect(await refusalOf(exchange(params, outsider))).toBe('signature_failed')
  })

  test('refuses a client key that is none', async () => {
    // A point of low order would let anyone compute the shared secret.
    const zero = toBase64Url(new Uint8Array(32))
    expect(await refused((await seal({ publicKey: zero })).params)).toBe('signature_failed')
    expect(await refused((await seal({ publicKey: `${'A'.repeat(42)}B` })).params)).toBe('signature_failed')
    await exchange((await seal()).params)
  })

  test('wants both cookies of the session', async () => {
    const { params } = await seal()
    for (const name of ['sid', '_t']) {
      const value = own.cookies.get(name)!
      own.cookies.set(name, 'A'.repeat(43))
      expect(await refused(params)).toBe('unauthorized')
      own.cookies.delete(name)
      expect(await refused(params)).toBe('unauthorized')
      own.cookies.set(name, value)
    }
    await exchange(params)
  })
})

test('the server key is the same on every node of one master secret', async () => {
  const seed = world.kit.secrets.key('identity key exchange')
  expect(await createKeyExchange(seed).publicKey()).toBe(identity.serverKey)
  expect(identity.serverKey).toMatch(/^[\w-]{43}$/)
})
