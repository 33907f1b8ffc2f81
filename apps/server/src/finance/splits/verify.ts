import { sql } from 'kysely'
import type { Database } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'

const faultsMax = 20

/** What a line gives its parties is the sum of their list. */
const lineFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('entry %s of agent %s gives its parties %s', l.entry_number, l.agent_id, l.parties_cents)`,
  ),
}).select`
  from split_line l where l.parties_cents <> (select coalesce(sum(c), 0) from unnest(l.party_cents) c)
  order by l.agent_id, l.entry_number limit ${faultsMax}`

/** A bill is the sum of its lines. */
const billFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('bill %s of agent %s on %s has %s lines of %s cents; there are %s of %s', b.id, b.agent_id, b.day, b.lines,
      b.paid_cents, coalesce(l.lines, 0), coalesce(l.paid, 0))`,
  ),
}).select`
  from split_bill b left join (
    select agent_id, day, coalesce(area_id, 0) as area_id, count(*) as lines, sum(paid_cents) as paid,
      sum(owner_cents) as owner, sum(fee_cents) as fee
    from split_line group by 1, 2, 3
  ) l on l.agent_id = b.agent_id and l.day = b.day and l.area_id = coalesce(b.area_id, 0)
  where b.lines <> coalesce(l.lines, 0) or b.paid_cents <> coalesce(l.paid, 0) or b.owner_cents <> coalesce(l.owner, 0)
    or b.fee_cents <> coalesce(l.fee, 0)
  order by b.id limit ${faultsMax}`

/** A bill is posted as it is. */
const postedFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('bill %s of agent %s has %s cents of income; the ledger posted %s', b.id, b.agent_id, b.paid_cents,
      coalesce(p.cents, 0))`,
  ),
}).select`
  from split_bill b left join (
    select e.agent_id, e.reference, -sum(l.cents) as cents
    from ledger_entry e
    cross join unnest(e.account_ids, e.amounts_cents) as l (account_id, cents)
    join ledger_account a on a.id = l.account_id and a.kind = 'agent_revenue'
    where e.kind = 'bill_split' group by 1, 2
  ) p on p.agent_id = b.agent_id and p.reference = 'bill:' || b.id
  where b.paid_cents <> coalesce(p.cents, 0) order by b.id limit ${faultsMax}`

/** What is in transit of a company is what its bills have brought and no settlement has taken. */
const transitFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('agent %s has %s cents in transit; its bills and settlements leave %s', coalesce(t.agent_id, s.agent_id),
      coalesce(t.cents, 0), coalesce(s.cents, 0))`,
  ),
}).select`
  from (
    select a.agent_id, sum(b.balance_cents) as cents
    from ledger_account a join ledger_balance b on b.account_id = a.id where a.kind = 'agent_in_transit' group by 1
  ) t full join (
    select agent_id, sum(cents) as cents from (
      select agent_id, owner_cents as cents from split_bill
      union all select agent_id, -owner_cents from split_settlement
    ) m group by 1
  ) s on s.agent_id = t.agent_id
  where coalesce(t.cents, 0) <> coalesce(s.cents, 0) order by 1 limit ${faultsMax}`

/** Holds lines, bills, settlements and the ledger against each other, from one snapshot. */
export async function splitsThatDisagree(db: Database): Promise<string[]> {
  return db.system(async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    const faults: string[] = []
    for (const query of [lineFaults, billFaults, postedFaults, transitFaults]) {
      faults.push(...(await query.execute(tx)).rows.map(({ fault }) => fault))
    }
    return faults.slice(0, faultsMax)
  })
}
