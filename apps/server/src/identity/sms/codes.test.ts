import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { smsFailureWindowMs } from '@saddle/contract/identity/limits.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createWorld, phones, refusalOf, startMs } from '#identity/world.fixture.ts'

let providerFails = false
const world = await createWorld({
  sms: async () => {
    if (providerFails) throw new Error('the provider is down')
  },
})
const { identity, clock, owner, sent, browser, codeFor } = world
const { handlers } = identity

const request = (phone: string, address?: string): Promise<unknown> =>
  handlers.requestSmsCode({ mobilePhoneNumber: phone }, browser(address).call())
const verify = (phone: string, smsCode: string, address?: string): Promise<unknown> =>
  handlers.verifySmsCode({ mobilePhoneNumber: phone, smsCode }, browser(address).call())
const other = (code: string | null): string => (code === '000000' ? '000001' : '000000')
const waitingForLocks = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(owner)
  return rows[0]?.count ?? 0
}
/** A number not used before in this file. */
const unknownPhone = (index: number): string => `139${String(10_000_000 + index)}`

beforeEach(async () => {
  providerFails = false
  clock.set(startMs)
  sent.length = 0
  for (const table of ['sms_code', 'sms_guess', 'operator_device', 'sms_send', 'sms_failure', 'login_ticket'] as const)
    await owner.deleteFrom(table).execute()
})

describe('asking for a code', () => {
  test('sends six digits, and keeps only their hash', async () => {
    expect(await handlers.requestSmsCode({ mobilePhoneNumber: phones.manager }, browser().call())).toEqual({
      suc: true,
      resendAfterSeconds: 60,
    })
    await identity.idle()
    expect(sent).toEqual([{ phone: phones.manager, code: expect.stringMatching(/^\d{6}$/), ttlMinutes: 5 }])
    const rows = JSON.stringify(await owner.selectFrom('sms_code').selectAll().execute())
    expect(rows).not.toContain(sent[0]!.code)
    expect(rows).not.toContain(phones.manager)
  })

  test('answers an unknown number alike, and sends nothing', async () => {
    const known = await handlers.requestSmsCode({ mobilePhoneNumber: phones.manager }, browser().call())
    const unknown = await handlers.requestSmsCode({ mobilePhoneNumber: phones.nobody }, browser().call())
    await identity.idle()
    expect(unknown).toEqual(known)
    expect(sent.map((message) => message.phone)).toEqual([phones.manager])
    expect(await owner.selectFrom('sms_code').select('phone_hash').execute()).toHaveLength(2)
    // The limits are the same as well.
    expect(await refusalOf(request(phones.nobody))).toBe('sms_too_many')
    expect(await refusalOf(request(phones.manager))).toBe('sms_too_many')
  })

  test('again after 60 seconds and not before', async () => {
    await request(phones.manager)
    clock.advance(59_999)
    expect(await refusalOf(request(phones.manager))).toBe('sms_too_many')
    clock.advance(1)
    await request(phones.manager)
  })

  test('ten times a day for one number, from wherever', async () => {
    for (let index = 0; index < 10; index += 1) {
      await request(phones.manager, `198.51.100.${index}`)
      clock.advance(hourMs)
    }
    expect(await refusalOf(request(phones.manager, '198.51.100.99'))).toBe('sms_too_many')
    clock.advance(14 * hourMs)
    await request(phones.manager, '198.51.100.99')
  })

  test('twenty times an hour from one address, a /64 being one', async () => {
    for (let index = 0; index < 20; index += 1) await request(unknownPhone(index), `2001:db8:0:1::${index + 1}`)
    expect(await refusalOf(request(unknownPhone(20), '2001:db8:0:1:ffff::1'))).toBe('sms_too_many')
    await request(unknownPhone(20), '2001:db8:0:2::1')
    clock.advance(hourMs)
    await request(unknownPhone(21), '2001:db8:0:1::1')
  })

  test('ten times at once: one passes', async () => {
    // Nobody may write until all connections of the system pool wait: each has read what the limits look at by then.
    const calls = await owner.transaction().execute(async (tx) => {
      await sql`lock table sms_send in share row exclusive mode`.execute(tx)
      const started = Array.from({ length: 10 }, () => request(phones.manager))
      await expect.poll(waitingForLocks).toBe(3)
      return { started: Promise.allSettled(started) }
    })
    const answers = await calls.started
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1)
    await identity.idle()
    expect(sent).toHaveLength(1)
  })

  test('until the budget of the house is spent, by real messages alone', async () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => ({
      phone_hash: `p${index}`,
      address_hash: `a${index}`,
      is_real: index < 4_999,
      sent_at: new Date(startMs - 1_000),
    }))
    await owner.insertInto('sms_send').values(rows).execute()
    await request(phones.manager)
    await identity.idle()
    expect(sent).toHaveLength(1)
    expect(await refusalOf(request(phones.worker))).toBe('sms_too_many')
    expect(await refusalOf(request(phones.nobody))).toBe('sms_too_many')
    clock.advance(dayMs)
    await request(phones.worker)
  })

  test('fails for everybody alike while the provider is broken, and heals', async () => {
    providerFails = true
    for (let index = 0; index < 3; index += 1) {
      await request(phones.manager)
      await identity.idle()
      clock.advance(minuteMs)
    }
    clock.advance(-1)
    expect(await refusalOf(request(phones.worker))).toBe('sms_failed')
    expect(await refusalOf(request(phones.nobody))).toBe('sms_failed')
    await identity.idle()
    providerFails = false
    clock.advance(minuteMs)
    await request(phones.otherManager)
    await identity.idle()
    await request(phones.platform)
  })
})

