import { sql } from 'kysely'
import { yuanText } from '@saddle/contract/money.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues, type RowOf } from '#kit/db/rows.ts'

const dayRow = rowOfValues({
  agent_id: computed('bigint', sql`told.agent_id`),
  day: computed('text', sql`to_char(told.ended_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`),
  rides: computed('integer', sql`count(*)`),
  net_cents: computed('bigint', sql`sum(told.report_cents)`),
})
/** What the rides of a franchisee that ended on a business day brought, by the lines and refunds of their orders. */
export type RideDay = RowOf<typeof dayRow>

const disagreementRow = rowOfValues({
  order_id: computed('bigint', sql`told.order_id`),
  order_cents: computed('bigint', sql`coalesce(told.order_cents, 0)`),
  ledger_cents: computed('bigint', sql`told.ledger_cents`),
  report_cents: computed('bigint', sql`coalesce(told.report_cents, 0)`),
})
/** An order for which the books do not agree. */
export type Disagreement = RowOf<typeof disagreementRow>

const sumRow = rowOfValues({
  orders: computed('integer', sql`count(*) filter (where is_paid)`),
  order_cents: computed('bigint', sql`coalesce(sum(order_cents), 0)`),
  ledger_cents: computed('bigint', sql`coalesce(sum(ledger_cents) filter (where is_settling is not true), 0)`),
  report_cents: computed('bigint', sql`coalesce(sum(report_cents), 0)`),
})

export type Reconciliation = {
  /** Rides that are paid. */
  readonly orders: number
  /** What they were charged less what was given back: by the orders themselves, by the ledger, by the days' report. */
  readonly orderCents: number
  readonly ledgerCents: number
  readonly reportCents: number
  readonly days: readonly RideDay[]
  /** The first ones; none when all agree. */
  readonly disagreements: readonly Disagreement[]
}

const disagreementsMax = 20
const paidStates = sql`('paid', 'part_refunded', 'refunded')`

/**
 * Compares orders, ledger and daily report, order by order, from one snapshot: each is summed from its own rows.
 * Amounts due are not income yet, except in the demo's history: it is posted in batches, so an amount may be posted
 * shortly before its order is marked paid.
 */
export async function reconcileRides(db: Database): Promise<Reconciliation> {
  return db.system(async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    const sums = await sumsOf(tx)
    return { ...sums, days: await daysOf(tx), disagreements: await disagreementsOf(tx) }
  })
}

/** Income by order: what the order says, what was posted for it, what its lines and refunds make. */
const books = sql`
  with posted as (
    select substring(e.reference from 7)::bigint as order_id, sum(l.amount_cents) as cents
    from ledger_entry e
    cross join unnest(e.account_ids, e.amounts_cents) as l (account_id, amount_cents)
    join ledger_account a on a.id = l.account_id and a.kind = 'agent_revenue'
    where e.reference ~ '^order:[0-9]+$'
    group by 1
  ), line as (
    select order_id, sum(amount_cents) as cents from order_line group by 1
  ), refund as (
    select order_id, sum(cents) as cents from order_refund group by 1
  ), told as (
    select coalesce(o.id, posted.order_id) as order_id, o.agent_id, o.ended_at,
      coalesce(o.state in ${paidStates}, false) as is_paid,
      case when o.state in ${paidStates} then o.charged_cents - o.refunded_cents else 0 end as order_cents,
      coalesce(posted.cents, 0) as ledger_cents,
      case when o.state in ${paidStates} then coalesce(line.cents, 0) - coalesce(refund.cents, 0) else 0 end
        as report_cents,
      o.state = 'due' and o.app_id is null and posted.cents = o.charged_cents as is_settling,
      o.charged_cents is distinct from line.cents and coalesce(o.charged_cents, 0) + coalesce(line.cents, 0) <> 0
        as is_explained_wrongly
    from ride_order o
    full join posted on posted.order_id = o.id
    left join line on line.order_id = o.id
    left join refund on refund.order_id = o.id
  )`

async function sumsOf(tx: Tx): Promise<Omit<Reconciliation, 'days' | 'disagreements'>> {
  const { rows } = await sumRow.query((list) => sql`${books} select ${list} from told`).execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('a sum has one row')
  return {
    orders: row.orders,
    orderCents: row.order_cents,
    ledgerCents: row.ledger_cents,
    reportCents: row.report_cents,
  }
}

async function daysOf(tx: Tx): Promise<RideDay[]> {
  const { rows } = await dayRow
    .query((list) => sql`${books} select ${list} from told where is_paid group by 1, 2 order by 2, 1`)
    .execute(tx)
  return rows
}

async function disagreementsOf(tx: Tx): Promise<Disagreement[]> {
  const { rows } = await disagreementRow
    .query(
      (list) => sql`
    ${books} select ${list} from told
    where is_settling is not true
      and (order_cents is distinct from ledger_cents or order_cents is distinct from report_cents or is_explained_wrongly)
    order by told.order_id limit ${disagreementsMax}`,
    )
    .execute(tx)
  return rows
}

/** Differences between rides and ledger as text, for the daily check of the books. */
export async function ridesThatDisagree(db: Database): Promise<string[]> {
  const { disagreements } = await reconcileRides(db)
  return disagreements.map(
    ({ order_id, order_cents, ledger_cents, report_cents }) =>
      `order ${order_id} says ${order_cents} cents, the ledger ${ledger_cents}, its lines ${report_cents}`,
  )
}

/** The closing line of `npm run ledger:reconcile`. */
export function reconciliationLine({
  orders,
  days,
  orderCents,
  ledgerCents,
  reportCents,
  disagreements,
}: Reconciliation): string {
  const what = `rides: ${orders} paid, orders ${yuanText(orderCents)}, ledger ${yuanText(ledgerCents)}, ${
    new Set(days.map(({ day }) => day)).size
  } days ${yuanText(reportCents)}`
  const [first] = disagreements
  return first === undefined ? `${what}, reconciled` : `${what}, not reconciled: order ${first.order_id}`
}
