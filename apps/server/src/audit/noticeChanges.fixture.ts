import { sql } from 'kysely'
import { specimens } from '#test/isolation/specimens/all.ts'
import { failedDeliveryOf } from '#test/isolation/specimens/past.ts'
import type { ChangeWorld } from './changeWorld.fixture.ts'

/** Rules, texts and settings of notices are changed, and what failed is sent again. */
export async function noticesOfStaff({ act, manager, of, owner }: ChangeWorld): Promise<void> {
  await sql`insert into notice_address (operator_id, agent_id, asked_at) values (${of.managerId}, ${of.agentId}, now())`.execute(
    owner,
  )
  await act(manager, 'changeSetting', { code: 'tickets_per_day', value: 5, version: 0 })
  await act(manager, 'removeNoticeAddress', {})
  for (const name of ['saveNoticeRule', 'saveNoticeSetting', 'saveNoticeTemplate'] as const)
    await act(manager, name, { ...specimens[name](of, of.manager), version: 0 })
  for (const name of [
    'resetNoticeRule',
    'resetNoticeTemplate',
    'testNotice',
    'exportDeliveries',
    'exportOwnNotices',
  ] as const)
    await act(manager, name, specimens[name](of, of.manager))
  await sql`insert into notice (agent_id, event, subject, key, "values", path, at, spread_at)
    values (${of.agentId}, 'export_done', 'x', 'x', '{}', '/', now(), now())`.execute(owner)
  await sql`insert into notice_delivery (id, notice_id, agent_id, operator_id, operator_name, event, subject, channel,
      language, title, body, path, state, reason, created_at)
    overriding system value
    select ${failedDeliveryOf(of.agentId)}, id, agent_id, ${of.managerId}, 'x', 'export_done', 'x', 'email', 'zh', 'x', 'x', '/',
      'failed', 'refused', now() from notice where key = 'x'`.execute(owner)
  await act(manager, 'resendDeliveries', specimens.resendDeliveries(of, of.manager))
}
