import { beforeEach, describe, expect, test } from 'vitest'
import { dayMs, minuteMs } from '@saddle/contract/time.ts'
import { createWorld, phones, refusalOf, startMs } from '#identity/world.fixture.ts'

const world = await createWorld()
const { identity, clock, owner, browser, codeFor, logIn, operators } = world
const { handlers } = identity
let nowMs = startMs

beforeEach(async () => {
  // A day between tests keeps their rate limits separate.
  nowMs += dayMs
  clock.set(nowMs)
  world.answerDevices(async () => true)
  world.questions.length = 0
  await owner.updateTable('operator').set({ state: 'enabled' }).execute()
  await owner.updateTable('agent').set({ state: 'enabled' }).execute()
})

/** A browser that holds a ticket for the number. For a number without operator the code is put into the database. */
async function withTicket(phone: string) {
  const own = browser()
  const smsCode = await codeFor(phone, own)
  if (smsCode !== null) {
    await handlers.verifySmsCode({ mobilePhoneNumber: phone, smsCode }, own.call())
    return own
  }
  const value = await world.db.system((tx) => identity.tickets.issue(tx, { phone, kind: 'sms' }))
  identity.tickets.setCookie(own.call(), value)
  return own
}
const lookUp = async (phone: string, own: ReturnType<typeof browser>): Promise<string> =>
  (await handlers.lookUpOperator({ phone }, await own.presession())).data.opManId
const sessionCount = async (): Promise<number> =>
  (await owner.selectFrom('session').select('id').where('revoked_at', 'is', null).execute()).length

describe('the ticket', () => {
  test('is kept as a hash and lives two minutes', async () => {
    const own = await withTicket(phones.manager)
    const rows = JSON.stringify(await owner.selectFrom('login_ticket').selectAll().execute())
    expect(rows).not.toContain(own.cookies.get('pre'))
    expect(rows).not.toContain(phones.manager)
    clock.advance(119_999)
    expect((await own.presession()).ticket).toMatchObject({ phone: phones.manager, kind: 'sms' })
    clock.advance(1)
    expect(await refusalOf(own.presession())).toBe('unauthorized')
  })

  test('that expires between guard and login is no login', async () => {
    const own = await withTicket(phones.manager)
    const call = await own.presession()
    const opManId = await lookUp(phones.manager, own)
    clock.advance(120_000)
    expect(await refusalOf(handlers.permissionLogin({ opManId }, call))).toBe('login_failed')
  })

  test('belongs to the browser that earned it', async () => {
    await withTicket(phones.manager)
    expect(await refusalOf(browser().presession())).toBe('unauthorized')
    const thief = browser()
    thief.cookies.set('pre', 'A'.repeat(43))
    expect(await refusalOf(thief.presession())).toBe('unauthorized')
  })

  test('speaks for one number, and asking for another leaves a line', async () => {
    const own = await withTicket(phones.manager)
    const before = (await world.actions()).length
    const call = await own.presession()
    expect(await refusalOf(handlers.lookUpOperator({ phone: phones.platform }, call))).toBe('forbidden')
    const device = { device_type: 'web', device_code: 'x', device_name: 'x', mobilePhoneNumber: phones.platform }
    expect(await refusalOf(handlers.bindDevice(device, call))).toBe('forbidden')
    expect((await world.actions()).slice(before)).toEqual(['session.foreign_lookup', 'session.foreign_lookup'])
  })

  test('is for the operator of its number alone', async () => {
    const foreign = await lookUp(phones.platform, await withTicket(phones.platform))
    const own = await withTicket(phones.manager)
    const before = await sessionCount()
    expect(await refusalOf(handlers.permissionLogin({ opManId: foreign }, await own.presession()))).toBe('login_failed')
    expect(await sessionCount()).toBe(before)
    // The attempt has used up the ticket.
    expect(await refusalOf(own.presession())).toBe('unauthorized')
  })

  test('of a quick login opens no ordinary one, and the other way round', async () => {
    const own = await withTicket(phones.manager)
    const opManId = await lookUp(phones.manager, own)
    expect(await refusalOf(handlers.loginAuthorised({ opManId }, await own.presession()))).toBe('quick_login_invalid')
  })
})

