import { beforeEach, describe, expect, test } from 'vitest'
import { operatorDeviceEndpoints } from '@saddle/contract/identity/devices.ts'
import { dayMs, minuteMs } from '@saddle/contract/time.ts'
import type { SessionCall } from '#kit/call.ts'
import { type Browser, createWorld, phones, refusalOf, startMs } from '#identity/world.fixture.ts'

const world = await createWorld({ devicesByPolicy: true })
const { identity, clock, owner, operators } = world
const { handlers, sessions } = identity
let nowMs = startMs
let adminBrowser: Browser
let admin: SessionCall

/** What the console does after the SMS code: the verdict of the binding, and then the request. */
const bind = async (browser: Browser, phone: string): Promise<string> => {
  clock.advance(minuteMs)
  const smsCode = (await world.codeFor(phone, browser)) ?? ''
  await handlers.verifySmsCode({ mobilePhoneNumber: phone, smsCode }, browser.call())
  const device = { device_type: 'web', device_code: 'x', device_name: 'x', mobilePhoneNumber: phone }
  return handlers.bindDevice(device, await browser.presession()).then(
    () => 'authorised',
    (error: { code: string }) => error.code,
  )
}
const verify = async (browser: Browser) => (await handlers.verifyDevice({}, await browser.presession())).data
const enter = async (browser: Browser, phone: string) => {
  const found = await handlers.lookUpOperator({ phone }, await browser.presession())
  return (await handlers.permissionLogin(found.data, await browser.presession())).data
}
const parsed = (state?: string, agentId?: number) =>
  operatorDeviceEndpoints.deviceAuthorizeInfo.input.parse({
    filter: { ...(state !== undefined && { states: [state] }), ...(agentId !== undefined && { agentIds: [agentId] }) },
  })
const waiting = async (call = admin) => (await handlers.deviceAuthorizeInfo(parsed('requested'), call)).data
const setPolicy = (policy: 'open' | 'approval', approveRecentDays = 0) =>
  handlers.devicePermission({ agentId: 3, policy, approveRecentDays }, admin)
const holding = (call: SessionCall, ...codes: string[]): SessionCall => ({
  ...call,
  caller: { ...call.caller, permissions: new Set(codes) },
})

beforeEach(async () => {
  nowMs += 30 * dayMs
  clock.set(nowMs)
  await owner.deleteFrom('session').execute()
  await owner.deleteFrom('operator_device').execute()
  await owner.updateTable('agent').set({ device_policy: 'open' }).execute()
  adminBrowser = world.browser()
  await bind(adminBrowser, phones.manager)
  const { accessToken } = await enter(adminBrowser, phones.manager)
  admin = holding(await adminBrowser.session(accessToken), '1002', '1101')
})

