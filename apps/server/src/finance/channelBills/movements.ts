import { sql, type RawBuilder } from 'kysely'

/**
 * What the platform has taken and given back by channels: payments, refunds, and what companies paid in for services, whose ids
 * are below zero here because they are counted for themselves. `purpose` says what a payment was for. `within` is the condition about a time, by its column.
 */
export function selectMovements(of: {
  readonly channel: RawBuilder<unknown>
  readonly within: (column: RawBuilder<unknown>) => RawBuilder<unknown>
}): RawBuilder<unknown> {
  const { channel, within } = of
  return sql`
    select p.agent_id, p.channel, false as is_refund, p.number, p.id as subject_id, p.cents, p.paid_at as at,
      p.purpose
    from payment p where p.state = 'paid' and p.channel = ${channel} and ${within(sql`p.paid_at`)}
    union all
    select r.agent_id, p.channel, true, r.number, r.id, r.cents, r.done_at, p.purpose
    from payment_refund r join payment p on p.id = r.payment_id and p.agent_id = r.agent_id
    where r.state = 'done' and p.channel = ${channel} and ${within(sql`r.done_at`)}
    union all
    select n.agent_id, n.way, false, n.number, -n.id, n.cents, n.paid_at, 'service'
    from charge_note n where n.state = 'paid' and n.way = ${channel} and ${within(sql`n.paid_at`)}`
}
