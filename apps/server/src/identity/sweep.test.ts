import { expect, test, vi } from 'vitest'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createWorld, phones, startMs } from '#identity/world.fixture.ts'

const world = await createWorld()
const { identity, clock, owner, logIn, browser } = world
const tables = [
  'sms_code',
  'sms_guess',
  'sms_send',
  'sms_failure',
  'login_ticket',
  'quick_login_used',
  'call_nonce',
  'session',
] as const
const counts = async (): Promise<Record<string, number>> => {
  const rows = tables.map(
    async (table) => [table, (await owner.selectFrom(table).selectAll().execute()).length] as const,
  )
  return Object.fromEntries(await Promise.all(rows))
}

test('what login has no more use for goes, and nothing before its time', async () => {
  clock.set(startMs)
  const own = browser()
  const { accessToken } = await logIn(phones.manager, own)
  const session = (await identity.sessions.find(accessToken))!
  await identity.sessions.rememberWritingCall(session, 'w')
  const { data } = await identity.handlers.createQuickLogin({}, await own.session(accessToken))
  await identity.handlers.verifySign({ origin: data.origin }, own.call())
  await identity.handlers
    .verifySmsCode({ mobilePhoneNumber: phones.nobody, smsCode: '000000' }, own.call())
    .catch(() => {})
  const full = {
    sms_code: 1,
    sms_guess: 2,
    sms_send: 1,
    sms_failure: 1,
    login_ticket: 2,
    quick_login_used: 1,
    call_nonce: 1,
    session: 1,
  }
  expect(await counts()).toEqual(full)

  const startedAt = clock.now()
  clock.set(startedAt + 5 * minuteMs)
  expect(await identity.sweep()).toBe(0)
  clock.advance(1)
  await identity.sweep()
  expect(await counts()).toEqual({ ...full, call_nonce: 0 })
  clock.set(startedAt + 26 * hourMs)
  await identity.sweep()
  const empty = Object.fromEntries(tables.map((table) => [table, 0]))
  expect(await counts()).toEqual({ ...empty, sms_guess: 2, session: 1 })
  clock.set(startedAt + 97 * dayMs + 1)
  await identity.sweep()
  expect(await counts()).toEqual(empty)
})

test('more rows than one statement takes go too', async () => {
  const rows = Array.from({ length: 12_000 }, (_, index) => ({
    session_id: 1,
    jti: String(index),
    seen_at: new Date(clock.now() - hourMs),
  }))
  for (let at = 0; at < rows.length; at += 6_000)
    await owner
      .insertInto('call_nonce')
      .values(rows.slice(at, at + 6_000))
      .execute()
  expect(await identity.sweep()).toBe(12_000)
})

test('the background sweeps every ten minutes until it is stopped', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const stop = identity.startBackground()
    const old = { jti: 'old', session_id: 1, seen_at: new Date(clock.now() - hourMs) }
    await owner.insertInto('call_nonce').values(old).execute()
    vi.advanceTimersByTime(600_000)
    await identity.idle()
    expect((await counts())['call_nonce']).toBe(0)
    stop()
    await owner.insertInto('call_nonce').values(old).execute()
    vi.advanceTimersByTime(1_200_000)
    await identity.idle()
    expect((await counts())['call_nonce']).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})
