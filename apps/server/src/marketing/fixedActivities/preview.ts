import { sql, type RawBuilder } from 'kysely'
import type { ActivityCommon, ActivityPreview } from '@saddle/contract/marketing/activities.ts'
import type { FixedTerms } from '@saddle/contract/marketing/fixedActivities.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { computed, rowOf, rowOfValues } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { createTally } from '../activities/tally.ts'
import type { Rewards } from '../rewards/rewards.ts'
import { hasPlace } from './rules.ts'

/** Occasions that are looked at; of more the newest. */
const occasionsMax = 20_000

const occasionRow = rowOfValues({
  rider_id: computed('bigint', sql`f.rider_id`),
  area_id: computed('bigint?', sql`f.area_id`),
  at: computed('timestamptz', sql`f.at`),
})
export const areaRow = rowOf('service_area', 's', ['id', 'name'])

type Asked = {
  readonly scope: Scope
  readonly agentId: number
  readonly common: ActivityCommon
  readonly terms: FixedTerms
  readonly weeks: number
}

/** What a fixed activity would have given over the last weeks, within its limits. */
export async function previewFixed(
  { kit, rewards }: { readonly kit: Pick<Kit, 'db' | 'clock'>; readonly rewards: Rewards },
  asked: Asked,
): Promise<ActivityPreview> {
  const { scope, agentId, common, terms, weeks } = asked
  const now = kit.clock.now()
  const from = new Date(now - weeks * 7 * dayMs)
  const { rows, areas, cents } = await kit.db.withScope(scope, async (tx) => {
    const priced = await rewards.price(tx, { agentId, rewards: terms.rewards, at: new Date(now) })
    const found = await occasionRow.select`
      from (${occasions(asked, { from, now })}) f order by f.at desc, f.rider_id limit ${occasionsMax + 1}`.execute(tx)
    const names = await areaRow.select`from service_area s where s.agent_id = ${agentId}`.execute(tx)
    return {
      rows: found.rows,
      areas: new Map(names.rows.map(({ id, name }) => [id, name])),
      cents: priced.reduce((sum, item) => sum + item.cents, 0),
    }
  })
  const tally = createTally(common)
  const isCut = rows.length > occasionsMax
  for (const row of rows.slice(0, occasionsMax).toReversed()) {
    const use = { riderId: row.rider_id, areaId: row.area_id, at: row.at.getTime(), cents }
    if (tally.canTake(use)) tally.take(use)
  }
  return { weeks, considered: Math.min(rows.length, occasionsMax), isCut, ...tally.result(areas) }
}

function occasions({ agentId, common, terms }: Asked, { from, now }: { from: Date; now: number }): RawBuilder<unknown> {
  const { minCents, minMinutes, idleDays } = terms
  switch (terms.event) {
    case 'rider_new':
      return sql`
        select r.id as rider_id, null::bigint as area_id, r.created_at as at from rider r
        where r.agent_id = ${agentId} and r.created_at >= ${from}`
    case 'identified':
      return sql`
        select r.id as rider_id, null::bigint as area_id, r.certified_at as at from rider r
        where r.agent_id = ${agentId} and r.certified_at >= ${from}`
    case 'certified':
      return sql`
        select c.rider_id, null::bigint as area_id, min(c.decided_at) as at from rider_certificate c
        where c.agent_id = ${agentId} and c.state in ('approved', 'expired') group by c.rider_id
        having min(c.decided_at) >= ${from}`
    case 'first_recharge':
      return sql`
        select p.rider_id, null::bigint as area_id, p.paid_at as at from payment p
        where p.agent_id = ${agentId} and p.became = 'recharge' and p.paid_at >= ${from} and p.cents >= ${minCents}
          and not exists (select from payment o where o.agent_id = p.agent_id and o.rider_id = p.rider_id
            and o.became = 'recharge' and o.id < p.id)`
    case 'first_ride': {
      const areaIds = hasPlace(terms.event) ? common.areaIds : []
      return sql`
        select o.rider_id, o.area_id, o.ended_at as at from ride_order o
        where o.agent_id = ${agentId} and o.state in ('paid', 'part_refunded') and o.placed_at >= ${from}
          and (cardinality(${areaIds}::bigint[]) = 0 or o.area_id = any (${areaIds}::bigint[]))
          and o.charged_cents >= ${minCents} and o.ended_at - o.started_at >= make_interval(mins => ${minMinutes}::int)
          and not exists (select from ride_order e where e.rider_id = o.rider_id and e.agent_id = o.agent_id
            and e.state in ('paid', 'part_refunded') and e.placed_at < o.placed_at)`
    }
    case 'wake': {
      const idle = sql`make_interval(days => ${idleDays}::int)`
      return sql`
        select r.id as rider_id, null::bigint as area_id, o.ended_at + ${idle} as at from rider r
        cross join lateral (select max(d.ended_at) as ended_at from ride_order d where d.rider_id = r.id) o
        where r.agent_id = ${agentId} and r.closed_at is null and o.ended_at + ${idle} >= ${from}
          and o.ended_at + ${idle} <= ${new Date(now)}`
    }
  }
}
