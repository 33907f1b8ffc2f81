import { sql } from 'kysely'
import { businessDayOf } from '@saddle/contract/time.ts'
import type { Database } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'

const faultsMax = 20

/**
 * What cards in force still owe, against what the ledger holds of each as not earned. Days that have passed may be earned
 * in the ledger before the card says so: the worker posts first.
 */
const unearnedFaults = (today: string) =>
  rowOfValues({
    fault: computed(
      'text',
      sql`format('%s of agent %s owes between %s and %s cents; the ledger holds %s', reference, agent_id,
        coalesce(said.least, 0), coalesce(said.most, 0), coalesce(posted.cents, 0))`,
    ),
  }).query(
    (columns) => sql`
      with posted as (
        select e.agent_id, e.reference, sum(l.cents) as cents
        from ledger_entry e
        cross join unnest(e.account_ids, e.amounts_cents) as l (account_id, cents)
        join ledger_account a on a.id = l.account_id and a.kind = 'card_unearned'
        group by 1, 2
      ), said as (
        select c.agent_id, 'card:' || c.id as reference,
          c.price_cents - c.price_cents * coalesce(case when c.rides is null then c.earned_days else c.earned_rides end, 0)
            / coalesce(c.rides, c.days) as most,
          c.price_cents - c.price_cents * case when c.rides is null
            then least(c.days, greatest(c.earned_days, ${today}::date - c.begins_on)) else c.earned_rides end
            / coalesce(c.rides, c.days) as least
        from rider_card c where c.state = 'active'
      )
      select ${columns} from said full join posted using (agent_id, reference)
      where coalesce(posted.cents, 0) not between coalesce(said.least, 0) and coalesce(said.most, 0)
      order by agent_id, reference limit ${faultsMax}`,
  )

/** Products whose stock is not what was taken of it. */
const stockFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('product %s says %s cards taken; there are %s', p.id, p.sold, coalesce(c.taken, 0))`,
  ),
}).select`
  from card_product p left join (
    select product_id, count(*) as taken from rider_card
    where state <> 'lapsed' and paid_by is distinct from 'gift' group by product_id
  ) c on c.product_id = p.id
  where p.sold <> coalesce(c.taken, 0) order by p.id limit ${faultsMax}`

/** Cards of so many rides whose counter is not the number of their uses. */
const rideFaults = rowOfValues({
  fault: computed('text', sql`format('card %s says %s rides; its uses are %s', c.id, c.ridden, u.uses)`),
}).select`
  from rider_card c cross join lateral (
    select count(*) as uses from card_use u where u.card_id = c.id and u.returned_at is null
  ) u
  where c.rides is not null and c.state = 'active' and c.ridden <> u.uses order by c.id limit ${faultsMax}`

/** Holds cards against the ledger, the stock against the cards, and rides against their uses, from one snapshot. */
export async function cardsThatDisagree(db: Database, nowMs: number): Promise<string[]> {
  return db.system(async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    const faults: string[] = []
    for (const query of [unearnedFaults(businessDayOf(nowMs)), stockFaults, rideFaults]) {
      faults.push(...(await query.execute(tx)).rows.map(({ fault }) => fault))
    }
    return faults.slice(0, faultsMax)
  })
}
