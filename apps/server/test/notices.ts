import { sql, type Kysely } from 'kysely'
import { emailPurpose, webhookPurpose } from '#notices/keyed.ts'
import type { Keyring } from '#kit/crypto.ts'
import type { DB } from '#kit/db/types.ts'
import { failedDeliveryOf, settingChangeOf } from './isolation/specimens/past.ts'
import type { TenantFixture } from './tenants.ts'

/** What the manager of a company was told, what failed, and what the company has decided of notices. */
export async function addNotices(owner: Kysely<DB>, secrets: Keyring, of: TenantFixture, at: Date): Promise<void> {
  const { agentId, managerId, marker } = of
  const seal = (purpose: string, text: string, context: number): string =>
    secrets.encryptText({ purpose, text, context: String(context) })
  const webhook = seal(webhookPurpose, '{"url":"https://example.com/hook","secret":"s"}', agentId)
  await sql`
    with made as (
      insert into notice (agent_id, area_id, event, subject, key, "values", path, at, spread_at)
      values (${agentId}, ${of.areaIds[0]}, 'export_done', ${marker}, ${marker},
        ${JSON.stringify({ file: marker, rows: 1 })}, '/export/page', ${at}, ${at}) returning id)
    insert into notice_delivery (id, notice_id, agent_id, operator_id, operator_name, event, subject, channel, language,
      title, body, path, state, reason, created_at, sent_at)
    overriding system value
    select ${failedDeliveryOf(agentId)}::bigint + n, made.id, ${agentId}, ${managerId}, ${`${marker} manager`},
      'export_done', ${marker}, channel, 'zh', ${marker}, ${marker}, '/export/page', state, reason, ${at}, sent_at
    from made cross join (values
      (0, 'email', 'failed', 'refused', null::timestamptz), (1, 'in_app', 'sent', null, ${at}::timestamptz)
    ) as way (n, channel, state, reason, sent_at)`.execute(owner)
  await sql`
    insert into notice_rule (agent_id, event, channels, is_urgent, repeat_minutes, changed_at, changed_by)
    values (${agentId}, 'export_done', '{in_app,email}', false, 5, ${at}, ${`${marker} clerk`})`.execute(owner)
  await sql`
    insert into notice_setting (agent_id, quiet_from, quiet_to, email_cap, sms_cap, push_cap, webhook_sealed, changed_at,
      changed_by)
    values (${agentId}, 0, 0, 5, 5, 5, ${webhook}, ${at}, ${`${marker} clerk`})`.execute(owner)
  await sql`
    insert into notice_template (agent_id, event, channel, language, version, title, body, made_at, made_by)
    values (${agentId}, 'export_done', 'in_app', 'zh', 1, ${marker}, ${marker}, ${at}, ${`${marker} clerk`})`.execute(
    owner,
  )
  await sql`
    insert into setting_change (id, agent_id, area_id, code, value, made_at, made_by) overriding system value
    select ${settingChangeOf(agentId)}::bigint + n - 1, ${agentId}, area_id, 'reservation_minutes', to_jsonb(7 + n), ${at}, ${`${marker} clerk`}
    from unnest(${of.areaIds}::bigint[]) with ordinality as a (area_id, n)`.execute(owner)
  await sql`
    insert into notice_address (operator_id, agent_id, email_sealed, asked_at, confirmed_at)
    values (${managerId}, ${agentId}, ${seal(emailPurpose, `${agentId}@example.com`, managerId)}, ${at}, ${at})`.execute(
    owner,
  )
}
