import { sql } from 'kysely'
import type { Database } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'

const faultsMax = 20

/** Activities whose counters are not those of their uses. */
const activityFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('activity %s says %s uses, %s cents and %s riders; its uses say %s, %s and %s', a.id, a.uses, a.used_cents,
      a.riders, coalesce(u.uses, 0), coalesce(u.cents, 0), coalesce(u.riders, 0))`,
  ),
}).select`
  from activity a left join (
    select activity_id, count(*) as uses, sum(cents)::bigint as cents, count(distinct rider_id) as riders
    from activity_use where given_back_at is null group by activity_id
  ) u on u.activity_id = a.id
  where (a.uses, a.used_cents, a.riders)
    is distinct from (coalesce(u.uses, 0), coalesce(u.cents, 0), coalesce(u.riders, 0))
  order by a.id limit ${faultsMax}`

/** Riders whose counters are not those of their uses. */
const riderFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('rider %s says %s uses and %s cents of activity %s; the uses say %s and %s', r.rider_id, r.uses, r.cents,
      r.activity_id, coalesce(u.uses, 0), coalesce(u.cents, 0))`,
  ),
}).select`
  from activity_rider r left join (
    select activity_id, rider_id, count(*) as uses, sum(cents)::bigint as cents
    from activity_use where given_back_at is null group by activity_id, rider_id
  ) u on u.activity_id = r.activity_id and u.rider_id = r.rider_id
  where (r.uses, r.cents) is distinct from (coalesce(u.uses, 0), coalesce(u.cents, 0))
  order by r.activity_id, r.rider_id limit ${faultsMax}`

/** Rides whose use of a riding activity is not what the lines of their order say. */
const orderFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('activity %s says that order %s saved %s cents; its lines say %s', u.activity_id, u.cause_id, u.cents,
      coalesce(l.cents, 0))`,
  ),
}).select`
  from activity_use u join activity a on a.id = u.activity_id and a.kind = 'riding' left join lateral (
    select -sum(o.amount_cents) as cents from order_line o
    where o.order_id = u.cause_id and o.benefit = 'activity:' || u.activity_id
  ) l on true
  where u.cause_kind = 'ride' and u.cents is distinct from l.cents::bigint
  order by u.id limit ${faultsMax}`

/**
 * Holds the counters of activities and their riders against the uses, and uses of rides against the lines of their orders,
 * from one snapshot. Answers with the first faults; none when all agree.
 */
export async function activitiesThatDisagree(db: Database): Promise<string[]> {
  return db.system(async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    const faults: string[] = []
    for (const query of [activityFaults, riderFaults, orderFaults]) {
      faults.push(...(await query.execute(tx)).rows.map(({ fault }) => fault))
    }
    return faults.slice(0, faultsMax)
  })
}
