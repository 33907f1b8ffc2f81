import { AppError } from '@saddle/contract/errors.ts'
import {
  deliveryFields,
  deliveryList,
  type DeliveryFilter,
  type noticeConfigEndpoints,
} from '@saddle/contract/notices/config.ts'
import { noticeEvent, noticeEventNames } from '@saddle/contract/notices/events.ts'
import { deliveryReasons, deliveryStates, noticeChannels } from '@saddle/contract/notices/words.ts'
import { sql } from 'kysely'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, rowsOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { serveList } from '#kit/list/serveList.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import { webhookFault } from '#kit/webhook.ts'
import type { Channels } from '../channels/channel.ts'
import { webhookTargetSchema } from '../channels/webhook.ts'
import { companyOf } from '#kit/company.ts'
import { webhookPurpose } from '../keyed.ts'
import { readRules, readSetting } from '../store.ts'

interface Deps {
  readonly kit: Kit
  readonly audit: Audit
  readonly channels: Channels
}

type ConfigHandlers = Handlers<typeof noticeConfigEndpoints>

export function createConfigHandlers(deps: Deps): ConfigHandlers {
  return { ...createRules(deps), ...createSetting(deps), ...createLog(deps) }
}

const roleRow = rowOf('role', 'role', ['id', 'name'])

type RuleHandlers = Pick<ConfigHandlers, 'noticeRules' | 'saveNoticeRule' | 'resetNoticeRule'>

function createRules({ kit, audit }: Deps): RuleHandlers {
  const { db, clock } = kit
  const readRoles = (tx: Tx, agentId: number) =>
    roleRow.select`from role where role.agent_id = ${agentId} and role.state = 'enabled' order by role.name, role.id`.execute(
      tx,
    )
  return {
    noticeRules: async ({ agentId: asked }, call) => {
      const agentId = companyOf(call, asked)
      // Rules of companies above are none of the caller's rows; what they decide is.
      const found = await db.system((tx) => readRules(tx, agentId))
      const { rows } = await db.withScope(call.scope, (tx) => readRoles(tx, agentId))
      const rules = [...found].map(([event, { changedAt, ...rule }]) =>
        Object.assign(rule, {
          event,
          kind: noticeEvent(event).kind,
          channels: [...rule.channels],
          roleIds: rule.roleIds === null ? null : [...rule.roleIds],
          changedAt: changedAt?.getTime() ?? null,
        }),
      )
      return { suc: true, data: { agentId, rules, roles: rows } }
    },

    saveNoticeRule: async (input, call) => {
      const { event, channels = [], isUrgent, repeatMinutes, version } = input
      const { roleIds: named = null } = input
      const roleIds = named === null || named.length === 0 ? null : named
      const agentId = companyOf(call, input.agentId)
      const at = new Date(clock.now())
      const before = (await db.system((tx) => readRules(tx, agentId))).get(event)
      await db.withScope(call.scope, async (tx) => {
        const { rows: roles } = await readRoles(tx, agentId)
        const known = new Set(roles.map(({ id }) => id))
        if (roleIds?.some((id) => !known.has(id)) === true) throw new AppError('not_found')
        const { operatorId, name } = call.caller
        const saved = await sql`
          insert into notice_rule (agent_id, event, channels, role_ids, is_urgent, repeat_minutes, changed_at,
            changed_by_id, changed_by)
          select ${agentId}, ${event}, ${[...new Set(channels)]}::text[], ${roleIds}::bigint[], ${isUrgent},
            ${repeatMinutes}, ${at}, ${operatorId}, ${name}
          where ${version}::integer = 0 or exists (select from notice_rule where agent_id = ${agentId} and event = ${event})
          on conflict (agent_id, event) do update set channels = excluded.channels, role_ids = excluded.role_ids,
            is_urgent = excluded.is_urgent, repeat_minutes = excluded.repeat_minutes, version = notice_rule.version + 1,
            changed_at = excluded.changed_at, changed_by_id = excluded.changed_by_id, changed_by = excluded.changed_by
          where notice_rule.version = ${version}
          returning event`.execute(tx)
        if (saved.rows.length === 0) throw new AppError('conflict')
        await audit.act(tx, call, {
          agentId,
          action: 'notice.rule',
          subjectKind: 'notice_rule',
          subjectId: event,
          before: before === undefined ? null : choiceOf(before),
          after: choiceOf({ channels, roleIds, isUrgent, repeatMinutes }),
        })
      })
      return { suc: true, data: {} }
    },

    resetNoticeRule: async ({ agentId: asked, event, version }, call) => {
      const agentId = companyOf(call, asked)
      await db.withScope(call.scope, async (tx) => {
        const { rows } = await sql`
          delete from notice_rule where agent_id = ${agentId} and event = ${event} and version = ${version}
          returning event`.execute(tx)
        if (rows.length === 0) throw new AppError('conflict')
        await audit.act(tx, call, {
          agentId,
          action: 'notice.rule_reset',
          subjectKind: 'notice_rule',
          subjectId: event,
        })
      })
      return { suc: true, data: {} }
    },
  }
}

