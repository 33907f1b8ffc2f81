import { AppError } from '@saddle/contract/errors.ts'
import {
  webhookDeliveryFields,
  webhookDeliveryList,
  webhookLimits,
  type WebhookDeliveryFilter,
  type webhookEndpoints,
} from '@saddle/contract/partners/webhooks.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { sql } from 'kysely'
import { createWithin, type Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { companyOf } from '#kit/company.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { serveList } from '#kit/list/serveList.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import { webhookFault } from '#kit/webhook.ts'
import { bodyOf } from './rules.ts'
import { newSecret } from './secrets.ts'
import { knownEvents, lockWebhook, logRow, replay, selectWebhooks } from './store.ts'

interface Deps {
  readonly kit: Kit
  readonly audit: Audit
}

type WebhookHandlers = Handlers<typeof webhookEndpoints>

export function createWebhookHandlers(deps: Deps): WebhookHandlers {
  return { ...createMaking(deps), ...createChanging(deps), ...createTurning(deps), ...createLog(deps) }
}

function checkUrl({ config }: Kit, url: string): void {
  const fault = webhookFault(url, config.noticeLocalWebhooks)
  if (fault !== null) throw new AppError(fault === 'private' ? 'webhook_private' : 'webhook_address')
}

/** Locks a webhook of the scope. Throws `not_found`, and `conflict` where somebody else has changed it. */
async function webhookOf(
  tx: Tx,
  call: SessionCall,
  { id, version }: { readonly id: number; readonly version?: number },
) {
  const { rows } = await lockWebhook(call.scope, id).execute(tx)
  const [webhook] = rows
  if (webhook === undefined) throw new AppError('not_found')
  if (version !== undefined && webhook.version !== version) throw new AppError('conflict')
  return webhook
}

function createMaking({ kit, audit }: Deps): Pick<WebhookHandlers, 'listWebhooks' | 'createWebhook'> {
  const { db, clock } = kit
  return {
    listWebhooks: async ({ agentId: asked }, call) => {
      const agentId = companyOf(call, asked)
      const since = new Date(clock.now() - dayMs)
      const rows = await db.read(call.scope, (k) => selectWebhooks({ agentId, since }).compile(k))
      const list = rows.map((row) => ({
        id: row.id,
        name: row.name,
        url: row.url,
        events: knownEvents(row.events),
        state: row.state,
        isPausedForFailure: row.is_paused_for_failure,
        failingSince: row.failing_since?.getTime() ?? null,
        lastSentAt: row.last_sent_at?.getTime() ?? null,
        waiting: row.waiting,
        sent: row.sent,
        failed: row.failed,
        createdAt: row.created_at.getTime(),
        createdBy: row.created_by,
        version: row.version,
      }))
      return { suc: true, data: { agentId, list } }
    },

    createWebhook: async ({ agentId: asked, name, url, events }, call) => {
      const agentId = companyOf(call, asked)
      checkUrl(kit, url)
      const { secret, sealed } = newSecret(kit, { agentId, before: null })
      const id = await db.withScope(call.scope, async (tx) => {
        const insert = () =>
          tx
            .insertInto('webhook')
            .values({
              agent_id: agentId,
              name,
              url,
              secret_sealed: sealed,
              events,
              created_at: new Date(clock.now()),
              created_by: call.caller.name,
            })
            .returning('id')
            .executeTakeFirstOrThrow()
        const known = countRow.select`from webhook where agent_id = ${agentId}`
        return createWithin({
          tx,
          call,
          audit,
          agentId,
          kind: 'webhook',
          action: 'webhook.create',
          limit: { max: webhookLimits.perCompany, tooMany: 'webhooks_too_many' },
          count: async () => (await known.execute(tx)).rows[0]?.count ?? 0,
          insert,
          after: { name, url, events },
        })
      })
      return { suc: true, data: { id, secret } }
    },
  }
}

type Changing = Pick<WebhookHandlers, 'changeWebhook' | 'removeWebhook' | 'rotateWebhookSecret'>

function createChanging({ kit, audit }: Deps): Changing {
  const { db } = kit
  return {
    changeWebhook: async ({ id, version, name, url, events }, call) => {
      checkUrl(kit, url)
      await db.withScope(call.scope, async (tx) => {
        const known = await webhookOf(tx, call, { id, version })
        await tx
          .updateTable('webhook')
          .set({ name, url, events, held_until: null, version: version + 1 })
          .where('id', '=', id)
          .execute()
        await audit.act(tx, call, {
          agentId: known.agent_id,
          action: 'webhook.change',
          subjectKind: 'webhook',
          subjectId: id,
          before: { name: known.name, url: known.url, events: knownEvents(known.events) },
          after: { name, url, events },
        })
      })
      return { suc: true, data: {} }
    },

    removeWebhook: async ({ id }, call) => {
      await db.withScope(call.scope, async (tx) => {
        const { agent_id: agentId, name, url } = await webhookOf(tx, call, { id })
        await tx.deleteFrom('webhook').where('id', '=', id).execute()
        await audit.act(tx, call, {
          agentId,
          action: 'webhook.remove',
          subjectKind: 'webhook',
          subjectId: id,
          before: { name, url },
          after: {},
        })
      })
      return { suc: true, data: {} }
    },

    rotateWebhookSecret: async ({ id, version }, call) => {
      const secret = await db.withScope(call.scope, async (tx) => {
        const known = await webhookOf(tx, call, { id, version })
        const { agent_id: agentId, name } = known
        const made = newSecret(kit, { agentId, before: known })
        await tx
          .updateTable('webhook')
          .set({ secret_sealed: made.sealed, version: version + 1 })
          .where('id', '=', id)
          .execute()
        await audit.act(tx, call, {
          agentId,
          action: 'webhook.rotate',
          subjectKind: 'webhook',
          subjectId: id,
          before: { name },
          after: { name },
        })
        return made.secret
      })
      return { suc: true, data: { id, secret } }
    },
  }
}

function createTurning({ kit, audit }: Deps): Pick<WebhookHandlers, 'setWebhookState' | 'testWebhook'> {
  const { db } = kit
  return {
    setWebhookState: async ({ id, version, state }, call) => {
      await db.withScope(call.scope, async (tx) => {
        const known = await webhookOf(tx, call, { id, version })
        await tx
          .updateTable('webhook')
          .set({
            state,
            is_paused_for_failure: false,
            failing_since: null,
            failures: 0,
            held_until: null,
            version: version + 1,
          })
          .where('id', '=', id)
          .execute()
        await audit.act(tx, call, {
          agentId: known.agent_id,
          action: 'webhook.state',
          subjectKind: 'webhook',
          subjectId: id,
          before: { state: known.state },
          after: { state },
        })
      })
      return { suc: true, data: {} }
    },

    testWebhook: async ({ id }, call) => {
      await db.withScope(call.scope, async (tx) => {
        const { agent_id: agentId, name } = await webhookOf(tx, call, { id })
        await tx
          .insertInto('webhook_delivery')
          .values({ webhook_id: id, agent_id: agentId, event: 'test', subject: `test ${id}`, data: sql`'{}'::jsonb` })
          .execute()
        await audit.act(tx, call, {
          agentId,
          action: 'webhook.test',
          subjectKind: 'webhook',
          subjectId: id,
          before: null,
          after: { name },
        })
      })
      return { suc: true, data: {} }
    },
  }
}

const logRows = tableList(webhookDeliveryList, {
  table: 'webhook_delivery',
  alias: 'd',
  tenant: 'agent',
  columns: logRow,
  joins: sql`join webhook w on w.id = d.webhook_id`,
  sorts: { at: ['created_at', 'instant'] },
  find: ({ webhookIds, events, states, ...span }: WebhookDeliveryFilter) => ({
    where: [
      ...spanOf('d.created_at', span),
      webhookIds && sql`d.webhook_id = any (${webhookIds}::bigint[])`,
      events && sql`d.event = any (${events}::text[])`,
      states && sql`d.state = any (${states}::text[])`,
    ],
  }),
})

type LogHandlers = Pick<
  WebhookHandlers,
  'listWebhookDeliveries' | 'exportWebhookDeliveries' | 'replayWebhookDeliveries'
>

function createLog({ kit, audit }: Deps): LogHandlers {
  const served = serveList({ kit, audit }, webhookDeliveryList, {
    name: 'webhook-deliveries',
    rows: logRows,
    present: (row) => {
      const { data: _, createdAt, ...shown } = logRow.present(row)
      return { ...shown, at: createdAt, body: bodyOf(row) }
    },
    file: { action: 'webhook.export', fields: webhookDeliveryFields },
  })
  return {
    listWebhookDeliveries: served.page,
    exportWebhookDeliveries: served.file,
    replayWebhookDeliveries: async ({ ids }, call) => {
      const queued = await kit.db.withScope(call.scope, async (tx) => {
        const { rows } = await replay(call.scope, ids).execute(tx)
        const companies = [...new Set(rows.map((row) => row.agent_id))].toSorted((left, right) => left - right)
        for (const agentId of companies)
          await audit.act(tx, call, {
            agentId,
            action: 'webhook.replay',
            subjectKind: 'webhook',
            subjectId: '',
            after: { deliveries: rows.filter((row) => row.agent_id === agentId).map(({ id }) => id) },
          })
        return rows.length
      })
      if (queued === 0) throw new AppError('not_found')
      return { suc: true, data: { queued } }
    },
  }
}