describe('a code', () => {
  test('is good once', async () => {
    const code = (await codeFor(phones.manager))!
    const first = browser()
    const answer = await handlers.verifySmsCode({ mobilePhoneNumber: phones.manager, smsCode: code }, first.call())
    expect(answer.objectId).toMatch(/^[0-9a-f]{24}$/)
    expect(first.cookies.get('pre')).toMatch(/^[\w-]{43}$/)
    expect(first.options.get('pre')).toEqual({ maxAgeMs: 120_000 })
    expect(await refusalOf(verify(phones.manager, code))).toBe('code_invalid')
  })

  test('is good once, also when it comes twice at the same time', async () => {
    const code = (await codeFor(phones.manager))!
    const answers = await Promise.allSettled([verify(phones.manager, code), verify(phones.manager, code)])
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1)
  })

  test('is good for its own number and for five minutes', async () => {
    const code = (await codeFor(phones.manager))!
    await codeFor(phones.worker)
    expect(sent[1]!.code).not.toBe(code)
    expect(await refusalOf(verify(phones.worker, code))).toBe('code_invalid')
    clock.advance(5 * minuteMs)
    expect(await refusalOf(verify(phones.manager, code))).toBe('code_invalid')
  })

  test('is good beside a newer one, and all of them go with the first that is used', async () => {
    const codes: string[] = []
    for (let index = 0; index < 4; index += 1) {
      codes.push((await codeFor(phones.manager))!)
      clock.advance(minuteMs)
    }
    expect(new Set(codes).size).toBe(4)
    // Three at a time: more would make guessing easier.
    expect(await refusalOf(verify(phones.manager, codes[0]!))).toBe('code_invalid')
    await verify(phones.manager, codes[1]!)
    for (const spent of codes.slice(1)) expect(await refusalOf(verify(phones.manager, spent))).toBe('code_invalid')
  })

  test('is not even looked at after five failures, and a new code does not help', async () => {
    const code = await codeFor(phones.manager)
    for (let index = 0; index < 5; index += 1)
      expect(await refusalOf(verify(phones.manager, other(code)))).toBe('code_invalid')
    expect(await refusalOf(verify(phones.manager, code!))).toBe('sms_too_many')
    clock.advance(minuteMs)
    const fresh = (await codeFor(phones.manager))!
    expect(await refusalOf(verify(phones.manager, fresh))).toBe('sms_too_many')
    expect(
      await refusalOf(handlers.loginByPhone({ mobilePhoneNumber: phones.manager, smsCode: fresh }, browser().call())),
    ).toBe('sms_too_many')
    clock.set(startMs + smsFailureWindowMs)
    await verify(phones.manager, (await codeFor(phones.manager))!)
  })

  test('allows five guesses, also when they come all at once', async () => {
    const code = await codeFor(phones.manager)
    const guesses = Array.from({ length: 12 }, () => refusalOf(verify(phones.manager, other(code))))
    const answers = await Promise.all(guesses)
    expect(answers.filter((answer) => answer === 'code_invalid')).toHaveLength(5)
    expect(answers.filter((answer) => answer === 'sms_too_many')).toHaveLength(7)
  })

  test('starts the count anew when its holder types it', async () => {
    const code = await codeFor(phones.manager)
    for (let index = 0; index < 4; index += 1) await refusalOf(verify(phones.manager, other(code)))
    await verify(phones.manager, code!)
    clock.advance(minuteMs)
    const next = (await codeFor(phones.manager))!
    expect(await refusalOf(verify(phones.manager, other(next)))).toBe('code_invalid')
    await verify(phones.manager, next)
  })

  test('cannot be guessed across numbers from one address', async () => {
    for (let index = 0; index < 30; index += 1)
      expect(await refusalOf(verify(unknownPhone(index), '123456'))).toBe('code_invalid')
    const code = (await codeFor(phones.manager, browser('198.51.100.1')))!
    expect(await refusalOf(verify(phones.manager, code))).toBe('sms_too_many')
    await verify(phones.manager, code, '198.51.100.1')
  })

  test('fails for an unknown number as for a known one, and leaves a line in the trail of the known one', async () => {
    await codeFor(phones.manager)
    const wrong = other(sent[0]!.code)
    expect(await refusalOf(verify(phones.nobody, wrong))).toBe('code_invalid')
    const before = (await world.actions()).length
    expect(await refusalOf(verify(phones.manager, wrong))).toBe('code_invalid')
    await identity.idle()
    expect((await world.actions()).slice(before)).toEqual(['session.code_wrong'])
  })
})