describe('login', () => {
  test('gives franchisee, role, token and cookies', async () => {
    const own = await withTicket(phones.manager)
    own.cookies.set('unrelated', '1')
    const opManId = await lookUp(phones.manager, own)
    const { data } = await handlers.permissionLogin({ opManId }, await own.presession())
    const { objectId } = await handlers.lookUpUser({ mobilePhoneNumber: phones.manager }, own.call())
    const accessToken = expect.stringMatching(/^[\w-]{43}$/)
    expect(data).toEqual({ agentId: 3, roleId: 30, accessToken, objectId, phone: phones.manager })
    expect(own.options.get('sid')).toEqual({ maxAgeMs: 604_800_000 })
    expect(own.options.get('_t')).toEqual({ maxAgeMs: 604_800_000, readable: true })
    expect(own.cookies.has('pre')).toBe(false)
    const rows = JSON.stringify(await owner.selectFrom('session').selectAll().execute())
    expect(rows).not.toContain(own.cookies.get('sid'))
    expect(rows).not.toContain(own.cookies.get('_t'))
    expect((await world.actions()).at(-1)).toBe('session.login')
  })

  test('clicked twice opens one session', async () => {
    const own = await withTicket(phones.manager)
    const opManId = await lookUp(phones.manager, own)
    const [first, second] = [await own.presession(), await own.presession()]
    const before = await sessionCount()
    const answers = await Promise.allSettled([
      handlers.permissionLogin({ opManId }, first),
      handlers.permissionLogin({ opManId }, second),
    ])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await sessionCount()).toBe(before + 1)
  })

  test('with a ticket that was used is refused', async () => {
    const own = await withTicket(phones.manager)
    const pre = own.cookies.get('pre')!
    const call = await own.presession()
    const opManId = await lookUp(phones.manager, own)
    await handlers.permissionLogin({ opManId }, call)
    const before = await sessionCount()
    expect(await refusalOf(handlers.permissionLogin({ opManId }, call))).toBe('login_failed')
    own.cookies.set('pre', pre)
    expect(await refusalOf(own.presession())).toBe('unauthorized')
    expect(await sessionCount()).toBe(before)
  })

  test('of a number without operator looks alike until its end', async () => {
    const own = await withTicket(phones.nobody)
    const opManId = await lookUp(phones.nobody, own)
    expect(opManId).toMatch(/^[0-9a-f]{24}$/)
    expect(await lookUp(phones.nobody, own)).toBe(opManId)
    const device = { device_type: 'web', device_code: 'x', device_name: 'x', mobilePhoneNumber: phones.nobody }
    expect(await handlers.bindDevice(device, await own.presession())).toEqual({ suc: true, data: { authorised: true } })
    expect(await refusalOf(handlers.permissionLogin({ opManId }, await own.presession()))).toBe('login_failed')
    expect(await refusalOf(own.presession())).toBe('unauthorized')
    expect(own.cookies.has('sid')).toBe(false)
  })

  test('of a disabled operator, or below a disabled franchisee, is refused by name', async () => {
    const tryIt = async () => {
      const own = await withTicket(phones.manager)
      const opManId = await lookUp(phones.manager, own)
      return refusalOf(handlers.permissionLogin({ opManId }, await own.presession()))
    }
    await owner.updateTable('operator').set({ state: 'disabled' }).where('id', '=', operators.manager).execute()
    expect(await tryIt()).toBe('operator_disabled')
    expect((await world.actions()).at(-1)).toBe('session.login_refused')
    clock.advance(minuteMs)
    await owner.updateTable('operator').set({ state: 'enabled' }).execute()
    await owner.updateTable('agent').set({ state: 'disabled' }).where('id', '=', 3).execute()
    expect(await tryIt()).toBe('operator_disabled')
  })

  test('again in the same browser ends the session before', async () => {
    const own = browser()
    const first = await logIn(phones.manager, own)
    const second = await logIn(phones.worker, own)
    expect(await identity.sessions.find(first.accessToken)).toBeNull()
    expect(await identity.sessions.find(second.accessToken)).not.toBeNull()
  })

  test('in many browsers keeps the newest twenty', async () => {
    const handles: string[] = []
    for (let index = 0; index < 21; index += 1) {
      if (index % 9 === 0) clock.advance(dayMs)
      handles.push((await logIn(phones.otherManager, browser(`198.51.100.${index}`))).accessToken)
    }
    await owner
      .updateTable('session')
      .set({ last_seen_at: new Date(clock.now()) })
      .execute()
    const liveSession = await Promise.all(handles.map((handle) => identity.sessions.find(handle)))
    expect(liveSession.map((session) => session !== null)).toEqual([false, ...Array.from({ length: 20 }, () => true)])
  })

  test('in one step by phone and code', async () => {
    const own = browser()
    const smsCode = (await codeFor(phones.worker, own))!
    const { data } = await handlers.loginByPhone({ mobilePhoneNumber: phones.worker, smsCode }, own.call())
    expect(data).toMatchObject({ agentId: 3, roleId: null })
    expect(own.cookies.has('sid')).toBe(true)
    const again = handlers.loginByPhone({ mobilePhoneNumber: phones.worker, smsCode }, browser().call())
    expect(await refusalOf(again)).toBe('code_invalid')
  })
})

