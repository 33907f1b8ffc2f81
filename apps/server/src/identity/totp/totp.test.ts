import { beforeEach, describe, expect, test } from 'vitest'
import type { LoginData } from '@saddle/contract/identity/login.ts'
import { dayMs, minuteMs } from '@saddle/contract/time.ts'
import { type Browser, createWorld, phones, refusalOf, startMs } from '#identity/world.fixture.ts'
import { stepMs, totpCode, totpFailureWindowMs } from './rules.ts'

const world = await createWorld()
const { identity, clock, owner, operators } = world
const { handlers } = identity
let nowMs = startMs
let own: Browser
let login: LoginData

const call = () => own.session(login.accessToken)
const factor = async (data = login) => (await identity.sessions.find(data.accessToken))?.secondFactor
const codeNow = (secret: string, steps = 0): string => totpCode(secret, Math.floor(clock.now() / stepMs) + steps)
const wrongCode = (secret: string): string => {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => codeNow(secret, steps)))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.has(code))!
}
/** Enables a second factor and lets its step pass. */
const enable = async (): Promise<{ secret: string; recoveryCodes: string[] }> => {
  const { secret } = (await handlers.beginTotp({}, await call())).data
  const { recoveryCodes } = (await handlers.confirmTotp({ code: codeNow(secret) }, await call())).data
  clock.advance(stepMs)
  return { secret, recoveryCodes }
}

beforeEach(async () => {
  nowMs += 30 * dayMs
  clock.set(nowMs)
  await owner.deleteFrom('operator_totp').execute()
  await owner.updateTable('operator').set({ totp_enabled_at: null }).execute()
  await owner.updateTable('agent').set({ finance_totp_from: null }).execute()
  await owner.deleteFrom('role_permission').where('code', '=', 'financial_01').execute()
  own = world.browser()
  login = await world.logIn(phones.manager, own)
})

describe('setting it up', () => {
  test('asks for nothing before the first code was right', async () => {
    const { secret, uri } = (await handlers.beginTotp({}, await call())).data
    expect(uri).toContain(`secret=${secret}`)
    expect(await factor()).toBe('clear')
    expect(await refusalOf(handlers.confirmTotp({ code: wrongCode(secret) }, await call()))).toBe('totp_invalid')
    expect(await factor(await world.logIn(phones.manager, world.browser('198.51.100.1')))).toBe('clear')
  })

  test('stores no secret and no recovery code as it is', async () => {
    const { secret, recoveryCodes } = await enable()
    const rows = JSON.stringify([
      await owner.selectFrom('operator_totp').selectAll().execute(),
      await owner.selectFrom('operator_recovery_code').selectAll().execute(),
    ])
    expect(recoveryCodes).toHaveLength(10)
    for (const text of [secret, ...recoveryCodes.flatMap((code) => [code, code.replace('-', '')])]) {
      expect(rows).not.toContain(text)
    }
  })

  test('expires after ten minutes, and cannot be done over an enabled one', async () => {
    const { secret } = (await handlers.beginTotp({}, await call())).data
    clock.advance(10 * minuteMs)
    expect(await refusalOf(handlers.confirmTotp({ code: codeNow(secret) }, await call()))).toBe('totp_invalid')
    await enable()
    expect(await refusalOf(handlers.beginTotp({}, await call()))).toBe('totp_enabled')
    expect(await refusalOf(handlers.confirmTotp({ code: codeNow(secret) }, await call()))).toBe('totp_invalid')
  })

  test('leaves the session that did it open and asks the person’s other ones', async () => {
    const other = await world.logIn(phones.manager, world.browser('198.51.100.1'))
    await enable()
    expect(await factor()).toBe('clear')
    expect(await factor(other)).toBe('asked')
  })
})

