import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noticeSettingDefaults } from '@saddle/contract/notices/config.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit, TEST_START_MS } from '#test/kit.ts'
import type { Channels, Outgoing } from './channels/channel.ts'
import { RefusedError } from './channels/channel.ts'
import { createWebhookChannel, signatureOf } from './channels/webhook.ts'
import { emailPurpose } from './keyed.ts'
import { createNotices, noticeTopic, tell, type NewNotice } from './public.ts'

const { db, owner, url } = await testDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'saddle-notices-'))
afterAll(() => rmSync(dataDir, { recursive: true }))
const kit = testKit(db, { DATA_DIR: dataDir })
const audit = createAudit(kit)
const sent: (Outgoing & { channel: string })[] = []
let fault: (() => Error) | null = null
const channel = (name: string) => ({
  state: 'sandbox' as const,
  send: async (message: Outgoing) => {
    if (fault !== null) throw fault()
    sent.push({ ...message, channel: name })
  },
})
const channels: Channels = {
  email: channel('email'),
  sms: channel('sms'),
  push: channel('push'),
  webhook: channel('webhook'),
}
const openPhone = (sealed: string): string => sealed
const notices = createNotices(kit, { audit, openPhone, sendText: null, channels })
const { handlers } = notices

const [platform, company, branch] = [2, 3, 4]
const [boss, manager, worker, english] = [20, 30, 31, 32]
const call = (operatorId: number, agentId: number, agentIds = [agentId]) =>
  sessionCall({ operatorId, agentId, grant: { agentIds, areaIds: [310, 320] }, permissions: ['0506'] })

beforeAll(async () => {
  await sql`insert into agent (id, parent_id, company) values (2, null, '总部'), (3, 2, '城北出行'), (4, 3, '城北一分')`.execute(
    owner,
  )
  await sql`insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring)
    select n, 3, '区' || n, 31.5, 120.5, '[[120,31],[121,31],[121,32],[120,31]]' from unnest(array[310, 320]) n`.execute(
    owner,
  )
  await sql`insert into role (id, agent_id, name) values (200, 2, '总管'), (300, 3, '经理'), (301, 3, '维修')`.execute(
    owner,
  )
  await sql`insert into role_permission (role_id, agent_id, code)
    select r.id, r.agent_id, code from role r cross join unnest(array['0301', 'financial_01', 'financial_04']) code`.execute(
    owner,
  )
  for (const [id, agentId, roleId, allAreas, language] of [
    [boss, platform, 200, true, 'zh'],
    [manager, company, 300, true, 'zh'],
    [worker, company, 301, false, 'zh'],
    [english, company, 300, true, 'en'],
  ] as const)
    await sql`insert into operator (id, agent_id, op_man_id, phone_hash, phone_sealed, name, level, role_id, all_areas, language)
      values (${id}, ${agentId}, ${id.toString(16).padStart(24, '0')}, ${`h${id}`}, ${`phone ${id}`}, ${`p${id}`}, 2, ${roleId},
        ${allAreas}, ${language})`.execute(owner)
  await sql`insert into operator_area (operator_id, agent_id, area_id) values (${worker}, 3, 310)`.execute(owner)
})

beforeEach(async () => {
  kit.clock.set(TEST_START_MS)
  sent.length = 0
  fault = null
  for (const table of ['notice', 'notice_rule', 'notice_setting', 'notice_address'] as const)
    await owner.deleteFrom(table).execute()
  await sql`truncate notice_template`.execute(owner)
})