describe('the device check', () => {
  const bind = async (own: ReturnType<typeof browser>, name = 'Firefox') => {
    const device = { device_type: 'web', device_code: 'x', device_name: name, mobilePhoneNumber: phones.manager }
    return handlers.bindDevice(device, await own.presession())
  }
  const devices = () =>
    owner.selectFrom('operator_device').selectAll().where('operator_id', '=', operators.manager).orderBy('id').execute()

  test('notes the browser once, under a cookie that lasts', async () => {
    const own = await withTicket(phones.manager)
    await bind(own)
    const cookie = own.cookies.get('dev')!
    expect(own.options.get('dev')?.readable).toBeUndefined()
    await bind(own, 'Firefox 150')
    expect(own.cookies.get('dev')).toBe(cookie)
    const rows = await devices()
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ agent_id: 3, name: 'Firefox 150', approved: false })
    expect(rows[0]!.device_hash).not.toBe(cookie)
    expect(world.questions.at(-1)).toEqual({
      operator: { id: operators.manager, agentId: 3 },
      deviceHash: rows[0]!.device_hash,
    })
  })

  test('takes no name that cannot be stored and no cookie of another make', async () => {
    const own = await withTicket(phones.manager)
    own.cookies.set('dev', 'short')
    await bind(own, 'a\0b\ud800')
    expect(own.cookies.get('dev')).toMatch(/^[\w-]{43}$/)
    expect((await devices()).at(-1)?.name).toBe('ab\ufffd')
  })

  test('remembers fifty browsers, the newest', async () => {
    for (let index = 0; index < 52; index += 1) {
      const value = await world.db.system((tx) => identity.tickets.issue(tx, { phone: phones.manager, kind: 'sms' }))
      const own = browser()
      identity.tickets.setCookie(own.call(), value)
      clock.advance(1)
      await bind(own, `browser ${index}`)
    }
    const names = (await devices()).map((row) => row.name)
    expect(names).toHaveLength(50)
    expect(names.slice(-2)).toEqual(['browser 50', 'browser 51'])
  })

  test('refuses on a no and on no answer, at binding and again at each way of logging in', async () => {
    const own = await withTicket(phones.manager)
    const opManId = await lookUp(phones.manager, own)
    const before = await sessionCount()
    world.answerDevices(async () => false)
    expect(await refusalOf(bind(own))).toBe('device_unauthorised')
    expect(own.cookies.has('dev')).toBe(true)
    expect(await refusalOf(handlers.permissionLogin({ opManId }, await own.presession()))).toBe('device_unauthorised')
    world.answerDevices(() => Promise.reject(new Error('no network')))
    expect(await refusalOf(bind(own))).toBe('device_check_failed')
    expect(await refusalOf(handlers.permissionLogin({ opManId }, await own.presession()))).toBe('device_check_failed')
    clock.advance(minuteMs)
    const smsCode = (await codeFor(phones.manager))!
    const outsider = browser()
    const oneStep = (): Promise<unknown> =>
      handlers.loginByPhone({ mobilePhoneNumber: phones.manager, smsCode }, outsider.call())
    world.answerDevices(async () => false)
    expect(await refusalOf(oneStep())).toBe('device_unauthorised')
    expect(world.questions.at(-1)?.deviceHash).toBeNull()
    expect(await sessionCount()).toBe(before)
    expect(outsider.cookies.has('sid')).toBe(false)
  })
})