describe('a company that asks for approval', () => {
  test('lets nobody in with a browser that it does not know, and keeps the request', async () => {
    await setPolicy('approval')
    const fresh = world.browser('198.51.100.1')
    expect(await bind(fresh, phones.worker)).toBe('device_unauthorised')
    expect(await refusalOf(enter(fresh, phones.worker))).toBe('device_unauthorised')
    expect(await verify(fresh)).toEqual({ policy: 'approval', state: 'requested' })
    // CodeRequest again asks once.
    await verify(fresh)
    const { list, count } = await waiting()
    expect(count).toBe(1)
    expect(list[0]).toMatchObject({
      operatorId: operators.worker,
      phone: '138****8002',
      state: 'requested',
      isThis: false,
    })
    const { data: file } = await handlers.exportOperatorDevices(parsed('requested'), admin)
    expect(file).toMatchObject({ rows: 1, text: expect.stringContaining(',138****8002,') })
    await expect(handlers.exportOperatorDevices(parsed('requested', 1), admin)).rejects.toMatchObject({
      code: 'not_found',
    })
    const ofOthers = await handlers.exportOperatorDevices(parsed('requested'), holding(admin, '1101'))
    expect(ofOthers.data.rows).toBe(0)
    expect((await world.actions()).filter((action) => action === 'device.request')).toHaveLength(1)
  })

  test('lets the approved browser in, until it is removed: then its session ends', async () => {
    await setPolicy('approval')
    const fresh = world.browser('198.51.100.2')
    await bind(fresh, phones.worker)
    await verify(fresh)
    const { id } = (await waiting()).list[0]!
    expect((await handlers.deviceAuthorizeConfirm({ ids: [id] }, admin)).data).toEqual({ confirmedIds: [id] })
    expect(await bind(fresh, phones.worker)).toBe('authorised')
    const { accessToken } = await enter(fresh, phones.worker)
    expect(await sessions.find(accessToken)).not.toBeNull()
    const info = (await handlers.deviceLoginInfo({ operatorId: operators.worker }, admin)).data
    expect(info).toMatchObject({ policy: 'approval', list: [{ id, state: 'approved', decidedBy: '周' }] })

    await handlers.deviceAuthorizeRemove({ ids: [id] }, admin)
    expect(await sessions.find(accessToken)).toBeNull()
    expect(await bind(fresh, phones.worker)).toBe('device_unauthorised')
    expect(await world.actions()).toEqual(expect.arrayContaining(['device.policy', 'device.approve', 'device.remove']))
  })

  test('approves the browser that it was set from, and on wish those of the last days', async () => {
    const known = world.browser('198.51.100.3')
    await bind(known, phones.worker)
    clock.advance(2 * dayMs)
    expect((await setPolicy('approval')).data.approved).toBe(1)
    expect(await bind(adminBrowser, phones.manager)).toBe('authorised')
    expect(await bind(known, phones.worker)).toBe('device_unauthorised')
    await owner
      .updateTable('operator_device')
      .set({ last_seen_at: new Date(clock.now() - 2 * dayMs) })
      .execute()
    expect((await setPolicy('approval', 1)).data.approved).toBe(0)
    expect((await setPolicy('approval', 3)).data.approved).toBe(1)
    expect(await bind(known, phones.worker)).toBe('authorised')
  })

  test('leaves a browser that was refused as it is, however lately it was used', async () => {
    await setPolicy('approval')
    const outsider = world.browser('198.51.100.7')
    await bind(outsider, phones.worker)
    await verify(outsider)
    const { id } = (await waiting()).list[0]!
    await handlers.deviceAuthorizeRemove({ ids: [id] }, admin)
    expect((await setPolicy('approval', 30)).data.approved).toBe(0)
    expect(await bind(outsider, phones.worker)).toBe('device_unauthorised')
    await handlers.deviceAuthorizeConfirm({ ids: [id] }, admin)
    expect(await bind(outsider, phones.worker)).toBe('authorised')
  })

  test('approves the browser of whoever asks for it in another way', async () => {
    await world.db.withScope(admin.scope, async (tx) => {
      await tx.updateTable('agent').set({ device_policy: 'approval' }).where('id', '=', 3).execute()
      await identity.approveOwnDevice(tx, admin)
    })
    expect(await bind(adminBrowser, phones.manager)).toBe('authorised')
    expect(await bind(world.browser('198.51.100.6'), phones.manager)).toBe('device_unauthorised')
  })

  test('knows a browser for one person and not for another', async () => {
    await setPolicy('approval')
    expect(await bind(adminBrowser, phones.worker)).toBe('device_unauthorised')
  })

  test('is one company: its neighbour stays open', async () => {
    await setPolicy('approval')
    const theirs = world.browser('198.51.100.4')
    expect(await bind(theirs, phones.otherManager)).toBe('authorised')
    expect(await verify(theirs)).toEqual({ policy: 'open', state: 'unknown' })
  })

  test('hears a person who asks over and over no more than ten times an hour', async () => {
    await setPolicy('approval')
    const ask = async (index: number) => {
      const browser = world.browser(`198.51.100.${index}`)
      const answers = await owner
        .deleteFrom('sms_send')
        .execute()
        .then(() => bind(browser, phones.worker))
      expect(answers).toBe('device_unauthorised')
      return refusalOrState(verify(browser))
    }
    const states: string[] = []
    for (let index = 0; index < 11; index += 1) states.push(await ask(100 + index))
    expect(states).toEqual([...Array.from({ length: 10 }, () => 'requested'), 'too_many_requests'])
  })
})