let next = 0
const alarm = (areaId: number, changes: Partial<NewNotice> = {}): NewNotice => {
  next += 1
  return {
    event: 'alarm_serious',
    agentId: company,
    areaId,
    subject: `vehicle 17 fall`,
    key: `alarm ${next}`,
    values: { vehicle: 'SD1', area: '城北', alarm: 'fall' },
    path: '/vehicle-info?id=17',
    at: new Date(kit.clock.now()),
    ...changes,
  } as NewNotice
}
const withdrawal = (n: number): NewNotice => ({
  event: 'withdrawal_failed',
  agentId: company,
  subject: `withdrawal ${n}`,
  values: { cents: 123_456, number: `w${n}` },
  path: '/financial/CostCenter',
  at: new Date(kit.clock.now()),
})
const say = (...all: NewNotice[]) => db.system((tx) => tell(tx, all))
const deliveries = () =>
  owner
    .selectFrom('notice_delivery')
    .select(['operator_id', 'channel', 'state', 'reason', 'title', 'body', 'attempts'])
    .orderBy('id')
    .execute()
const email = (operatorId: number, agentId = company) =>
  sql`insert into notice_address (operator_id, agent_id, email_sealed, asked_at, confirmed_at)
    values (${operatorId}, ${agentId}, ${kit.secrets.encryptText({
      purpose: emailPurpose,
      text: `p${operatorId}@example.com`,
      context: String(operatorId),
    })}, now(), now())`.execute(owner)
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error: unknown) => (error as { code: string }).code,
  )

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

