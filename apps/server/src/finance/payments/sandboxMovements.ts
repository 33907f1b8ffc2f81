import { sql } from 'kysely'
import { businessDayEnd, businessDayStart } from '@saddle/contract/time.ts'
import type { Database } from '#kit/db/pool.ts'
import { computed, rowOfValues, type RowOf } from '#kit/db/rows.ts'
import type { SandboxMovement } from './sandboxBills.ts'

const movementsAtATime = 5_000

const movementRow = rowOfValues({
  is_refund: computed('boolean', sql`m.is_refund`),
  number: computed('text', sql`m.number`),
  order_number: computed('text', sql`m.order_number`),
  trade_number: computed('text', sql`m.trade_number`),
  at: computed('timestamptz', sql`m.at`),
  cents: computed('bigint', sql`m.cents`),
  // As the database has it: instants of this process are shorter.
  at_text: computed('text', sql`m.at`),
})

/**
 * What the sandbox took and gave back on a day, in the order of time: the sandbox has no books of its own, so it reads those of
 * the platform, with what it was asked to give back of differences.
 */
export async function* sandboxMovements(db: Database, day: string): AsyncGenerator<readonly SandboxMovement[]> {
  const until = new Date(businessDayEnd(day))
  let after = { at: new Date(businessDayStart(day)).toISOString(), number: '' }
  for (;;) {
    const span = (at: string, number: string) => sql`
      (${sql.raw(at)}, ${sql.raw(number)}) > (${after.at}::timestamptz, ${after.number}) and ${sql.raw(at)} < ${until}`
    const query = movementRow.select`
      from (
        (select false as is_refund, p.number, p.number as order_number, p.trade_number, p.paid_at as at, p.cents
        from payment p where p.channel = 'sandbox' and p.state = 'paid' and ${span('p.paid_at', 'p.number')}
        order by p.paid_at, p.number limit ${movementsAtATime})
        union all
        (select true, r.number, p.number, 'sandbox-' || r.number, r.done_at, r.cents
        from payment_refund r join payment p on p.id = r.payment_id and p.agent_id = r.agent_id
        where p.channel = 'sandbox' and r.state = 'done' and ${span('r.done_at', 'r.number')}
        order by r.done_at, r.number limit ${movementsAtATime})
        union all
        (select false, n.number, n.number, 'sandbox-' || n.number, n.paid_at, n.cents
        from charge_note n where n.way = 'sandbox' and n.state = 'paid' and ${span('n.paid_at', 'n.number')}
        order by n.paid_at, n.number limit ${movementsAtATime})
        union all
        (select true, d.refund_number, d.number, 'sandbox-' || d.refund_number, d.decided_at, d.delta_cents
        from channel_difference d where d.channel = 'sandbox' and d.refund_number is not null
          and ${span('d.decided_at', 'd.refund_number')}
        order by d.decided_at, d.refund_number limit ${movementsAtATime})
      ) m order by m.at, m.number limit ${movementsAtATime}`
    const rows = await db.systemRead((k) => query.compile(k))
    if (rows.length > 0) yield rows.map(movementOf)
    const last = rows.at(-1)
    if (last === undefined || rows.length < movementsAtATime) return
    after = { at: last.at_text, number: last.number }
  }
}

function movementOf(row: RowOf<typeof movementRow>): SandboxMovement {
  const { is_refund: isRefund, number, order_number: orderNumber, trade_number: tradeNumber, at, cents } = row
  return { isRefund, number, orderNumber, tradeNumber, at: at.getTime(), cents }
}