const choiceOf = (rule: {
  readonly channels: readonly string[]
  readonly roleIds: readonly number[] | null
  readonly isUrgent: boolean
  readonly repeatMinutes: number
}) => ({
  channels: rule.channels,
  roleIds: rule.roleIds,
  isUrgent: rule.isUrgent,
  repeatMinutes: rule.repeatMinutes,
})

function createSetting({ kit, audit, channels }: Deps): Pick<ConfigHandlers, 'noticeSetting' | 'saveNoticeSetting'> {
  const { db, clock, random, secrets, config } = kit
  const targetOf = (agentId: number, sealed: string | null) =>
    sealed === null
      ? null
      : webhookTargetSchema.parse(
          JSON.parse(secrets.decryptText({ purpose: webhookPurpose, sealed, context: String(agentId) })),
        )
  return {
    noticeSetting: async ({ agentId: asked }, call) => {
      const agentId = companyOf(call, asked)
      const { webhookSealed, changedAt, ...found } = await db.system((tx) => readSetting(tx, agentId))
      return {
        suc: true,
        data: {
          ...found,
          agentId,
          webhookUrl: targetOf(agentId, webhookSealed)?.url ?? null,
          changedAt: changedAt?.getTime() ?? null,
          channels: noticeChannels.map((channel) => ({
            channel,
            state: channel === 'in_app' ? 'on' : channels[channel].state,
          })),
        },
      }
    },

    saveNoticeSetting: async (input, call) => {
      const { webhookUrl, version, agentId: asked, ...chosen } = input
      const agentId = companyOf(call, asked)
      const at = new Date(clock.now())
      const found = await db.system((tx) => readSetting(tx, agentId))
      const before = targetOf(agentId, found.webhookSealed)
      const isSame = webhookUrl === undefined || webhookUrl === (before?.url ?? null)
      if (!isSame && webhookUrl !== null) {
        const fault = webhookFault(webhookUrl, config.noticeLocalWebhooks)
        if (fault !== null) throw new AppError(fault === 'private' ? 'webhook_private' : 'webhook_address')
      }
      const secret = isSame || webhookUrl === null ? null : Buffer.from(random.bytes(32)).toString('base64url')
      const sealed = isSame
        ? found.webhookSealed
        : secret === null
          ? null
          : secrets.encryptText({
              purpose: webhookPurpose,
              text: JSON.stringify({ url: webhookUrl, secret }),
              context: String(agentId),
            })
      await db.withScope(call.scope, async (tx) => {
        const { operatorId, name } = call.caller
        const saved = await sql`
          insert into notice_setting (agent_id, quiet_from, quiet_to, email_cap, sms_cap, push_cap, webhook_sealed,
            changed_at, changed_by_id, changed_by)
          select ${agentId}, ${chosen.quietFrom}, ${chosen.quietTo}, ${chosen.emailCap}, ${chosen.smsCap},
            ${chosen.pushCap}, ${sealed}, ${at}, ${operatorId}, ${name}
          where ${version}::integer = 0 or exists (select from notice_setting where agent_id = ${agentId})
          on conflict (agent_id) do update set quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
            email_cap = excluded.email_cap, sms_cap = excluded.sms_cap, push_cap = excluded.push_cap,
            webhook_sealed = excluded.webhook_sealed, version = notice_setting.version + 1,
            changed_at = excluded.changed_at, changed_by_id = excluded.changed_by_id, changed_by = excluded.changed_by
          where notice_setting.version = ${version}
          returning agent_id`.execute(tx)
        if (saved.rows.length === 0) throw new AppError('conflict')
        const { quietFrom, quietTo, emailCap, smsCap, pushCap } = found
        await audit.act(tx, call, {
          agentId,
          action: 'notice.setting',
          subjectKind: 'agent',
          subjectId: agentId,
          before: { quietFrom, quietTo, emailCap, smsCap, pushCap, webhookUrl: before?.url ?? null },
          after: { ...chosen, webhookUrl: isSame ? (before?.url ?? null) : webhookUrl },
        })
      })
      return { suc: true, data: { webhookSecret: secret } }
    },
  }
}

