import { sql } from 'kysely'
import type { Database } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'

const faultsMax = 20

/** Batches whose counters are not those of their coupons. */
const batchFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('batch %s says issued %s claimed %s used %s expired %s revoked %s open %s; its coupons say %s %s %s %s %s %s',
      b.id, b.issued, b.claimed, b.used, b.expired, b.revoked, b.open, coalesce(c.issued, 0), coalesce(c.claimed, 0),
      coalesce(c.used, 0), coalesce(c.expired, 0), coalesce(c.revoked, 0), coalesce(c.open, 0))`,
  ),
}).select`
  from coupon_batch b left join (
    select batch_id, count(*) as issued, count(claimed_at) as claimed, count(*) filter (where state = 'used') as used,
      count(*) filter (where state = 'expired') as expired, count(*) filter (where state = 'revoked') as revoked,
      count(*) filter (where state = 'open') as open
    from coupon group by batch_id
  ) c on c.batch_id = b.id
  where (b.issued, b.claimed, b.used, b.expired, b.revoked, b.open) is distinct from (coalesce(c.issued, 0),
      coalesce(c.claimed, 0), coalesce(c.used, 0), coalesce(c.expired, 0), coalesce(c.revoked, 0), coalesce(c.open, 0))
    or b.issued <> b.used + b.expired + b.revoked + b.open
  order by b.id limit ${faultsMax}`

/** Kinds whose budget is not charged with what their coupons saved. */
const budgetFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('kind %s says %s uses and %s cents; its coupons say %s and %s', t.id, t.uses, t.used_cents,
      coalesce(c.uses, 0), coalesce(c.cents, 0))`,
  ),
}).select`
  from coupon_template t left join (
    select template_id, count(*) as uses, sum(saved_cents) as cents from coupon where state = 'used' group by template_id
  ) c on c.template_id = t.id
  where (t.uses, t.used_cents) is distinct from (coalesce(c.uses, 0), coalesce(c.cents, 0)::bigint)
  order by t.id limit ${faultsMax}`

/** Used coupons whose saving is not what the lines of their order say. */
const orderFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('coupon %s says that order %s saved %s cents; its lines say %s', c.id, c.order_id, c.saved_cents,
      coalesce(l.cents, 0))`,
  ),
}).select`
  from coupon c left join lateral (
    select -sum(o.amount_cents) as cents from order_line o
    where o.order_id = c.order_id and o.benefit = 'coupon:' || c.id
  ) l on true
  where c.state = 'used' and c.saved_cents is distinct from l.cents::bigint
  order by c.id limit ${faultsMax}`

/**
 * Holds the counters of batches and budgets against the coupons, and used coupons against the lines of their orders, from
 * one snapshot. Answers with the first faults; none when all agree.
 */
export async function couponsThatDisagree(db: Database): Promise<string[]> {
  return db.system(async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    const faults: string[] = []
    for (const query of [batchFaults, budgetFaults, orderFaults]) {
      faults.push(...(await query.execute(tx)).rows.map(({ fault }) => fault))
    }
    return faults.slice(0, faultsMax)
  })
}
