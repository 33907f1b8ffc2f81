import { noticeChannels } from '@saddle/contract/notices/words.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { RefusedError } from '#kit/webhook.ts'
import type { Channels } from '../channels/channel.ts'
import { emailPurpose, webhookPurpose } from '../keyed.ts'
import { retryAt } from '../rules.ts'

export const sendBatch = 40
const atOnce = 8
/** Longer than any channel takes: what is held for longer belongs to a server that ended. */
const leaseMs = 2 * minuteMs

export interface SendDeps {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'log' | 'secrets'>
  readonly channels: Channels
  /** Opens a sealed telephone number of staff. */
  readonly openPhone: (sealed: string) => string
}

const heldRow = rowOf('notice_delivery', 'd', ['id', 'attempts'])
const outgoingRow = rowsOf(
  rowOf('notice_delivery', 'd', [
    'id',
    'attempts',
    'channel',
    'title',
    'body',
    'path',
    'event',
    'operator_id',
    'agent_id',
    'created_at',
  ]).codes({ channel: noticeChannels }),
  rowOf('operator', 'o', ['phone_sealed']).optional(),
  rowOf('notice_address', 'a', ['email_sealed']).optional(),
  rowOf('notice_setting', 's', ['webhook_sealed']).optional(),
)
type OutgoingRow = RowOf<typeof outgoingRow>

/**
 * Sends what is due, under a lease; resolves to the number of deliveries. A server that ends in between leaves its lease, and
 * another sends under the same id: receivers tell by it what they have had.
 */
export async function sendDue(deps: SendDeps): Promise<number> {
  const { kit } = deps
  const rows = await kit.db.system((tx) => claim(tx, kit.clock.now()))
  const waiting = [...rows]
  const lane = async (): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) await sendOne(deps, row)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, rows.length) }, lane))
  return rows.length
}

async function claim(tx: Tx, nowMs: number): Promise<readonly OutgoingRow[]> {
  const now = new Date(nowMs)
  const held = await heldRow.returning`
    update notice_delivery d set state = 'sending', attempts = d.attempts + 1, next_at = null,
      lease_until = ${new Date(nowMs + leaseMs)}
    where d.id in (
      select id from (
        select id from notice_delivery where state = 'queued' and next_at <= ${now} order by next_at, id
        limit ${sendBatch} for update skip locked) due
      union all
      select id from (
        select id from notice_delivery where state = 'sending' and lease_until < ${now} order by lease_until
        limit ${sendBatch} for update skip locked) left_behind)`.execute(tx)
  if (held.rows.length === 0) return []
  const { rows } = await outgoingRow.select`
    from notice_delivery d
    left join operator o on o.id = d.operator_id and o.state = 'enabled'
    left join notice_address a on a.operator_id = o.id
    left join notice_setting s on s.agent_id = d.agent_id and d.channel = 'webhook'
    where d.id = any (${held.rows.map(({ id }) => id)}::bigint[]) order by d.id`.execute(tx)
  return rows
}

async function sendOne(deps: SendDeps, row: OutgoingRow): Promise<void> {
  const { kit, channels } = deps
  const { db, clock, log } = kit
  const { channel } = row
  if (channel === 'in_app') throw new Error('the inbox is not sent to')
  const to = addressOf(deps, row)
  if (to === null) return end(deps, row, { state: 'failed', reason: 'no_address' })
  const { id, title, body, path, event, created_at: at } = row
  try {
    const message = { id: String(id), to, title, body, path, event, atMs: at.getTime(), nowMs: clock.now() }
    await channels[channel].send(message)
  } catch (error) {
    log.warn({ err: error, deliveryId: id, channel }, 'a notice was not sent')
    const next = error instanceof RefusedError ? null : retryAt(clock.now(), row.attempts)
    const reason = error instanceof RefusedError ? 'refused' : 'no_answer'
    if (next === null) return end(deps, row, { state: 'failed', reason })
    await db.system((tx) =>
      sql`
        update notice_delivery set state = 'queued', reason = ${reason}, lease_until = null, next_at = ${new Date(next)}
        where id = ${id} and attempts = ${row.attempts} and state = 'sending'`.execute(tx),
    )
    return
  }
  await end(deps, row, { state: 'sent', reason: null })
}

async function end(
  { kit }: SendDeps,
  { id, attempts }: OutgoingRow,
  { state, reason }: { readonly state: 'sent' | 'failed'; readonly reason: string | null },
): Promise<void> {
  const sentAt = state === 'sent' ? new Date(kit.clock.now()) : null
  await kit.db.system((tx) =>
    sql`
      update notice_delivery set state = ${state}, reason = ${reason}, lease_until = null, sent_at = ${sentAt}
      where id = ${id} and attempts = ${attempts} and state = 'sending'`.execute(tx),
  )
}

/** Where a delivery goes now: people who have changed their address are told at the new one. */
function addressOf({ kit, openPhone }: SendDeps, row: OutgoingRow): string | null {
  const open = (purpose: string, sealed: string | null, context: number | null): string | null =>
    sealed === null || context === null ? null : kit.secrets.decryptText({ purpose, sealed, context: String(context) })
  if (row.channel === 'webhook') return open(webhookPurpose, row.webhook_sealed, row.agent_id)
  if (row.channel === 'email') return open(emailPurpose, row.email_sealed, row.operator_id)
  return row.phone_sealed === null ? null : openPhone(row.phone_sealed)
}
