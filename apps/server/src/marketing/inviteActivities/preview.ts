import { sql } from 'kysely'
import type { ActivityCommon, ActivityPreview } from '@saddle/contract/marketing/activities.ts'
import type { InviteTerms } from '@saddle/contract/marketing/inviteActivities.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { ActivityDeps } from '../activities/deps.ts'
import { createTally } from '../activities/tally.ts'
import type { Rewards } from '../rewards/rewards.ts'

/** New riders that are looked at; of more the newest. */
const ridersMax = 20_000

const newcomerRow = rowsOf(
  rowOf('rider', 'r', ['id']),
  rowOfValues({
    area_id: computed('bigint?', sql`o.area_id`),
    ended_at: computed('timestamptz?', sql`o.ended_at`),
  }),
)
const areaRow = rowOf('service_area', 'a', ['id', 'name'])

/**
 * What it would have cost at most: as if each new rider of the last weeks had been brought by somebody who reaches no limit.
 * Those whose first rides meet the conditions in time would have counted.
 */
export async function previewOf(
  { kit, rewards }: ActivityDeps & { readonly rewards: Pick<Rewards, 'price'> },
  asked: {
    readonly scope: Scope
    readonly agentId: number
    readonly common: ActivityCommon
    readonly terms: InviteTerms
    readonly weeks: number
  },
): Promise<ActivityPreview> {
  const { scope, agentId, common, terms, weeks } = asked
  const now = kit.clock.now()
  const from = new Date(now - weeks * 7 * dayMs)
  const inAreas = common.areaIds.length === 0 ? sql`true` : sql`o.area_id = any (${[...common.areaIds]}::bigint[])`
  const newcomers = await kit.db.read(scope, (k) =>
    newcomerRow.select`
      from (
        select r.id, r.created_at from rider r
        where r.agent_id = ${agentId} and r.created_at >= ${from}
        order by r.created_at desc, r.id desc limit ${ridersMax + 1}
      ) r
      left join lateral (
        select o.area_id, o.ended_at from ride_order o
        where o.rider_id = r.id and o.agent_id = ${agentId} and o.charged_cents > 0 and o.state in ('paid', 'part_refunded')
          and o.ended_at <= r.created_at + make_interval(days => ${terms.bindDays + terms.rideDays})
          and o.ended_at - o.started_at >= make_interval(mins => ${terms.minMinutes})
          and coalesce(o.distance_m, 0) >= ${terms.minMetres} and ${inAreas}
        order by o.placed_at, o.id limit 1
      ) o on true
      order by o.ended_at, r.id`.compile(k),
  )
  const areas = await kit.db.read(scope, (k) =>
    areaRow.select`from service_area a where a.agent_id = ${agentId}`.compile(k),
  )
  const both = [terms.inviterRewards, terms.invitedRewards].filter((ofSide) => ofSide.length > 0)
  const priced = await kit.db.withScope(scope, (tx) =>
    rewards.price(tx, { agentId, rewards: both.flat(), at: new Date(now) }),
  )
  const cents = priced.reduce((sum, item) => sum + item.cents, 0)
  // A use is what one side gets; who the inviters would have been is not known.
  const budgetUses = common.budgetUses === null ? null : Math.floor(common.budgetUses / both.length)
  const tally = createTally({ ...common, budgetUses, riderUses: null, riderDayUses: null })
  for (const { id: riderId, area_id: areaId, ended_at: endedAt } of newcomers.slice(0, ridersMax)) {
    if (endedAt === null) continue
    const use = { riderId, areaId, at: endedAt.getTime(), cents }
    if (tally.canTake(use)) tally.take(use)
  }
  const names = new Map(areas.map(({ id, name }) => [id, name]))
  return {
    weeks,
    considered: Math.min(newcomers.length, ridersMax),
    isCut: newcomers.length > ridersMax,
    ...tally.result(names),
  }
}
