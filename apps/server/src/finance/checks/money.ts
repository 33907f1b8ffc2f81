import { sql, type RawBuilder } from 'kysely'
import { yuanText } from '@saddle/contract/money.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'

/** The result of comparing payments, refunds and deposits with the ledger. */
export type MoneyVerdict = {
  readonly payments: number
  readonly paidCents: number
  readonly refundedCents: number
  readonly deposits: number
  /** The first ones; none when all agree. */
  readonly faults: readonly string[]
}

const MAX_FAULTS = 20

const proveMoneyRow = rowOfValues({
  payments: computed('integer', sql`select count(*) from payment where state = 'paid'`),
  paid: computed('bigint', sql`select coalesce(sum(cents), 0) from payment where state = 'paid'`),
  refunded: computed('bigint', sql`select coalesce(sum(cents), 0) from payment_refund where state = 'done'`),
  deposits: computed('integer', sql`select count(*) from rider_deposit`),
})

/** Proves them from one snapshot, each sum from rows of its own. */
export async function proveMoney(db: Database): Promise<MoneyVerdict> {
  return db.system(async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    const { rows } = await proveMoneyRow.select`
      `.execute(tx)
    const [sums] = rows
    if (sums === undefined) throw new Error('a sum has one row')
    const faults = [
      ...(await faultsOf(tx, channelFaults)),
      ...(await faultsOf(tx, depositFaults)),
      ...(await giftFaultsOf(tx)),
      ...(await faultsOf(tx, openingFaults)),
    ]
    return {
      payments: sums.payments,
      paidCents: sums.paid,
      refundedCents: sums.refunded,
      deposits: sums.deposits,
      faults: faults.slice(0, MAX_FAULTS),
    }
  })
}

async function faultsOf(tx: Tx, query: RawBuilder<{ fault: string }>): Promise<string[]> {
  return (await query.execute(tx)).rows.map(({ fault }) => fault)
}

export function moneyLine({ payments, paidCents, refundedCents, deposits, faults }: MoneyVerdict): string {
  const what = `money: ${payments} payments ${yuanText(paidCents)}, refunds ${yuanText(refundedCents)}, ${deposits} deposits`
  const [first] = faults
  return first === undefined ? `${what}, agree with the ledger` : `${what}, broken at ${first}`
}

const told = (cents: RawBuilder<unknown>): RawBuilder<unknown> => sql`to_char(${cents} / 100.0, 'FM999999999990.00')`

/**
 * By what a payment's money was taken for: what the channels brought, less what they paid out, is what the clearing
 * accounts have; what they are still to pay out is owed. Rides of the demo's past that are being booked are left out: their
 * payments and entries are written one after the other.
 */
const channelFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('%s of agent %s: payment %s brought %s, refund %s paid out %s and owes %s; the ledger holds %s and owes %s',
    reference, agent_id, coalesce(paid.ids, '--'), ${told(sql`coalesce(paid.cents, 0)`)}, coalesce(refunded.ids, '--'),
    ${told(sql`coalesce(refunded.done, 0)`)}, ${told(sql`coalesce(refunded.owed, 0)`)},
    ${told(sql`coalesce(posted.held, 0)`)}, ${told(sql`coalesce(posted.owed, 0)`)})`,
  ),
}).query(
  (columns) => sql`
  with taken as (
    select p.id, p.agent_id, p.cents, case p.became when 'recharge' then 'payment:' || p.id
      when 'deposit' then 'deposit:' || p.id when 'ride' then 'order:' || p.subject_id else 'card:' || p.subject_id end
      as reference
    from payment p where p.state = 'paid'
  ), refunded as (
    select t.agent_id, t.reference, string_agg(r.id::text, ' ' order by r.id) as ids,
      coalesce(sum(r.cents) filter (where r.state = 'done'), 0) as done,
      coalesce(sum(r.cents) filter (where r.state in ('waiting', 'failed')), 0) as owed
    from taken t join payment_refund r on r.payment_id = t.id group by 1, 2
  ), paid as (
    select agent_id, reference, string_agg(id::text, ' ' order by id) as ids, sum(cents) as cents
    from taken group by 1, 2
  ), posted as (
    select e.agent_id, e.reference, coalesce(-sum(l.cents) filter (where a.kind <> 'refund_payable'), 0) as held,
      coalesce(sum(l.cents) filter (where a.kind = 'refund_payable'), 0) as owed
    from ledger_entry e
    cross join unnest(e.account_ids, e.amounts_cents) as l (account_id, cents)
    join ledger_account a on a.id = l.account_id
      and a.kind in ('clearing_wechat', 'clearing_alipay', 'clearing_sandbox', 'refund_payable')
    where e.reference ~ '^(payment|deposit|order|card):[0-9]+$' group by 1, 2
  )
  select ${columns} from paid full join posted using (agent_id, reference) left join refunded using (agent_id, reference)
  where (coalesce(paid.cents, 0) - coalesce(refunded.done, 0) <> coalesce(posted.held, 0)
      or coalesce(refunded.owed, 0) <> coalesce(posted.owed, 0))
    and not exists (
      select from ride_order o where reference = 'order:' || o.id and o.state = 'due' and o.app_id is null
    )
  order by agent_id, reference limit ${MAX_FAULTS}`,
)

const giftFaultsOf = async (tx: Tx): Promise<string[]> => [
  ...(await faultsOf(tx, giftBalanceFaults)),
  ...(await faultsOf(tx, giftUseFaults)),
]

/** What is open of a rider's lots is the gift balance that the ledger has. */
const giftBalanceFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('gift balance of rider %s of agent %s: its lots have %s open, the ledger %s', rider_id, agent_id,
    ${told(sql`coalesce(lots.cents, 0)`)}, ${told(sql`coalesce(posted.cents, 0)`)})`,
  ),
}).query(
  (columns) => sql`
  with lots as (
    select agent_id, rider_id, sum(open_cents) as cents from gift_lot where open_cents > 0 group by 1, 2
  ), posted as (
    select a.agent_id, a.owner_id as rider_id, b.balance_cents as cents
    from ledger_account a join ledger_balance b on b.account_id = a.id where a.kind = 'rider_gift' and b.balance_cents <> 0
  )
  select ${columns} from lots full join posted using (agent_id, rider_id)
  where lots.cents is distinct from posted.cents order by agent_id, rider_id limit ${MAX_FAULTS}`,
)