const logged = rowsOf(
  rowOf('notice_delivery', 'd', [
    'id',
    'agent_id',
    'operator_name',
    'event',
    'channel',
    'title',
    'body',
    'path',
    'state',
    'reason',
    'attempts',
    'created_at as at',
    'next_at',
    'sent_at',
    'read_at',
  ]).codes({
    event: noticeEventNames,
    channel: noticeChannels,
    state: deliveryStates,
    reason: deliveryReasons,
  }),
  rowOf('agent', 'agent', ['company']),
)

const logRows = tableList(deliveryList, {
  table: 'notice_delivery',
  alias: 'd',
  tenant: 'agent',
  columns: logged,
  joins: sql`join agent on agent.id = d.agent_id`,
  sorts: { at: ['created_at', 'instant'] },
  find: ({ keyword, events, channels, states, ...span }: DeliveryFilter) => ({
    where: [
      ...spanOf('d.created_at', span),
      keyword !== undefined && sql`position(lower(${keyword}) in lower(d.title || ' ' || d.operator_name)) > 0`,
      events && sql`d.event = any (${events}::text[])`,
      channels && sql`d.channel = any (${channels}::text[])`,
      states && sql`d.state = any (${states}::text[])`,
    ],
  }),
})

type LogHandlers = Pick<ConfigHandlers, 'listDeliveries' | 'exportDeliveries' | 'resendDeliveries'>

function createLog({ kit, audit }: Deps): LogHandlers {
  const served = serveList({ kit, audit }, deliveryList, {
    name: 'deliveries',
    rows: logRows,
    present: (row) => logged.present(row),
    file: { action: 'notice.export', fields: deliveryFields },
  })
  return {
    listDeliveries: served.page,
    exportDeliveries: served.file,
    resendDeliveries: async ({ ids }, call) => {
      const at = new Date(kit.clock.now())
      const queued = await kit.db.withScope(call.scope, async (tx) => {
        const { rows } = await rowOf('notice_delivery', 'd', ['id', 'agent_id']).returning`
          update notice_delivery d set state = 'queued', reason = null, next_at = ${at}, attempts = 0
          where d.id = any (${ids}::bigint[]) and d.agent_id = any (${call.scope.agentIds}::bigint[])
            and d.state = 'failed'`.execute(tx)
        const companies = [...new Set(rows.map((row) => row.agent_id))].toSorted((left, right) => left - right)
        for (const agentId of companies) {
          const own = rows.filter((row) => row.agent_id === agentId).map(({ id }) => id)
          await audit.act(tx, call, {
            agentId,
            action: 'notice.resend',
            subjectKind: 'notice_delivery',
            subjectId: own.length === 1 ? String(own[0]) : '',
            after: { deliveries: own },
          })
        }
        return rows.length
      })
      if (queued === 0) throw new AppError('not_found')
      return { suc: true, data: { queued } }
    },
  }
}
