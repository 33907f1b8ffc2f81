import { beforeEach, describe, expect, test } from 'vitest'
import { dayMs, minuteMs } from '@saddle/contract/time.ts'
import { fromBase64Url, fromUtf8, toBase64Url, utf8 } from '@saddle/contract/wire/bytes.ts'
import { createWorld, phones, refusalOf, startMs } from '#identity/world.fixture.ts'
import { encodeOrigin, readOrigin } from './rules.ts'

const world = await createWorld()
const { identity, clock, owner, browser, logIn, operators } = world
const { handlers } = identity
let nowMs = startMs
let origin = ''
let expiresAt = 0

beforeEach(async () => {
  nowMs += dayMs
  clock.set(nowMs)
  const own = browser()
  const { accessToken } = await logIn(phones.manager, own)
  const { data } = await handlers.createQuickLogin({}, await own.session(accessToken))
  ;({ origin, expiresAt } = data)
})

const verify = (text: string, own = browser()): ReturnType<typeof handlers.verifySign> =>
  handlers.verifySign({ origin: text }, own.call())
const refused = (text: string): Promise<string> => refusalOf(verify(text))

describe('quick login', () => {
  test('opens a session of its own without a code', async () => {
    const own = browser()
    const { data } = await verify(origin, own)
    const opened = await handlers.loginAuthorised({ opManId: data.opManId }, await own.presession())
    expect(opened.data).toMatchObject({ agentId: 3, objectId: data.objectId, phone: phones.manager })
    expect(own.cookies.has('sid')).toBe(true)
    expect(await refusalOf(own.presession())).toBe('unauthorized')
  })

  test('says nothing of the phone number', () => {
    const payload = fromUtf8(fromBase64Url(origin.split('.')[0]!)!)
    expect(payload).not.toContain(phones.manager)
    expect(JSON.parse(payload)).toMatchObject({ operatorId: operators.manager, host: 'bikes.example:8080' })
  })

  test('works once, also at the same time', async () => {
    const answers = await Promise.allSettled([verify(origin), verify(origin), verify(origin)])
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1)
    expect(await refused(origin)).toBe('quick_login_invalid')
  })

  test('works for sixty seconds by the server’s clock', async () => {
    expect(expiresAt).toBe(clock.now() + minuteMs)
    clock.advance(60_001)
    expect(await refused(origin)).toBe('quick_login_invalid')
    clock.advance(-1)
    await verify(origin)
  })

  test('from the future is refused, beyond the skew between nodes', async () => {
    clock.advance(-5_001)
    expect(await refused(origin)).toBe('quick_login_invalid')
    clock.advance(1)
    await verify(origin)
  })

  test('of another host is refused', async () => {
    const call = { ...browser().call(), host: 'evil.example' }
    expect(await refusalOf(handlers.verifySign({ origin }, call))).toBe('quick_login_invalid')
  })

  test('that was edited is refused', async () => {
    const [payload = '', signature = ''] = origin.split('.')
    const edited = { ...JSON.parse(fromUtf8(fromBase64Url(payload)!)), operatorId: operators.platform }
    const forged = toBase64Url(utf8(JSON.stringify(edited)))
    const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    const texts = [
      `${forged}.${signature}`,
      `${payload}.${flipped}`,
      payload,
      `${payload}.`,
      `.${signature}`,
      '',
      '.',
      `${origin}.x`,
      `${origin}=`,
    ]
    for (const text of texts) expect(await refused(text)).toBe('quick_login_invalid')
    await verify(origin)
  })

  test('of an operator who was disabled meanwhile is refused, before the ticket and after it', async () => {
    const own = browser()
    const { data } = await verify(origin, own)
    const call = await own.presession()
    await owner.updateTable('operator').set({ state: 'disabled' }).where('id', '=', operators.manager).execute()
    expect(await refusalOf(handlers.loginAuthorised({ opManId: data.opManId }, call))).toBe('operator_disabled')
    const fresh = {
      operatorId: operators.manager,
      host: 'bikes.example:8080',
      issuedAt: clock.now(),
      nonce: 'n'.repeat(22),
    }
    const sign = (text: string): string => world.kit.secrets.hmac({ purpose: 'identity quick login', text })
    expect(await refused(encodeOrigin(fresh, sign))).toBe('quick_login_invalid')
    await owner.updateTable('operator').set({ state: 'enabled' }).execute()
    await verify(encodeOrigin({ ...fresh, nonce: 'm'.repeat(22) }, sign))
  })

  test('its ticket opens no ordinary login', async () => {
    const own = browser()
    const { data } = await verify(origin, own)
    const call = await own.presession()
    expect(await refusalOf(handlers.permissionLogin({ opManId: data.opManId }, call))).toBe('login_failed')
  })
})

test('a signed text that is no origin is none', () => {
  const sign = (): string => 'signature'
  const read = (payload: string) =>
    readOrigin({ text: `${toBase64Url(utf8(payload))}.signature`, sign, host: 'h', nowMs: 0 })
  const good = { operatorId: 1, host: 'h', issuedAt: 0, nonce: 'n'.repeat(22) }
  expect(read(JSON.stringify(good))).toEqual(good)
  for (const bad of [
    '',
    'null',
    '{}',
    JSON.stringify({ ...good, more: 1 }),
    JSON.stringify({ ...good, issuedAt: '0' }),
  ])
    expect(read(bad)).toBeNull()
})
