import { sentEventNames, webhookEventNames } from '@saddle/contract/partners/webhookEvents.ts'
import { webhookDeliveryStates, webhookLimits, webhookStates } from '@saddle/contract/partners/webhooks.ts'
import { sql } from 'kysely'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

const shownRow = rowsOf(
  rowOf('webhook', 'w', [
    'id',
    'agent_id',
    'name',
    'url',
    'events',
    'state',
    'is_paused_for_failure',
    'failing_since',
    'last_sent_at',
    'created_at',
    'created_by',
    'version',
  ]).codes({ state: webhookStates }),
  rowOfValues({
    waiting: computed(
      'bigint',
      sql`(select count(*) from webhook_delivery d where d.webhook_id = w.id and d.state = 'queued')`,
    ),
    sent: computed(
      'bigint',
      sql`(select count(*) from webhook_delivery d
      where d.agent_id = w.agent_id and d.webhook_id = w.id and d.created_at >= f.since and d.state = 'sent')`,
    ),
    failed: computed(
      'bigint',
      sql`(select count(*) from webhook_delivery d
      where d.agent_id = w.agent_id and d.webhook_id = w.id and d.created_at >= f.since and d.state = 'failed')`,
    ),
  }),
)

/** The webhooks of a company, with the messages since an instant. */
export const selectWebhooks = ({ agentId, since }: { readonly agentId: number; readonly since: Date }) =>
  shownRow.select`
    from (select ${since}::timestamptz as since) f cross join webhook w
    where w.agent_id = ${agentId} order by w.id limit ${webhookLimits.perCompany}`

const lockedRow = rowOf('webhook', 'w', [
  'id',
  'agent_id',
  'name',
  'url',
  'events',
  'state',
  'secret_sealed',
  'version',
]).codes({ state: webhookStates })

export const lockWebhook = (scope: Pick<Scope, 'agentIds'>, id: number) => lockedRow.select`
  from webhook w where w.id = ${id} and w.agent_id = any (${scope.agentIds}::bigint[]) for update`

const targetRow = rowOf('webhook', 'w', ['id', 'agent_id', 'name', 'url', 'secret_sealed', 'failures', 'failing_since'])
export type Target = RowOf<typeof targetRow>

/** Takes webhooks that have messages to send, one server each. */
export const takeDue = ({
  now,
  leaseUntil,
  limit,
}: {
  readonly now: Date
  readonly leaseUntil: Date
  readonly limit: number
}) =>
  targetRow.returning`
    update webhook w set lease_until = ${leaseUntil}
    where w.id in (
      select o.id from webhook o
      where o.state = 'on' and (o.held_until is null or o.held_until <= ${now})
        and (o.lease_until is null or o.lease_until <= ${now})
        and exists (select from webhook_delivery d
          where d.webhook_id = o.id and d.state = 'queued' and (d.next_at is null or d.next_at <= ${now}))
      order by o.lease_until nulls first, o.id limit ${limit} for update skip locked)`

const dueRow = rowOf('webhook_delivery', 'd', [
  'id',
  'event',
  'subject',
  'data',
  'created_at',
  'attempts',
  'first_tried_at',
]).codes({ event: sentEventNames })
export type Due = RowOf<typeof dueRow>

/** The first message of each thing, where its time has come: what is behind it waits. */
export const selectHeads = ({
  webhookId,
  now,
  limit,
}: {
  readonly webhookId: number
  readonly now: Date
  readonly limit: number
}) =>
  dueRow.select`
    from webhook_delivery d
    where d.webhook_id = ${webhookId} and d.state = 'queued' and (d.next_at is null or d.next_at <= ${now})
      and not exists (select from webhook_delivery e
        where e.webhook_id = d.webhook_id and e.subject = d.subject and e.state = 'queued' and e.id < d.id)
    order by d.id limit ${limit}`

export interface Outcome {
  readonly id: number
  readonly state: 'queued' | 'sent' | 'failed'
  readonly nextAt: Date | null
  readonly firstTriedAt: Date
  readonly sentAt: Date | null
  readonly status: number | null
  readonly answer: string | null
  readonly fault: string | null
  readonly tookMs: number
}

export const saveOutcome = (outcome: Outcome) => sql`
  update webhook_delivery set state = ${outcome.state}, attempts = attempts + 1, next_at = ${outcome.nextAt},
    first_tried_at = ${outcome.firstTriedAt}, sent_at = ${outcome.sentAt}, answer_status = ${outcome.status},
    answer = ${outcome.answer}, fault = ${outcome.fault}, took_ms = ${outcome.tookMs}
  where id = ${outcome.id} and state = 'queued'`

const deliveryRow = rowOf('webhook_delivery', 'd', ['id', 'agent_id'])

/** Queues messages of the scope anew, those of one thing in their old order. */
export const replay = (scope: Pick<Scope, 'agentIds'>, ids: readonly number[]) => deliveryRow.returning`
  update webhook_delivery d set state = 'queued', attempts = 0, first_tried_at = null, next_at = null, sent_at = null
  where d.id = any (${ids}::bigint[]) and d.agent_id = any (${scope.agentIds}::bigint[]) and d.state <> 'queued'`

export const logRow = rowsOf(
  rowOf('webhook_delivery', 'd', [
    'id',
    'webhook_id',
    'event',
    'subject',
    'data',
    'state',
    'attempts',
    'created_at',
    'next_at',
    'sent_at',
    'took_ms',
    'answer_status',
    'answer',
    'fault',
  ]).codes({ event: sentEventNames, state: webhookDeliveryStates }),
  rowOf('webhook', 'w', ['name as webhook']),
)

export const knownEvents = (stored: readonly string[]) => webhookEventNames.filter((event) => stored.includes(event))