const refusalOrState = (asked: Promise<{ state: string }>): Promise<string> =>
  asked.then(
    ({ state }) => state,
    (error: { code: string }) => error.code,
  )

describe('who administers', () => {
  const foreign = async (): Promise<number> => {
    const browser = world.browser('198.51.100.5')
    await bind(browser, phones.otherManager)
    const row = await owner
      .selectFrom('operator_device')
      .select('id')
      .where('operator_id', '=', operators.otherManager)
      .executeTakeFirstOrThrow()
    return row.id
  }

  test('reaches no other company’s browsers, alone or among the own', async () => {
    const id = await foreign()
    const own = (await handlers.deviceAuthorizeInfo(parsed(), admin)).data.list[0]!.id
    for (const ids of [[id], [own, id]]) {
      expect(await refusalOf(handlers.deviceAuthorizeConfirm({ ids }, admin))).toBe('not_found')
    }
    expect(await refusalOf(handlers.deviceAuthorizeRemove({ ids: [id] }, admin))).toBe('not_found')
    expect(await refusalOf(handlers.deviceLoginInfo({ operatorId: operators.otherManager }, admin))).toBe('not_found')
    expect(await refusalOf(handlers.deviceAuthorizeInfo(parsed(undefined, 4), admin))).toBe('not_found')
    const changed = { agentId: 4, policy: 'approval', approveRecentDays: 0 } as const
    expect(await refusalOf(handlers.devicePermission(changed, admin))).toBe('not_found')
    const rows = await owner.selectFrom('operator_device').select(['id', 'approved']).execute()
    expect(rows.filter((row) => row.approved)).toEqual([])
  })

  test('sees beforehand whom the policy would keep out, and whom it may let in', async () => {
    const fresh = world.browser('198.51.100.7')
    await bind(fresh, phones.worker)
    const effect = async (agentId: number) => (await handlers.devicePolicyEffect({ agentId }, admin)).data
    const all = await owner.selectFrom('operator_device').selectAll().where('agent_id', '=', 3).execute()
    const people = new Set(all.map((row) => row.operator_id)).size
    expect(all.length).toBeGreaterThan(0)
    const recent = [30, 7, 90].map((days) => ({ days, devices: all.length, people }))
    expect(await effect(3)).toEqual({ devices: all.length, people, recent })
    await owner
      .updateTable('operator_device')
      .set({ last_seen_at: new Date(nowMs - 8 * dayMs) })
      .execute()
    expect((await effect(3)).recent).toContainEqual({ days: 7, devices: 0, people: 0 })
    expect((await effect(3)).recent).toContainEqual({ days: 30, devices: all.length, people })
    expect(await refusalOf(handlers.devicePolicyEffect({ agentId: 4 }, admin))).toBe('not_found')
    const { approved } = (await setPolicy('approval', 30)).data
    expect(approved).toBe(all.length)
    expect(await effect(3)).toMatchObject({ devices: 0, people: 0 })
  })

  test('needs one code for the own company and another for those below', async () => {
    const ownOnly = holding(admin, '1002')
    const belowOnly = holding(admin, '1101')
    expect((await handlers.deviceAuthorizeInfo(parsed(), ownOnly)).data.count).toBe(1)
    expect((await handlers.deviceAuthorizeInfo(parsed(), belowOnly)).data.count).toBe(0)
    const policy = { policy: 'approval', approveRecentDays: 0 } as const
    expect(await refusalOf(handlers.devicePermission({ ...policy, agentId: 3 }, belowOnly))).toBe('not_found')
    expect(await refusalOf(handlers.devicePermission({ ...policy, agentId: 5 }, ownOnly))).toBe('not_found')
    expect((await handlers.devicePermission({ ...policy, agentId: 5 }, belowOnly)).data.policy).toBe('approval')
  })

  test('does not remove the browser that they sit at', async () => {
    const { id } = (await handlers.deviceAuthorizeInfo(parsed(), admin)).data.list.find((device) => device.isThis)!
    expect(await refusalOf(handlers.deviceAuthorizeRemove({ ids: [id] }, admin))).toBe('device_own')
  })
})