describe('an outsider who knows the number', () => {
  /** The browser in which the person has worked before. */
  const ownBrowser = async () => {
    const own = browser('203.0.113.50')
    await typeIn(own, (await codeFor(phones.manager, own))!)
    const device = { device_type: 'web', device_code: 'x', device_name: 'x', mobilePhoneNumber: phones.manager }
    await handlers.bindDevice(device, await own.presession())
    clock.advance(minuteMs)
    return own
  }
  const typeIn = (own: ReturnType<typeof browser>, smsCode: string) =>
    handlers.verifySmsCode({ mobilePhoneNumber: phones.manager, smsCode }, own.call())

  test('locks the known browser out neither by wrong codes nor by using up its codes', async () => {
    const own = await ownBrowser()
    const code = (await codeFor(phones.manager, own))!
    // As many requests and guesses as are taken from outsiders, also behind the person's own address.
    for (let index = 0; index < 6; index += 1) await refusalOrNull(verify(phones.manager, other(code), '203.0.113.50'))
    await request(phones.manager, '203.0.113.50')
    expect(await refusalOf(verify(phones.manager, code, '198.51.100.1'))).toBe('sms_too_many')
    await typeIn(own, code)
    for (let index = 0; index < 12; index += 1) {
      clock.advance(minuteMs)
      await refusalOrNull(request(phones.manager, `198.51.100.${index}`))
    }
    expect(await refusalOf(request(phones.manager, '198.51.100.99'))).toBe('sms_too_many')
    await typeIn(own, (await codeFor(phones.manager, own))!)
  })

  test('has a hundred guesses in all, until the person has been there', async () => {
    const own = await ownBrowser()
    const guess = (index: number) => refusalOrNull(verify(phones.manager, '999999', `198.51.${index % 200}.1`))
    let wrong = 0
    for (let index = 0; index < 130; index += 1) {
      if ((await guess(index)) === 'code_invalid') wrong += 1
      if (index % 5 === 4) clock.advance(smsFailureWindowMs)
    }
    expect(wrong).toBe(100)
    const fresh = (await codeFor(phones.manager, browser('198.51.250.1')))!
    expect(await refusalOf(verify(phones.manager, fresh, '198.51.250.1'))).toBe('sms_too_many')
    await typeIn(own, (await codeFor(phones.manager, own))!)
    await verify(phones.manager, fresh, '198.51.250.1')
  })

  test('is one of the outsiders again in a browser that an administrator refused', async () => {
    const own = await ownBrowser()
    await owner
      .updateTable('operator_device')
      .set({ approved: false, decided_at: new Date(clock.now()) })
      .execute()
    for (let index = 0; index < 5; index += 1) await refusalOrNull(verify(phones.manager, '999999'))
    expect(await refusalOf(typeIn(own, '999999'))).toBe('sms_too_many')
  })
})

const refusalOrNull = (asked: Promise<unknown>): Promise<string | null> =>
  asked.then(
    () => null,
    (error: { code: string }) => error.code,
  )

test('user look-up gives known and unknown numbers stable identifiers of one form', async () => {
  const lookUp = (mobilePhoneNumber: string) => handlers.lookUpUser({ mobilePhoneNumber }, browser().call())
  const [known, unknown] = [await lookUp(phones.manager), await lookUp(phones.nobody)]
  expect(known.objectId).toMatch(/^[0-9a-f]{24}$/)
  expect(unknown.objectId).toMatch(/^[0-9a-f]{24}$/)
  expect(unknown).not.toEqual(known)
  expect(await lookUp(phones.nobody)).toEqual(unknown)
})
