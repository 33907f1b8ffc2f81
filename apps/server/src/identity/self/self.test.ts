import { beforeEach, describe, expect, test } from 'vitest'
import type { LoginData } from '@saddle/contract/identity/login.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { type Browser, createWorld, phones, refusalOf, startMs } from '#identity/world.fixture.ts'

const world = await createWorld()
const { identity, clock, owner, operators } = world
const { handlers, sessions } = identity
let nowMs = startMs
let here: Browser
let login: LoginData
let away: LoginData
let theirs: LoginData

const call = () => here.session(login.accessToken)
const own = async () => (await handlers.selfSettings({}, await call())).data
const isLive = async (data: LoginData) => (await sessions.find(data.accessToken)) !== null
const bind = async (browser: Browser, phone: string): Promise<void> => {
  const smsCode = (await world.codeFor(phone, browser)) ?? ''
  await handlers.verifySmsCode({ mobilePhoneNumber: phone, smsCode }, browser.call())
  const device = { device_type: 'web', device_code: 'x', device_name: 'x', mobilePhoneNumber: phone }
  await handlers.bindDevice(device, await browser.presession())
}

beforeEach(async () => {
  nowMs += 30 * dayMs
  clock.set(nowMs)
  await owner.deleteFrom('session').execute()
  await owner.deleteFrom('operator_device').execute()
  here = world.browser()
  const elsewhere = world.browser('198.51.100.1')
  await bind(here, phones.manager)
  clock.advance(minuteMs)
  await bind(elsewhere, phones.manager)
  login = await world.logIn(phones.manager, here)
  away = await world.logIn(phones.manager, elsewhere)
  theirs = await world.logIn(phones.otherManager, world.browser('198.51.100.2'))
})

describe('the own page', () => {
  test('shows the own sessions and browsers, and which of them is this one', async () => {
    const { sessions: list, devices, settings } = await own()
    expect(list.map((session) => session.isThis)).toEqual([false, true])
    expect(list[0]).toMatchObject({ device: 'test browser', address: '198.51.100.1', loginKind: 'sms' })
    expect(devices.map((device) => device.isThis).toSorted()).toEqual([false, true])
    expect(settings.language).toBe('zh')
    clock.advance(8 * hourMs - 1_000)
    // The one that was last used is the one that asks.
    await owner
      .updateTable('session')
      .set({ last_seen_at: new Date(clock.now()) })
      .where('handle', '=', login.accessToken)
      .execute()
    clock.advance(2_000)
    expect((await own()).sessions).toHaveLength(1)
  })

  test('keeps settings, and security cannot be left out', async () => {
    const saved = await handlers.saveSelfSettings({ language: 'en', notices: ['alarms'] }, await call())
    expect(saved.data).toEqual({ language: 'en', notices: ['alarms', 'security'] })
    expect((await own()).settings).toEqual(saved.data)
    const [other] = await owner
      .selectFrom('operator')
      .select('language')
      .where('id', '=', operators.otherManager)
      .execute()
    expect(other?.language).toBe('zh')
  })
})

describe('ending sessions', () => {
  test('one, by its id', async () => {
    const id = (await own()).sessions.find((session) => !session.isThis)!.id
    expect((await handlers.endOwnSession({ id }, await call())).data).toEqual({ ended: 1 })
    expect([await isLive(login), await isLive(away)]).toEqual([true, false])
    expect(await refusalOf(handlers.endOwnSession({ id }, await call()))).toBe('not_found')
    expect(await world.actions()).toContain('session.revoke')
  })

  test('all others, and nobody else’s', async () => {
    expect((await handlers.endOwnSession({}, await call())).data).toEqual({ ended: 1 })
    expect([await isLive(login), await isLive(away), await isLive(theirs)]).toEqual([true, false, true])
  })

  test('of somebody else is not found', async () => {
    const { id } = (await sessions.find(theirs.accessToken))!
    expect(await refusalOf(handlers.endOwnSession({ id }, await call()))).toBe('not_found')
    expect(await isLive(theirs)).toBe(true)
  })
})

describe('forgetting a browser', () => {
  test('ends its sessions', async () => {
    const { id } = (await own()).devices.find((device) => !device.isThis)!
    await handlers.forgetOwnDevice({ id }, await call())
    expect([await isLive(login), await isLive(away)]).toEqual([true, false])
    expect((await own()).devices).toHaveLength(1)
    expect(await refusalOf(handlers.forgetOwnDevice({ id }, await call()))).toBe('not_found')
  })

  test('is refused for this one and for another person’s', async () => {
    const { id } = (await own()).devices.find((device) => device.isThis)!
    expect(await refusalOf(handlers.forgetOwnDevice({ id }, await call()))).toBe('device_own')
    const other = world.browser('198.51.100.4')
    clock.advance(minuteMs)
    await bind(other, phones.worker)
    const foreign = await owner
      .selectFrom('operator_device')
      .select('id')
      .where('operator_id', '=', operators.worker)
      .executeTakeFirstOrThrow()
    expect(await refusalOf(handlers.forgetOwnDevice({ id: foreign.id }, await call()))).toBe('not_found')
  })
})
