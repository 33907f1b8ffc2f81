import { sql, type RawBuilder } from 'kysely'
import { paymentChannels } from '@saddle/contract/finance/payments.ts'
import { businessDayEnd, businessDayStart } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import { selectMovements } from './movements.ts'
import type { ChannelDay } from '../splits/settle.ts'

const within = (at: RawBuilder<unknown>): RawBuilder<unknown> => sql`${at} >= c.from_at and ${at} < c.to_at`

const dayRow = rowOfValues({
  channel: computed('text', sql`c.channel`),
  is_waiting: computed(
    'boolean',
    sql`not exists (select from channel_bill b where b.channel = c.channel and b.day = c.day and b.compared_at <= c.now_at) and exists (
      select from (${selectMovements({ channel: sql`c.channel`, within })}) m where m.agent_id = c.agent_id)`,
  ),
  open: computed('integer', sql`coalesce(d.open_differences, 0)`),
  held_cents: computed('bigint', sql`coalesce(d.held_cents, 0)`),
}).codes({ channel: paymentChannels })

/** A day is settled after the bills of all channels that brought the company money on it. */
export async function channelDayOf(
  tx: Tx,
  { agentId, day, at }: { readonly agentId: number; readonly day: string; readonly at: number },
): Promise<ChannelDay> {
  const [from, to] = [new Date(businessDayStart(day)), new Date(businessDayEnd(day))]
  const { rows } = await dayRow.select`
    from (
      select n.channel, ${agentId}::bigint as agent_id, ${day}::date as day, ${from}::timestamptz as from_at,
        ${to}::timestamptz as to_at, ${new Date(at)}::timestamptz as now_at
      from unnest(${[...paymentChannels]}::text[]) n (channel)
    ) c left join channel_day d on d.agent_id = c.agent_id and d.channel = c.channel and d.day = c.day`.execute(tx)
  if (rows.some((row) => row.is_waiting)) return { state: 'waiting', heldCents: 0, reasons: [] }
  const parked = rows.filter((row) => row.open > 0)
  if (parked.length === 0) return { state: 'matched', heldCents: 0, reasons: [] }
  const heldCents = parked.reduce((sum, row) => sum + row.held_cents, 0)
  const reasons = parked.map(({ channel, open, held_cents: cents }) => ({
    code: 'channel_difference' as const,
    channel,
    count: open,
    cents,
  }))
  return { state: 'parked', heldCents, reasons }
}
