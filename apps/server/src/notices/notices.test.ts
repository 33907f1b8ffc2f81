import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { noticeSettingDefaults } from '@saddle/contract/notices/config.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { boss, branch, company, english, manager, noticeWorld, platform, refusal, worker } from './notices.fixture.ts'
import { noticeTopic, tell } from './public.ts'

const world = await noticeWorld()
const { db, owner, kit, sent, notices, handlers, call, alarm, withdrawal, say, deliveries, email } = world

describe('who is told', () => {
  it('people of the company who hold the code and see the area, in their language', async () => {
    await say(alarm(320), alarm(310))
    expect(await notices.spread()).toBe(2)
    const found = await deliveries()
    expect(found.map((row) => [row.operator_id, row.title])).toEqual([
      [manager, 'SD1 车辆倾倒'],
      [english, expect.stringMatching(/^SD1 /)],
      [manager, 'SD1 车辆倾倒'],
      [worker, 'SD1 车辆倾倒'],
      [english, expect.stringMatching(/^SD1 /)],
    ])
    expect(found[1]?.body).toMatch(/^Vehicle SD1 in/)
    expect(await notices.spread()).toBe(0)
  })

  it('those above, where they decide; only the named, where people are named', async () => {
    const values = { company: '城北', bill: 'service', cents: 1 }
    await say({ ...alarm(310), event: 'objection_submitted', areaId: undefined, values } as never)
    const named = { ...withdrawal(1), event: 'export_done', values: { file: 'a.csv', rows: 2 } }
    await say({ ...named, operatorIds: [worker] } as never)
    await notices.spread()
    expect((await deliveries()).map((row) => row.operator_id)).toEqual([boss, worker])
  })

  it('nobody who has turned the kind off, and the roles that the company names', async () => {
    await sql`update operator set notices = '{security}' where id = ${english}`.execute(owner)
    const roleIds = [301]
    const rule = { channels: ['in_app' as const], roleIds, isUrgent: false, repeatMinutes: 0 }
    await handlers.saveNoticeRule({ event: 'alarm_serious', ...rule, version: 0 }, call(manager, company))
    await say(alarm(310), withdrawal(1))
    await notices.spread()
    await sql`update operator set notices = '{alarms,finance,security}' where id = ${english}`.execute(owner)
    expect((await deliveries()).map((row) => [row.operator_id, row.channel])).toEqual([
      [worker, 'in_app'],
      [manager, 'in_app'],
      [manager, 'email'],
      [worker, 'in_app'],
      [worker, 'email'],
    ])
  })

  it('once for one cause, and not where the cause is rolled back', async () => {
    await say(withdrawal(7), withdrawal(7))
    await say(withdrawal(7))
    await db
      .system(async (tx) => {
        await tell(tx, withdrawal(8))
        throw new Error('rolled back')
      })
      .catch(() => null)
    expect(await notices.spread()).toBe(1)
  })

  it('by jobs that were ended and begun again, as in a process that lost the lock of the jobs for a while', async () => {
    await notices.startBackground()()
    await say(alarm(310))
    const end = notices.startBackground()
    await expect.poll(async () => (await deliveries()).length).toBeGreaterThan(0)
    await end()
  })

  it('a scope writes of its own company alone', async () => {
    const scope = { agentIds: [branch], areaIds: [], operatorId: null }
    await expect(db.withScope(scope, (tx) => tell(tx, withdrawal(9)))).rejects.toThrow(/row-level security/)
  })
})