describe('sending', () => {
  it('is tried again with longer pauses, ends at a refusal, and can be begun anew', async () => {
    await email(manager)
    fault = () => new Error('down')
    await say(withdrawal(1))
    await notices.spread()
    const state = async () =>
      (await deliveries()).filter((row) => row.channel === 'email' && row.operator_id === manager)[0]
    expect(await notices.send()).toBe(1)
    expect(await state()).toMatchObject({ state: 'queued', reason: 'no_answer', attempts: 1 })
    expect(await notices.send()).toBe(0)
    kit.clock.advance(minuteMs)
    fault = () => new RefusedError('no such person')
    await notices.send()
    expect(await state()).toMatchObject({ state: 'failed', reason: 'refused', attempts: 2 })
    fault = null
    const { data } = await handlers.listDeliveries(
      { filter: { states: ['failed'] }, sort: 'at', pageSize: 50 } as never,
      call(manager, company),
    )
    const ids = (data.list as { id: number }[]).map(({ id }) => id)
    expect(await refusal(handlers.resendDeliveries({ ids }, call(boss, branch)))).toBe('not_found')
    await handlers.resendDeliveries({ ids }, call(manager, company))
    await notices.send()
    expect(await state()).toMatchObject({ state: 'sent', reason: null })
    expect(sent).toMatchObject([{ title: '提现失败：¥1234.56', to: 'p30@example.com' }])
  })

  it('a webhook is signed, and never leads into a private network', async () => {
    const heard: { headers: Record<string, unknown>; text: string }[] = []
    let status = 200
    const server = createServer((request, response) => {
      let text = ''
      request.on('data', (part: Buffer) => (text += part.toString()))
      request.on('end', () => {
        heard.push({ headers: request.headers, text })
        response.writeHead(status).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    afterAll(() => server.close())
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    const message = {
      id: '7',
      to: JSON.stringify({ url: target, secret: 'key' }),
      title: 't',
      body: 'b',
      path: '/x',
      event: 'alarm_serious',
      atMs: 5_000,
      nowMs: 9_000,
    }
    await createWebhookChannel({ isLocalAllowed: true }).send(message)
    expect(heard[0]?.headers['saddle-delivery']).toBe('7')
    expect(heard[0]?.headers['saddle-signature']).toBe(`t=9,v1=${signatureOf('key', 9, heard[0]?.text ?? '')}`)
    status = 410
    await expect(createWebhookChannel({ isLocalAllowed: true }).send(message)).rejects.toBeInstanceOf(RefusedError)
    await expect(createWebhookChannel({ isLocalAllowed: false }).send(message)).rejects.toBeInstanceOf(RefusedError)
    for (const address of ['https://127.0.0.1/', 'https://[::ffff:10.0.0.1]/', 'https://169.254.169.254/x']) {
      const to = JSON.stringify({ url: address, secret: 'key' })
      await expect(createWebhookChannel({ isLocalAllowed: false }).send({ ...message, to })).rejects.toBeInstanceOf(
        RefusedError,
      )
      const setting = { ...noticeSettingDefaults, webhookUrl: address, version: 0 }
      expect(await refusal(handlers.saveNoticeSetting(setting, call(manager, company)))).toBe('webhook_private')
    }
    expect(heard).toHaveLength(2)
  })

  it('a company is told at its own webhook', async () => {
    const setting = { ...noticeSettingDefaults, webhookUrl: 'https://example.com/hook', version: 0 }
    const { data } = await handlers.saveNoticeSetting(setting, call(manager, company))
    expect(data.webhookSecret).toHaveLength(43)
    const rule = { channels: ['webhook' as const], roleIds: null, isUrgent: false, repeatMinutes: 0 }
    await handlers.saveNoticeRule({ event: 'withdrawal_failed', ...rule, version: 0 }, call(manager, company))
    await say(withdrawal(1))
    await notices.spread()
    await notices.send()
    expect(sent).toMatchObject([{ channel: 'webhook', event: 'withdrawal_failed' }])
    expect(JSON.parse(sent[0]?.to ?? '')).toEqual({ url: 'https://example.com/hook', secret: data.webhookSecret })
    const shown = await handlers.noticeSetting({}, call(manager, company))
    expect(shown.data).toMatchObject({ webhookUrl: 'https://example.com/hook', source: 'own', version: 1 })
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

it('none is lost or doubled when the server is killed at random moments', async () => {
  const rounds = process.env['SADDLE_LONG'] === undefined ? 4 : 100
  const perRound = 60
  await email(manager)
  const setting = { ...noticeSettingDefaults, quietFrom: 0, quietTo: 0, emailCap: 1_000 }
  const now = kit.clock.now()
  await handlers.saveNoticeSetting({ ...setting, version: 0 }, call(manager, company))
  const script = fileURLToPath(import.meta.resolve('#test/deliverNotices.ts'))
  let total = 0
  for (let round = 0; round < rounds; round += 1) {
    const batch = Array.from({ length: perRound }, (_, index) => withdrawal(10_000 + round * perRound + index))
    await say(...batch)
    total += perRound
    // What the child held when it was killed is free after its lease.
    const at = now + round * 10 * minuteMs
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, String(at), dataDir], {
      env: { ...process.env, DATABASE_URL: url },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    const wanted = (kit.random.bytes(1)[0]! % perRound) + round * perRound
    await expect
      .poll(
        async () =>
          (
            await owner
              .selectFrom('notice_delivery')
              .select('id')
              .where('state', '=', 'sent')
              .where('channel', '=', 'email')
              .execute()
          ).length,
        { timeout: 60_000, interval: 5 },
      )
      .toBeGreaterThanOrEqual(Math.min(wanted, total - perRound))
    child.kill('SIGKILL')
    await ended
  }
  kit.clock.set(now + rounds * 10 * minuteMs)
  const rest = createNotices(kit, { audit, openPhone, sendText: null })
  await rest.spread()
  while ((await rest.send()) > 0);
  const mails = await owner
    .selectFrom('notice_delivery')
    .select(['id', 'state'])
    .where('channel', '=', 'email')
    .where('operator_id', '=', manager)
    .execute()
  expect(mails).toHaveLength(total)
  expect(mails.every(({ state }) => state === 'sent')).toBe(true)
  const files = readdirSync(join(dataDir, 'outbox', 'notices')).filter((file) => file.startsWith('email-'))
  expect(files).toHaveLength(total)
  const numbers = files.map(
    (file) => (JSON.parse(readFileSync(join(dataDir, 'outbox/notices', file), 'utf8')) as Outgoing).body,
  )
  expect(new Set(numbers).size).toBe(total)
}, 180_000)
