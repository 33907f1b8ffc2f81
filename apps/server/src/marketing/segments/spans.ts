import { sql } from 'kysely'
import { segmentSpans } from '@saddle/contract/marketing/segments.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import type { Database } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'

/** Sums of rides and money over the last days, in the rows of riders. Triggers of the orders keep them from day to day. */

const ridersAtOnce = 2_000
/** Steps of one turn: twenty million riders. */
const stepsMax = 10_000

const useRow = rowOf('rider_use', 'u', ['rider_id'])

/**
 * Makes the sums anew that a day has left, or that were never made. Resolves to their number. Safe on several servers at
 * once: each takes the rows that no other one holds.
 */
export async function makeSpans({ db, clock }: Pick<Kit, 'db' | 'clock'>): Promise<number> {
  const today = businessDayOf(clock.now())
  let made = 0
  let after = 0
  for (let step = 0; step < stepsMax; step += 1) {
    const ids = await db.system(async (tx) => {
      const { rows } = await useRow.select`
        from rider_use u where u.rider_id > ${after} and u.spans_until <= ${today}::date
        order by u.rider_id limit ${ridersAtOnce} for no key update skip locked`.execute(tx)
      const riderIds = rows.map(({ rider_id: id }) => id)
      // Days that were added before the rows were locked are visible to this statement, and later ones wait for it.
      if (riderIds.length > 0) await sql`select make_spans_of_riders(${riderIds}::bigint[], ${today}::date)`.execute(tx)
      return riderIds
    })
    made += ids.length
    after = ids.at(-1) ?? after
    if (ids.length < ridersAtOnce) break
  }
  return made
}

const faultsMax = 20

/** Riders whose days are not those of their orders. */
const dayFaults = rowOfValues({
  fault: computed(
    'text',
    sql`format('rider %s says %s rides and %s cents on %s; the orders say %s and %s', coalesce(d.rider_id, o.rider_id),
      coalesce(d.rides, 0), coalesce(d.cents, 0), coalesce(d.day, o.day), coalesce(o.rides, 0), coalesce(o.cents, 0))`,
  ),
}).select`
  from rider_day d full join (
    select o.rider_id, (o.ended_at at time zone 'Asia/Shanghai')::date as day, count(*) as rides,
      sum(o.charged_cents - o.refunded_cents)::bigint as cents
    from ride_order o where o.charged_cents is not null group by 1, 2
  ) o on o.rider_id = d.rider_id and o.day = d.day
  where (coalesce(d.rides, 0), coalesce(d.cents, 0)) is distinct from (coalesce(o.rides, 0), coalesce(o.cents, 0))
  limit ${faultsMax}`

const sumOver = (days: number | null) => {
  const within = days === null ? sql`` : sql`filter (where d.day > u.spans_day - ${sql.lit(days)})`
  return sql`coalesce(sum(d.rides) ${within}, 0), coalesce(sum(d.cents) ${within}, 0)`
}

/** Riders whose sums are not those of their days. Sums that are yet to be made are asked by nobody. */
const useFaults = rowOfValues({
  fault: computed('text', sql`format('rider %s has sums that are not those of the days', u.rider_id)`),
}).select`
  from rider_use u left join rider_day d on d.rider_id = u.rider_id
  group by u.rider_id
  having (u.rides, u.cents) is distinct from (${sumOver(null)})
    or isfinite(u.spans_day) and (${sql.join(segmentSpans.flatMap((days) => [sql.ref(`u.rides_${days}`), sql.ref(`u.cents_${days}`)]))})
      is distinct from (${sql.join(segmentSpans.map(sumOver))})
  limit ${faultsMax}`

/** Holds days and sums of riders against the orders, from one snapshot. Answers with the first faults; none when all agree. */
export async function ridersThatDisagree(db: Database): Promise<string[]> {
  return db.system(async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    const faults: string[] = []
    for (const query of [dayFaults, useFaults]) {
      faults.push(...(await query.execute(tx)).rows.map(({ fault }) => fault))
    }
    return faults.slice(0, faultsMax)
  })
}
