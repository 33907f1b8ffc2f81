import { beforeEach, describe, expect, test } from 'vitest'
import { passkeyChallengeLifetimeMs, passkeysPerOperatorMax } from '@saddle/contract/identity/passkeys.ts'
import { dayMs, minuteMs } from '@saddle/contract/time.ts'
import { type Browser, createWorld, phones, refusalOf, startMs } from '#identity/world.fixture.ts'
import type { SessionCall } from '#kit/call.ts'
import { createAuthenticator } from './authenticator.fixture.ts'
import { relyingPartyOf } from './rules.ts'

const world = await createWorld({ devicesByPolicy: true })
const { identity, clock, owner, operators } = world
const { handlers, sessions } = identity
const origin = 'https://bikes.example:8080'
const newDevice = () => createAuthenticator({ origin, rpId: 'bikes.example' })
let nowMs = startMs
let own: SessionCall

const challengeOf = async (browser: Browser): Promise<string> =>
  (await handlers.beginPasskeyLogin({}, browser.call())).data.challenge
const add = async (device = newDevice(), call = own, name = '我的手机') => {
  const { data } = await handlers.beginPasskey({}, call)
  const credential = device.create(data.challenge)
  return { device, passkey: (await handlers.addPasskey({ name, credential }, call)).data }
}
const enter = async (device: ReturnType<typeof newDevice>, browser = world.browser('198.51.100.9')) =>
  (await handlers.passkeyLogin(device.assert(await challengeOf(browser)), browser.call())).data
const lines = async (): Promise<string[]> => (await world.actions()).filter((action) => action.startsWith('passkey.'))

beforeEach(async () => {
  nowMs += 30 * dayMs
  clock.set(nowMs)
  await owner.deleteFrom('operator_passkey').execute()
  await owner.updateTable('agent').set({ device_policy: 'open', finance_totp_from: null }).execute()
  await owner.updateTable('operator').set({ state: 'enabled' }).execute()
  const browser = world.browser()
  own = await browser.session((await world.logIn(phones.manager, browser)).accessToken)
})

describe('a passkey', () => {
  test('is added, listed, renamed and removed, and each leaves a line', async () => {
    const before = (await lines()).length
    const { passkey } = await add()
    expect(passkey).toMatchObject({ name: '我的手机', synced: false, lastUsedAt: null, createdAt: clock.now() })
    await handlers.renamePasskey({ id: passkey.id, name: '办公室的电脑' }, own)
    const { list } = (await handlers.listPasskeys({}, own)).data
    expect(list.map(({ name }) => name)).toEqual(['办公室的电脑'])
    await handlers.removePasskey({ id: passkey.id }, own)
    expect((await handlers.listPasskeys({}, own)).data.list).toEqual([])
    expect((await lines()).slice(before)).toEqual(['passkey.add', 'passkey.rename', 'passkey.remove'])
  })

  test('logs in without any code, in a browser that is then known, past a second factor', async () => {
    const { device } = await add()
    await owner
      .updateTable('agent')
      .set({ finance_totp_from: new Date(0) })
      .where('id', '=', 3)
      .execute()
    await owner.insertInto('role_permission').values({ role_id: 30, agent_id: 3, code: 'financial' }).execute()
    const browser = world.browser('198.51.100.9')
    const data = await enter(device, browser)
    expect(data).toMatchObject({ agentId: 3, roleId: 30, phone: phones.manager })
    const session = await sessions.find(data.accessToken)
    expect(session).toMatchObject({ operator: { id: operators.manager }, secondFactor: 'clear' })
    expect(browser.cookies.get('dev')).toMatch(/^[\w-]{43}$/)
    const { list } = (await handlers.listPasskeys({}, own)).data
    expect(list[0]?.lastUsedAt).toBe(clock.now())
    await owner.deleteFrom('role_permission').where('code', '=', 'financial').execute()
  })

  test('lets its holder in while outsiders have used every code up, and ends their row of failures', async () => {
    const { device } = await add()
    const total = {
      total: 100,
      failures: 5,
      failures_since: new Date(clock.now()),
      last_failed_at: new Date(clock.now()),
    }
    await owner.updateTable('sms_guess').set(total).execute()
    const code = { mobilePhoneNumber: phones.manager, smsCode: '123456' }
    expect(await refusalOf(handlers.verifySmsCode(code, world.browser('192.0.2.1').call()))).toBe('sms_too_many')
    await enter(device)
    clock.advance(31 * minuteMs)
    expect(await refusalOf(handlers.verifySmsCode(code, world.browser('192.0.2.1').call()))).toBe('code_invalid')
  })

  test('answers to its own person alone', async () => {
    const { passkey } = await add()
    const browser = world.browser()
    const other = await browser.session((await world.logIn(phones.otherManager, browser)).accessToken)
    expect(await refusalOf(handlers.renamePasskey({ id: passkey.id, name: 'x' }, other))).toBe('not_found')
    expect(await refusalOf(handlers.removePasskey({ id: passkey.id }, other))).toBe('not_found')
    expect((await handlers.listPasskeys({}, other)).data.list).toEqual([])
    const { data } = await handlers.beginPasskey({}, own)
    const stolen = { name: 'x', credential: newDevice().create(data.challenge) }
    expect(await refusalOf(handlers.addPasskey(stolen, other))).toBe('passkey_invalid')
  })

  test('goes when an administrator resets the person’s second factor', async () => {
    const { device } = await add()
    await identity.operators.resetSecondFactor(operators.manager, async () => {})
    expect(await refusalOf(enter(device))).toBe('passkey_invalid')
  })

  test('is refused beyond a number of them, and twice', async () => {
    const { device } = await add()
    expect(await refusalOf(add(device))).toBe('passkey_known')
    for (let index = 1; index < passkeysPerOperatorMax; index += 1) await add()
    expect(await refusalOf(add())).toBe('passkey_too_many')
  })
})