describe('when', () => {
  it('quiet hours wait for the morning, urgent notices do not', async () => {
    await email(manager)
    const late = TEST_START_MS + 11 * hourMs
    kit.clock.set(late)
    await say(withdrawal(1), {
      ...withdrawal(2),
      event: 'withdrawal_waiting',
      values: { cents: 1, person: 'x' },
    } as never)
    await notices.spread()
    const mails = (await deliveries()).filter((row) => row.channel === 'email' && row.operator_id === manager)
    expect(mails.map(({ state, reason }) => [state, reason])).toEqual([
      ['queued', null],
      ['queued', 'quiet_hours'],
    ])
    await notices.send()
    expect(sent.map(({ to }) => to)).toEqual(['p30@example.com'])
    kit.clock.set(late + 10 * hourMs)
    await notices.send()
    expect(sent).toHaveLength(2)
  })

  it('caps of a day and repetitions hold back what leaves the console, not the inbox', async () => {
    await email(manager)
    const setting = { ...noticeSettingDefaults, quietFrom: 0, quietTo: 0, emailCap: 2 }
    await handlers.saveNoticeSetting({ ...setting, version: 0 }, call(manager, company))
    await say(withdrawal(1), { ...withdrawal(1), key: 'again' }, withdrawal(2), withdrawal(3))
    await notices.spread()
    const own = (await deliveries()).filter((row) => row.operator_id === manager)
    expect(own.filter((row) => row.channel === 'in_app')).toHaveLength(4)
    expect(own.filter((row) => row.channel === 'email').map(({ reason }) => reason)).toEqual([
      null,
      'repeated',
      null,
      'cap',
    ])
    const others = (await deliveries()).filter((row) => row.operator_id === worker && row.channel === 'email')
    expect(others.every(({ reason }) => reason === 'no_address')).toBe(true)
    kit.clock.set(TEST_START_MS + dayMs)
    await say(withdrawal(4))
    await notices.spread()
    expect((await deliveries()).at(-1)).toMatchObject({ channel: 'email' })
  })
})

describe('what companies decide', () => {
  it('is inherited from above until a company decides itself', async () => {
    const above = call(boss, platform, [platform, company, branch])
    const rule = { channels: ['in_app' as const, 'email' as const], roleIds: null, isUrgent: true, repeatMinutes: 5 }
    await handlers.saveNoticeRule({ agentId: platform, event: 'budget_dry', ...rule, version: 0 }, above)
    const of = async (agentId: number) =>
      (await handlers.noticeRules({ agentId }, above)).data.rules.find(({ event }) => event === 'budget_dry')
    expect(await of(branch)).toMatchObject({ source: 'above', channels: ['in_app', 'email'], version: 0 })
    await handlers.saveNoticeRule({ agentId: company, event: 'budget_dry', ...rule, channels: [], version: 0 }, above)
    expect(await of(branch)).toMatchObject({ source: 'above', channels: [] })
    expect(await of(company)).toMatchObject({ source: 'own', channels: [], version: 1 })
    const again = handlers.saveNoticeRule({ agentId: company, event: 'budget_dry', ...rule, version: 3 }, above)
    expect(await refusal(again)).toBe('conflict')
    await handlers.resetNoticeRule({ agentId: company, event: 'budget_dry', version: 1 }, above)
    expect(await of(company)).toMatchObject({ source: 'above' })
    expect(await refusal(handlers.noticeRules({ agentId: platform }, call(manager, company)))).toBe('foreign_scope')
    const foreign = { event: 'budget_dry' as const, ...rule, roleIds: [200], version: 0 }
    expect(await refusal(handlers.saveNoticeRule(foreign, call(manager, company)))).toBe('not_found')
  })

  it('words have versions, a preview with the latest real values, and go back to those above', async () => {
    const which = { event: 'withdrawal_failed', channel: 'in_app', language: 'zh' } as const
    const words = { title: '失败 {{cents}}', body: '单号 {{number}}' }
    const own = call(manager, company)
    expect(await refusal(handlers.previewNotice({ ...which, ...words, body: '{{rider}}' }, own))).toBe('unknown_field')
    expect((await handlers.previewNotice({ ...which, ...words }, own)).data).toMatchObject({
      isReal: false,
      title: '失败 ¥123.45',
    })
    await say(withdrawal(5))
    expect((await handlers.previewNotice({ ...which, ...words }, own)).data).toMatchObject({
      isReal: true,
      title: '失败 ¥1234.56',
      body: '单号 w5',
    })
    await handlers.saveNoticeTemplate({ ...which, ...words, version: 0 }, own)
    expect(await refusal(handlers.saveNoticeTemplate({ ...which, ...words, version: 0 }, own))).toBe('conflict')
    await notices.spread()
    expect((await deliveries())[0]).toMatchObject({ title: '失败 ¥1234.56', body: '单号 w5' })
    await handlers.resetNoticeTemplate({ ...which, version: 1 }, own)
    const { data } = await handlers.noticeTemplates({}, own)
    const shown = data.templates.find((one) => one.event === which.event && one.channel === 'in_app')
    expect(shown).toMatchObject({ source: 'default', version: 2, title: '提现失败：{{cents}}' })
    expect((await handlers.noticeTemplateVersions(which, own)).data.versions.map(({ version }) => version)).toEqual([
      2, 1,
    ])
  })
})

