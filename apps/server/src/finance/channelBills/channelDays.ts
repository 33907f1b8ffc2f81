import { sql, type RawBuilder } from 'kysely'
import { paymentChannelLabels, paymentChannels } from '@saddle/contract/finance/payments.ts'
import { yuanText } from '@saddle/contract/money.ts'
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
    sql`not exists (select from channel_bill b where b.channel = c.channel and b.day = c.day) and exists (
      select from (${selectMovements({ channel: sql`c.channel`, within })}) m where m.agent_id = c.agent_id)`,
  ),
  open: computed('integer', sql`coalesce(d.open_differences, 0)`),
  held_cents: computed('bigint', sql`coalesce(d.held_cents, 0)`),
})

/** A day is settled after the bills of all channels that brought the company money on it. */
export async function channelDayOf(
  tx: Tx,
  { agentId, day }: { readonly agentId: number; readonly day: string },
): Promise<ChannelDay> {
  const [from, to] = [new Date(businessDayStart(day)), new Date(businessDayEnd(day))]
  const { rows } = await dayRow.select`
    from (
      select n.channel, ${agentId}::bigint as agent_id, ${day}::date as day, ${from}::timestamptz as from_at,
        ${to}::timestamptz as to_at
      from unnest(${[...paymentChannels]}::text[]) n (channel)
    ) c left join channel_day d on d.agent_id = c.agent_id and d.channel = c.channel and d.day = c.day`.execute(tx)
  const labelOf = (name: string): string =>
    paymentChannelLabels[paymentChannels.find((known) => known === name) ?? 'sandbox']
  const waiting = rows.filter((row) => row.is_waiting)
  if (waiting.length > 0) {
    return {
      state: 'waiting',
      heldCents: 0,
      why: `${waiting.map(({ channel }) => labelOf(channel)).join('、')}账单未到`,
    }
  }
  const parked = rows.filter((row) => row.open > 0)
  if (parked.length === 0) return { state: 'matched', heldCents: 0, why: '' }
  const held = parked.reduce((sum, row) => sum + row.held_cents, 0)
  const why = parked.map(
    (row) => `${labelOf(row.channel)}账单有 ${row.open} 笔差异，暂缓 ${yuanText(row.held_cents)} 元`,
  )
  return { state: 'parked', heldCents: held, why: why.join('；') }
}