describe('a login by passkey', () => {
  const refused = async (make: (device: ReturnType<typeof newDevice>, challenge: string) => unknown) => {
    const { device } = await add()
    const browser = world.browser('198.51.100.9')
    const asserted = make(device, await challengeOf(browser)) as ReturnType<typeof device.assert>
    return refusalOf(handlers.passkeyLogin(asserted, browser.call()))
  }

  test('is refused to a device that nobody has added', async () => {
    expect(await refused((_, challenge) => newDevice().assert(challenge))).toBe('passkey_invalid')
  })
  test('is refused to the page of another site', async () => {
    expect(await refused((device, challenge) => device.assert(challenge, { origin: 'https://evil.example' }))).toBe(
      'passkey_invalid',
    )
  })
  test('is refused when the device did not ask its person', async () => {
    expect(await refused((device, challenge) => device.assert(challenge, { flags: 0x01 }))).toBe('passkey_invalid')
  })
  test('is refused for a challenge of somebody’s own making, or for another use', async () => {
    expect(await refused((device) => device.assert(Buffer.from('login|x|1|y').toString('base64url')))).toBe(
      'passkey_invalid',
    )
    const { data } = await handlers.beginPasskey({}, own)
    expect(await refused((device) => device.assert(data.challenge))).toBe('passkey_invalid')
  })
  test('is refused after its time, and the second time', async () => {
    const { device } = await add()
    const browser = world.browser()
    const asserted = device.assert(await challengeOf(browser))
    clock.advance(passkeyChallengeLifetimeMs)
    expect(await refusalOf(handlers.passkeyLogin(asserted, browser.call()))).toBe('passkey_invalid')
    const fresh = device.assert(await challengeOf(browser))
    const answers = await Promise.allSettled([1, 2].map(() => handlers.passkeyLogin(fresh, browser.call())))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
  test('is refused to a device whose count goes backwards', async () => {
    const { device } = await add()
    await enter(device)
    await enter(device)
    device.rewind()
    expect(await refusalOf(enter(device))).toBe('passkey_invalid')
  })
  test('is refused to somebody disabled, and in a browser that a company has not approved', async () => {
    const { device } = await add()
    await owner.updateTable('agent').set({ device_policy: 'approval' }).execute()
    expect(await refusalOf(enter(device))).toBe('device_unauthorised')
    await owner.updateTable('agent').set({ device_policy: 'open' }).execute()
    await owner.updateTable('operator').set({ state: 'disabled' }).where('id', '=', operators.manager).execute()
    expect(await refusalOf(enter(device))).toBe('operator_disabled')
  })
})

test.each([
  ['bikes.example:8080', 'bikes.example'],
  ['localhost:5173', 'localhost'],
  ['127.0.0.1:8080', null],
  ['[::1]:8080', null],
  ['', null],
])('the name of %s is %s', (host, name) => expect(relyingPartyOf(host)).toBe(name))
