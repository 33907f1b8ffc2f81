import { sql } from 'kysely'
import type { Database } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'

const faultsMax = 20

/** By the state of a withdrawal: what its entries have moved between the accounts of its company, in all. */
const movedByState = sql`
  select w.agent_id, 'withdrawal:' || w.id as reference, w.state,
    case when w.state in ('waiting', 'queued', 'sent', 'unknown', 'paid') then -w.cents else 0 end as available,
    case when w.state in ('waiting', 'queued', 'sent', 'unknown') then w.cents else 0 end as withdrawing,
    case when w.state in ('paid', 'conflict') then w.cents - w.fee_cents else 0 end as bank,
    case when w.state = 'paid' then w.fee_cents else 0 end as fee,
    -- Paid by the bank after it had said that it had failed: the company has the money as well.
    case when w.state = 'conflict' then w.fee_cents - w.cents else 0 end as adjusted
  from withdrawal w`

/** Each withdrawal against its own entries: request, fee, payment, return, and what a bank did after the end. */
const withdrawalFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('%s of agent %s is %s: available %s, withdrawing %s, bank %s, fee %s, adjustment %s cents; the ledger has %s, %s, %s, %s, %s',
      reference, agent_id, coalesce(said.state, 'unknown to the platform'), coalesce(said.available, 0),
      coalesce(said.withdrawing, 0), coalesce(said.bank, 0), coalesce(said.fee, 0), coalesce(said.adjusted, 0),
      coalesce(posted.available, 0), coalesce(posted.withdrawing, 0), coalesce(posted.bank, 0), coalesce(posted.fee, 0),
      coalesce(posted.adjusted, 0))`,
  ),
}).query(
  (columns) => sql`
    with posted as (
      select e.agent_id, e.reference,
        coalesce(sum(l.cents) filter (where a.kind = 'agent_available'), 0) as available,
        coalesce(sum(l.cents) filter (where a.kind = 'agent_withdrawing'), 0) as withdrawing,
        coalesce(sum(l.cents) filter (where a.kind = 'clearing_bank'), 0) as bank,
        coalesce(sum(l.cents) filter (where a.kind = 'platform_fee'), 0) as fee,
        coalesce(sum(l.cents) filter (where a.kind = 'adjustment'), 0) as adjusted
      from ledger_entry e
      cross join unnest(e.account_ids, e.amounts_cents) as l (account_id, cents)
      join ledger_account a on a.id = l.account_id
      where e.kind in ('withdrawal_request', 'withdrawal_paid', 'withdrawal_returned') group by 1, 2
    ), said as (${movedByState})
    select ${columns} from said full join posted using (agent_id, reference)
    where (coalesce(said.available, 0), coalesce(said.withdrawing, 0), coalesce(said.bank, 0), coalesce(said.fee, 0),
        coalesce(said.adjusted, 0))
      <> (coalesce(posted.available, 0), coalesce(posted.withdrawing, 0), coalesce(posted.bank, 0),
        coalesce(posted.fee, 0), coalesce(posted.adjusted, 0))
    order by agent_id, reference limit ${faultsMax}`,
)

/** Nothing but withdrawals moves these two accounts: their balances are the sums of withdrawals. */
const balanceFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('agent %s: withdrawals hold %s and paid out %s cents; the balances are %s and %s', agent_id,
      coalesce(said.withdrawing, 0), coalesce(said.bank, 0), coalesce(held.withdrawing, 0), coalesce(held.bank, 0))`,
  ),
}).query(
  (columns) => sql`
    with held as (
      select a.agent_id,
        coalesce(sum(b.balance_cents) filter (where a.kind = 'agent_withdrawing'), 0) as withdrawing,
        coalesce(sum(b.balance_cents) filter (where a.kind = 'clearing_bank'), 0) as bank
      from ledger_account a join ledger_balance b on b.account_id = a.id
      where a.kind in ('agent_withdrawing', 'clearing_bank') group by 1
    ), said as (
      select m.agent_id, sum(m.withdrawing) as withdrawing, sum(m.bank) as bank from (${movedByState}) m group by 1
    )
    select ${columns} from said full join held using (agent_id)
    where (coalesce(said.withdrawing, 0), coalesce(said.bank, 0))
      <> (coalesce(held.withdrawing, 0), coalesce(held.bank, 0))
    order by agent_id limit ${faultsMax}`,
)

/** Holds withdrawals against the ledger from one snapshot. */
export async function withdrawalsThatDisagree(db: Database): Promise<string[]> {
  return db.system(async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    const faults: string[] = []
    for (const query of [withdrawalFaults, balanceFaults]) {
      faults.push(...(await query.execute(tx)).rows.map(({ fault }) => fault))
    }
    return faults.slice(0, faultsMax)
  })
}