describe('the step after the SMS code', () => {
  const logInAnew = async () => {
    own = world.browser('198.51.100.2')
    login = await world.logIn(phones.manager, own)
    expect(await factor()).toBe('asked')
  }

  test('opens the session with a right code', async () => {
    const { secret } = await enable()
    await logInAnew()
    await handlers.passTotp({ code: codeNow(secret) }, await call())
    expect(await factor()).toBe('clear')
    expect(await world.actions()).toEqual(expect.arrayContaining(['totp.enable', 'totp.pass']))
  })

  test('takes a code of the neighbouring steps, and none twice', async () => {
    const { secret } = await enable()
    await logInAnew()
    const code = codeNow(secret, -1)
    await handlers.passTotp({ code }, await call())
    expect(await refusalOf(handlers.passTotp({ code }, await call()))).toBe('totp_invalid')
    expect(await refusalOf(handlers.passTotp({ code: codeNow(secret, -2) }, await call()))).toBe('totp_invalid')
    await handlers.passTotp({ code: codeNow(secret, 1) }, await call())
    expect(await refusalOf(handlers.passTotp({ code: codeNow(secret) }, await call()))).toBe('totp_invalid')
  })

  test('gives one code to one of two calls at the same time', async () => {
    const { secret } = await enable()
    await logInAnew()
    const code = codeNow(secret)
    const both = await Promise.allSettled([
      handlers.passTotp({ code }, await call()),
      handlers.passTotp({ code }, await call()),
    ])
    expect(both.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('takes each recovery code once', async () => {
    const { recoveryCodes } = await enable()
    await logInAnew()
    const [first = '', second = ''] = recoveryCodes
    await handlers.passTotp({ code: first.toLowerCase() }, await call())
    expect(await factor()).toBe('clear')
    expect(await refusalOf(handlers.passTotp({ code: first }, await call()))).toBe('totp_invalid')
    await handlers.passTotp({ code: second }, await call())
    expect((await handlers.selfSettings({}, await call())).data.totp.recoveryCodesLeft).toBe(8)
  })

  test('locks after five wrong codes, also for the right one, until the window is over', async () => {
    const { secret, recoveryCodes } = await enable()
    await logInAnew()
    const wrong = wrongCode(secret)
    for (let count = 0; count < 5; count += 1) {
      expect(await refusalOf(handlers.passTotp({ code: wrong }, await call()))).toBe('totp_invalid')
    }
    expect(await refusalOf(handlers.passTotp({ code: codeNow(secret) }, await call()))).toBe('totp_locked')
    expect(await refusalOf(handlers.passTotp({ code: recoveryCodes[0]! }, await call()))).toBe('totp_locked')
    // Another login buys no further tries.
    await logInAnew()
    expect(await refusalOf(handlers.passTotp({ code: codeNow(secret) }, await call()))).toBe('totp_locked')
    clock.advance(totpFailureWindowMs)
    await handlers.passTotp({ code: codeNow(secret) }, await call())
    expect(await factor()).toBe('clear')
  })

  test('is nothing that another person’s code opens', async () => {
    const { secret } = await enable()
    const theirs = world.browser('198.51.100.3')
    const their = await world.logIn(phones.otherManager, theirs)
    const theirCall = await theirs.session(their.accessToken)
    expect(await refusalOf(handlers.passTotp({ code: codeNow(secret) }, theirCall))).toBe('totp_invalid')
  })
})

describe('a company that asks for it', () => {
  const demand = async (from: Date, code = 'financial_01'): Promise<void> => {
    await owner.updateTable('agent').set({ finance_totp_from: from }).where('id', '=', 3).execute()
    await owner.insertInto('role_permission').values({ role_id: 30, agent_id: 3, code }).execute()
    clock.advance(2_000)
  }

  test('lets people with codes of finance do nothing else until they have one', async () => {
    await demand(new Date(clock.now()))
    expect(await factor()).toBe('missing')
    await enable()
    expect(await factor()).toBe('clear')
  })

  test.each(['07010111', '07010112', '07010113', '160101', 'returnCarApp', '1705', '20', 'FinancialReconciliation'])(
    'holds whoever moves money by %s to it',
    async (code) => {
      await demand(new Date(clock.now()), code)
      expect(await factor()).toBe('missing')
      await owner.deleteFrom('role_permission').where('code', '=', code).where('role_id', '=', 30).execute()
    },
  )

  test('asks from its day on, and nobody without codes of finance', async () => {
    await demand(new Date(clock.now() + 10_000))
    expect(await factor()).toBe('clear')
    expect((await handlers.selfSettings({}, await call())).data.totp.requiredFrom).toBeGreaterThan(clock.now())
    clock.advance(10_000)
    expect(await factor()).toBe('missing')
    expect(await factor(await world.logIn(phones.worker, world.browser('198.51.100.4')))).toBe('clear')
  })

  test('keeps the person from taking it off', async () => {
    const { secret } = await enable()
    await demand(new Date(clock.now()))
    expect(await refusalOf(handlers.endTotp({ code: codeNow(secret) }, await call()))).toBe('totp_kept')
    await owner.updateTable('agent').set({ finance_totp_from: null }).execute()
    expect(await refusalOf(handlers.endTotp({ code: wrongCode(secret) }, await call()))).toBe('totp_invalid')
    await handlers.endTotp({ code: codeNow(secret) }, await call())
    const { totp } = (await handlers.selfSettings({}, await call())).data
    expect(totp).toEqual({ enabledAt: null, requiredFrom: null, recoveryCodesLeft: 0 })
    expect(
      await owner.selectFrom('operator').select('totp_enabled_at').where('id', '=', operators.manager).execute(),
    ).toEqual([{ totp_enabled_at: null }])
  })
})
