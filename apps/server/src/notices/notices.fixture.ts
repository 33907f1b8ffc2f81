import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createAudit } from '#audit/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit, TEST_START_MS } from '#test/kit.ts'
import type { Channels, Outgoing } from './channels/channel.ts'
import { emailPurpose } from './keyed.ts'
import { createNotices, tell, type NewNotice } from './public.ts'

export const [platform, company, branch] = [2, 3, 4]
export const [boss, manager, worker, english] = [20, 30, 31, 32]
export const openPhone = (sealed: string): string => sealed

/** A company with one above and one below, people of every kind, and channels that keep what they are given. */
export async function noticeWorld() {
  const { db, owner, url } = await testDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'saddle-notices-'))
  afterAll(() => rmSync(dataDir, { recursive: true }))
  const kit = testKit(db, { DATA_DIR: dataDir })
  const audit = createAudit(kit)
  const sent: (Outgoing & { channel: string })[] = []
  const line: { fault: (() => Error) | null } = { fault: null }
  const channel = (name: string) => ({
    state: 'sandbox' as const,
    send: async (message: Outgoing) => {
      if (line.fault !== null) throw line.fault()
      sent.push({ ...message, channel: name })
    },
  })
  const channels: Channels = {
    email: channel('email'),
    sms: channel('sms'),
    push: channel('push'),
    webhook: channel('webhook'),
  }
  const notices = createNotices(kit, { audit, openPhone, sendText: null, channels })
  const { handlers } = notices

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
    line.fault = null
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
  return {
    db,
    owner,
    url,
    dataDir,
    kit,
    audit,
    sent,
    line,
    notices,
    handlers,
    call,
    alarm,
    withdrawal,
    say,
    deliveries,
    email,
  }
}

/** The code that a call is refused with. */
export const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error: unknown) => (error as { code: string }).code,
  )