describe('the inbox', () => {
  it('is one person’s, is counted, searched and read, and is told live', async () => {
    const heard: number[] = []
    const stop = kit.bus.subscribe(noticeTopic, ({ operatorIds }) => void heard.push(...operatorIds))
    await say(withdrawal(1), alarm(310))
    await notices.spread()
    await kit.bus.flush()
    stop()
    expect(heard.toSorted()).toEqual([manager, worker, english])
    const own = call(worker, company)
    const list = async (filter: object) =>
      (await handlers.listOwnNotices({ filter, sort: 'at', pageSize: 20 } as never, own)).data.list as {
        id: number
        title: string
      }[]
    expect((await handlers.countOwnNotices({}, own)).data.unread).toBe(2)
    expect(await list({ kinds: ['finance'] })).toMatchObject([{ title: '提现失败：¥1234.56' }])
    expect(await list({ keyword: 'sd1' })).toMatchObject([{ title: 'SD1 车辆倾倒' }])
    const file = async (person: typeof own) =>
      (await handlers.exportOwnNotices({ filter: {}, sort: 'at', format: 'csv' } as never, person)).data
    expect(await file(own)).toMatchObject({ rows: 2, text: expect.stringContaining('SD1 车辆倾倒') })
    const [first] = await list({})
    expect((await handlers.readOwnNotices({ ids: [first?.id ?? 0] }, call(manager, company))).data.read).toBe(0)
    expect((await handlers.readOwnNotices({ ids: [first?.id ?? 0] }, own)).data.read).toBe(1)
    expect((await handlers.readOwnNotices({}, own)).data.read).toBe(1)
    expect((await handlers.countOwnNotices({}, own)).data.unread).toBe(0)
    expect((await handlers.countOwnNotices({}, call(manager, company))).data.unread).toBe(2)
  })

  it('an address counts once its code is entered, and guessing ends', async () => {
    const own = call(manager, company)
    expect((await handlers.askNoticeAddress({ email: 'wang@example.com' }, own)).data).toEqual({
      email: null,
      pending: 'wa***@example.com',
    })
    expect(await refusal(handlers.askNoticeAddress({ email: 'wang@example.com' }, own))).toBe('too_many_requests')
    const code = /\d{6}/.exec(sent[0]?.title ?? '')?.[0] ?? ''
    const wrong = code === '000000' ? '000001' : '000000'
    expect(await refusal(handlers.confirmNoticeAddress({ code: wrong }, own))).toBe('code_invalid')
    expect(await refusal(handlers.confirmNoticeAddress({ code }, call(worker, company)))).toBe('code_invalid')
    expect((await handlers.confirmNoticeAddress({ code }, own)).data.email).toBe('wa***@example.com')
    expect(JSON.stringify(await owner.selectFrom('notice_address').selectAll().execute())).not.toContain('wang@')
    kit.clock.advance(minuteMs)
    await handlers.askNoticeAddress({ email: 'li@example.com' }, own)
    const second = /\d{6}/.exec(sent[1]?.title ?? '')?.[0] ?? ''
    const bad = second === '000000' ? '000001' : '000000'
    for (let guess = 0; guess < 5; guess += 1)
      expect(await refusal(handlers.confirmNoticeAddress({ code: bad }, own))).toBe('code_invalid')
    expect(await refusal(handlers.confirmNoticeAddress({ code: second }, own))).toBe('code_invalid')
    const lines = await owner
      .selectFrom('audit_record')
      .select('action')
      .where('action', '=', 'notice.address')
      .execute()
    expect(lines).toHaveLength(1)
    expect((await handlers.removeNoticeAddress({}, own)).data).toEqual({ email: null, pending: null })
  })
})