/** What became of a lot is what orders took of it, and what the ledger booked for it. */
const giftUseFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('gift lot %s of agent %s: %s granted, %s used, %s expired, %s open; orders took %s, of which %s lapsed; the ledger granted %s and ended %s',
    l.id, l.agent_id, ${told(sql`l.granted_cents`)}, ${told(sql`l.used_cents`)}, ${told(sql`l.expired_cents`)},
    ${told(sql`l.open_cents`)}, ${told(sql`coalesce(u.cents, 0)`)}, ${told(sql`coalesce(u.lapsed, 0)`)},
    ${told(sql`coalesce(e.granted, 0)`)}, ${told(sql`coalesce(e.ended, 0)`)})`,
  ),
}).query(
  (columns) => sql`
  with used as (
    select lot_id, sum(cents) as cents, sum(lapsed_cents) as lapsed from gift_use where subject = 'order' group by 1
  ), booked as (
    select e.agent_id, e.reference, sum(c.cents) filter (where e.kind = 'gift_grant') as granted,
      -sum(c.cents) filter (where e.kind = 'gift_expiry') as ended
    from ledger_entry e
    cross join unnest(e.account_ids, e.amounts_cents) as c (account_id, cents)
    join ledger_account a on a.id = c.account_id and a.kind = 'rider_gift'
    where e.reference ~ '^gift:[0-9]+$' group by 1, 2
  )
  select ${columns} from gift_lot l left join used u on u.lot_id = l.id
  left join booked e on e.agent_id = l.agent_id and e.reference = 'gift:' || l.id
  where l.used_cents <> coalesce(u.cents - u.lapsed, 0)
    or l.expired_cents <> coalesce(u.lapsed, 0) + coalesce(e.ended, 0)
    or (l.source in ('payment', 'reward') and l.granted_cents is distinct from e.granted)
  order by l.id limit ${MAX_FAULTS}`,
)

/** What files of riders have brought is what the ledger has as opening balances. */
const openingFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('opening balances of agent %s: its imports brought %s, the ledger has %s', agent_id,
    ${told(sql`coalesce(brought.cents, 0)`)}, ${told(sql`coalesce(posted.cents, 0)`)})`,
  ),
}).query(
  (columns) => sql`
  with brought as (
    select agent_id, sum(cents) as cents from rider_import where state = 'committed' and cents > 0 group by 1
  ), posted as (
    select e.agent_id, sum(c.cents) as cents
    from ledger_entry e cross join unnest(e.amounts_cents) as c (cents)
    where e.kind = 'opening_balance' and c.cents > 0 group by 1
  )
  select ${columns} from brought full join posted using (agent_id)
  where brought.cents is distinct from posted.cents order by agent_id limit ${MAX_FAULTS}`,
)

/** A deposit equals its payment, and its parts equal its amounts in the ledger. */
const depositFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('%s of agent %s: says %s, %s free, %s frozen, %s kept; its payment %s, the ledger %s free, %s frozen, %s kept',
    reference, agent_id, ${told(sql`said.cents`)}, ${told(sql`said.free`)}, ${told(sql`said.frozen`)},
    ${told(sql`said.recovered`)}, ${told(sql`said.paid`)}, ${told(sql`coalesce(posted.free, 0)`)},
    ${told(sql`coalesce(posted.frozen, 0)`)}, ${told(sql`coalesce(posted.recovered, 0)`)})`,
  ),
}).query(
  (columns) => sql`
  with posted as (
    select e.agent_id, e.reference,
      coalesce(sum(l.cents) filter (where a.kind = 'rider_deposit'), 0) as free,
      coalesce(sum(l.cents) filter (where a.kind = 'rider_deposit_frozen'), 0) as frozen,
      coalesce(sum(l.cents) filter (where a.kind = 'deposit_recovered'), 0) as recovered
    from ledger_entry e
    cross join unnest(e.account_ids, e.amounts_cents) as l (account_id, cents)
    join ledger_account a on a.id = l.account_id
      and a.kind in ('rider_deposit', 'rider_deposit_frozen', 'deposit_recovered')
    where e.reference ~ '^deposit:[0-9]+$' group by 1, 2
  ), said as (
    select d.agent_id, 'deposit:' || d.id as reference, d.cents, p.cents as paid,
      d.cents - d.frozen_cents - d.recovered_cents - d.refunded_cents as free, d.frozen_cents as frozen,
      d.recovered_cents as recovered
    from rider_deposit d left join payment p on p.id = d.id and p.agent_id = d.agent_id and p.became = 'deposit'
  )
  select ${columns} from said full join posted using (agent_id, reference)
  where said.cents is distinct from said.paid or said.free is distinct from coalesce(posted.free, 0)
    or said.frozen is distinct from coalesce(posted.frozen, 0)
    or said.recovered is distinct from coalesce(posted.recovered, 0)
  order by agent_id, reference limit ${MAX_FAULTS}`,
)
