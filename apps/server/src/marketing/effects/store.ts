import { sql, type RawBuilder } from 'kysely'
import { effectDays, effectRiderList, type EffectArm, type EffectSubject } from '@saddle/contract/marketing/effects.ts'
import { holdoutBuckets, holdoutKey } from '@saddle/contract/marketing/holdout.ts'
import { addDays, businessDayOf, dayMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tableList } from '#kit/list/tableList.ts'
import { joinLargeSets } from '../segments/store.ts'
import type { ArmSums } from './rules.ts'

/** What is measured: the riders of both groups, and the costs. */
export type Measured = {
  readonly treated: { readonly rides: ArmSums; readonly cents: ArmSums }
  readonly heldOut: { readonly rides: ArmSums; readonly cents: ArmSums }
  readonly costCents: number
  readonly from: number | null
  readonly to: number | null
}

/** An activity that goes on longer is measured over its first days. */
const activityDaysMax = 366

const nothing: ArmSums = { n: 0, y: 0, yy: 0, x: 0, xx: 0, xy: 0 }

/** Sums are exact in whole numbers; the products of cents exceed 2^53 only beyond any company. */
const total = (expression: RawBuilder<unknown>) => computed('double precision', sql`coalesce(sum(${expression}), 0)`)
const armRow = rowOfValues({
  is_held_out: computed('boolean', sql`a.is_held_out`),
  n: computed('bigint', sql`count(*)`),
  ry: total(sql`a.ry::float8`),
  ryy: total(sql`a.ry::float8 * a.ry`),
  rx: total(sql`a.rx::float8`),
  rxx: total(sql`a.rx::float8 * a.rx`),
  rxy: total(sql`a.rx::float8 * a.ry`),
  cy: total(sql`a.cy::float8`),
  cyy: total(sql`a.cy::float8 * a.cy`),
  cx: total(sql`a.cx::float8`),
  cxx: total(sql`a.cx::float8 * a.cx`),
  cxy: total(sql`a.cx::float8 * a.cy`),
})

/**
 * Sums over the riders of each group. `population` names rider, group and the day on which the rider was reached: what they
 * rode from then on, and what they rode before. A day counts whole in both groups.
 */
async function sumArms(
  tx: Tx,
  asked: {
    readonly agentId: number
    readonly population: RawBuilder<unknown>
    /** The first day on which anybody was reached. */
    readonly firstDay: string
    /** Days that count for each rider, from the one on which they were reached. */
    readonly days: number
    /** No day from here on counts. */
    readonly until: string
  },
): Promise<Pick<Measured, 'treated' | 'heldOut'>> {
  const { agentId, population, firstDay, days, until } = asked
  await joinLargeSets(tx)
  const { rows } = await armRow
    .query(
      (list) => sql`
      with reached as materialized (${population}),
      ridden as (
        select d.rider_id, sum(d.rides) filter (where d.day >= n.day) as ry, sum(d.rides) filter (where d.day < n.day) as rx,
          sum(d.cents) filter (where d.day >= n.day) as cy, sum(d.cents) filter (where d.day < n.day) as cx
        from rider_day d join reached n on n.rider_id = d.rider_id
        where d.agent_id = ${agentId} and d.day >= ${addDays(firstDay, -effectDays)}::date
          and d.day < ${until}::date
          and d.day >= n.day - ${effectDays}::integer and d.day < n.day + ${days}::integer
        group by d.rider_id
      ),
      a as (
        select n.is_held_out, coalesce(d.ry, 0) as ry, coalesce(d.rx, 0) as rx, coalesce(d.cy, 0) as cy,
          coalesce(d.cx, 0) as cx
        from reached n left join ridden d on d.rider_id = n.rider_id
      )
      select ${list} from a group by a.is_held_out`,
    )
    .execute(tx)
  const armOf = (isHeldOut: boolean) => {
    const row = rows.find((one) => one.is_held_out === isHeldOut)
    if (row === undefined) return { rides: nothing, cents: nothing }
    const { n } = row
    return {
      rides: { n, y: row.ry, yy: row.ryy, x: row.rx, xx: row.rxx, xy: row.rxy },
      cents: { n, y: row.cy, yy: row.cyy, x: row.cx, xx: row.cxx, xy: row.cxy },
    }
  }
  return { treated: armOf(false), heldOut: armOf(true) }
}

const campaignRow = rowsOf(
  rowOf('campaign', 'c', ['agent_id', 'batch_id', 'started_at', 'ended_at']),
  rowOfValues({
    cost_cents: computed(
      'bigint',
      sql`coalesce((select sum(k.saved_cents) from coupon k
        where k.batch_id = c.batch_id and k.agent_id = c.agent_id and k.state = 'used'
          and k.used_at < k.issued_at + ${effectDays} * interval '1 day'), 0)`,
    ),
  }),
)

async function measureCampaign(
  tx: Tx,
  { id, scope, now }: { id: number; scope: Pick<Scope, 'agentIds'>; now: number },
): Promise<Measured | null> {
  const { rows } = await campaignRow.select`
    from campaign c where c.id = ${id} and c.agent_id = any (${scope.agentIds}::bigint[])`.execute(tx)
  const [campaign] = rows
  if (campaign === undefined) return null
  const { agent_id: agentId, cost_cents: costCents } = campaign
  const startedAt = campaign.started_at?.getTime()
  const none = { rides: nothing, cents: nothing }
  if (startedAt === undefined) return { treated: none, heldOut: none, costCents, from: null, to: null }
  const lastAt = campaign.ended_at?.getTime() ?? now
  const arms = await sumArms(tx, {
    agentId,
    population: sql`
      select n.rider_id, n.outcome = 'held_out' as is_held_out, (n.at at time zone 'Asia/Shanghai')::date as day
      from campaign_rider n
      where n.campaign_id = ${id} and n.agent_id = ${agentId} and n.outcome in ('sent', 'held_out')`,
    firstDay: businessDayOf(startedAt),
    days: effectDays,
    until: addDays(businessDayOf(lastAt), effectDays),
  })
  return { ...arms, costCents, from: startedAt, to: Math.min(now, lastAt + effectDays * dayMs) }
}

export const measure = (
  tx: Tx,
  { of, ...asked }: { of: EffectSubject; id: number; scope: Pick<Scope, 'agentIds'>; now: number },
): Promise<Measured | null> => (of === 'campaign' ? measureCampaign(tx, asked) : measureActivity(tx, asked))

const activityRow = rowOf('activity', 'a', [
  'id',
  'agent_id',
  'starts_at',
  'ends_at',
  'holdout_percent',
  'used_cents',
  'area_ids',
])

/** Whose rides an activity is measured by, and over which days. */
type ActivityPopulation = {
  readonly agentId: number
  readonly costCents: number
  readonly areaIds: readonly number[]
  readonly startedAt: number
  readonly endedAt: number
  /** Buckets of the control group of the company, and of the riders that the activity holds out. */
  readonly control: { readonly key: number; readonly below: number }
  readonly heldOut: { readonly key: number; readonly below: number }
}

/** Null where the scope has no such activity. */
export async function readPopulation(
  tx: Tx,
  { id, scope, now }: { id: number; scope: Pick<Scope, 'agentIds'>; now: number },
): Promise<ActivityPopulation | null> {
  const { rows } = await activityRow.select`
    from activity a where a.id = ${id} and a.agent_id = any (${scope.agentIds}::bigint[])`.execute(tx)
  const [activity] = rows
  if (activity === undefined) return null
  const { agent_id: agentId } = activity
  const setting = await tx
    .selectFrom('marketing_setting')
    .select('control_percent')
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  const buckets = holdoutBuckets / 100
  return {
    agentId,
    costCents: activity.used_cents,
    areaIds: activity.area_ids,
    startedAt: activity.starts_at.getTime(),
    endedAt: Math.min(now, activity.ends_at?.getTime() ?? now),
    control: {
      key: holdoutKey({ agentId, id: 0, of: 'control' }),
      below: (setting?.control_percent ?? 0) * buckets,
    },
    heldOut: { key: holdoutKey({ agentId, id }), below: activity.holdout_percent * buckets },
  }
}

/** Nobody is compared before the activity begins, or where it holds nobody out. */
const isMeasured = ({ startedAt, endedAt, heldOut }: ActivityPopulation): boolean =>
  heldOut.below > 0 && startedAt <= endedAt

const isBelow = ({ key, below }: ActivityPopulation['control'], rider: RawBuilder<unknown>) =>
  sql`holdout_bucket(${key}, ${rider}) < ${below}`

/** Rides in the areas of the activity in the days before it began. */
const rodeBefore = ({ agentId, areaIds, startedAt }: ActivityPopulation): RawBuilder<unknown> => {
  const firstDay = businessDayOf(startedAt)
  return sql`d.agent_id = ${agentId} and d.day >= ${addDays(firstDay, -effectDays)}::date and d.day < ${firstDay}::date
    and (cardinality(${areaIds}::bigint[]) = 0 or d.last_area_id = any (${areaIds}::bigint[]))`
}

/** Where it is for all areas: riders `r` who registered since. */
const cameSince = ({ agentId, areaIds, startedAt, endedAt }: ActivityPopulation): RawBuilder<unknown> =>
  sql`r.agent_id = ${agentId} and cardinality(${areaIds}::bigint[]) = 0
    and r.created_at >= ${new Date(startedAt)} and r.created_at < ${new Date(endedAt)}`

/**
 * The riders of an activity: those who rode in its areas in the days before it began, and where it is for all areas those
 * who registered since. Neither depends on the activity, so its groups differ by chance alone.
 */
async function measureActivity(
  tx: Tx,
  asked: { id: number; scope: Pick<Scope, 'agentIds'>; now: number },
): Promise<Measured | null> {
  const of = await readPopulation(tx, asked)
  if (of === null) return null
  const { agentId, costCents, startedAt, endedAt } = of
  const none = { rides: nothing, cents: nothing }
  if (!isMeasured(of)) return { treated: none, heldOut: none, costCents, from: null, to: null }
  const firstDay = businessDayOf(startedAt)
  const arms = await sumArms(tx, {
    agentId,
    population: sql`
      select m.rider_id, ${isBelow(of.heldOut, sql`m.rider_id`)} as is_held_out, max(m.day) as day
      from (
        select distinct d.rider_id, ${firstDay}::date as day from rider_day d where ${rodeBefore(of)}
        union all
        select r.id, (r.created_at at time zone 'Asia/Shanghai')::date from rider r where ${cameSince(of)}
      ) m
      where not ${isBelow(of.control, sql`m.rider_id`)}
      group by m.rider_id`,
    firstDay,
    days: activityDaysMax,
    until: addDays(businessDayOf(endedAt), 1),
  })
  return { ...arms, costCents, from: startedAt, to: endedAt }
}

/** That the rider `r` is in a group of an activity: the riders that `measureActivity` counts there. */
function inArm(of: ActivityPopulation, arm: EffectArm): RawBuilder<unknown> {
  if (!isMeasured(of)) return sql`false`
  const heldOut = isBelow(of.heldOut, sql`r.id`)
  return sql`not ${isBelow(of.control, sql`r.id`)} and ${arm === 'heldOut' ? heldOut : sql`not ${heldOut}`}
    and (exists (select from rider_day d where d.rider_id = r.id and ${rodeBefore(of)}) or ${cameSince(of)})`
}

/** The rows of riders that are compared; their days are those of the activity. */
function riderColumnsOf({ startedAt, endedAt }: Pick<ActivityPopulation, 'startedAt' | 'endedAt'>) {
  const firstDay = businessDayOf(startedAt)
  const reached = sql`greatest(${firstDay}::date, (r.created_at at time zone 'Asia/Shanghai')::date)`
  const until = addDays(businessDayOf(endedAt), 1)
  const sumOf = (column: 'rides' | 'cents', days: RawBuilder<unknown>) =>
    computed(
      'bigint',
      sql`(select coalesce(sum(${sql.ref(`d.${column}`)}), 0) from rider_day d
        where d.rider_id = r.id and d.agent_id = r.agent_id and ${days})`,
    )
  const during = sql`d.day >= ${reached} and d.day < ${reached} + ${activityDaysMax}::integer and d.day < ${until}::date`
  const before = sql`d.day >= ${addDays(firstDay, -effectDays)}::date and d.day >= ${reached} - ${effectDays}::integer
    and d.day < ${reached}`
  return rowsOf(
    rowOf('rider', 'r', ['id', 'agent_id', 'phone_sealed', 'phone_hash', 'created_at as registered_at']),
    rowOfValues({ rides_before: sumOf('rides', before), rides: sumOf('rides', during), cents: sumOf('cents', during) }),
  )
}
export const presentEffectRider = riderColumnsOf({ startedAt: 0, endedAt: 0 }).present

const ridersOf = (of: ActivityPopulation) =>
  tableList(effectRiderList, {
    table: 'rider',
    alias: 'r',
    tenant: 'agent',
    columns: riderColumnsOf(of),
    sorts: { registered: ['created_at', 'instant'] },
    find: ({ arm }, population: ActivityPopulation) => ({ narrowed: [inArm(population, arm)] }),
  })
type EffectRiderRows = ReturnType<typeof ridersOf>
type EffectRiderQuery = Parameters<EffectRiderRows['select']>[0]

const emptyPopulation: ActivityPopulation = {
  agentId: 0,
  costCents: 0,
  areaIds: [],
  startedAt: 0,
  endedAt: 0,
  control: { key: 0, below: 0 },
  heldOut: { key: 0, below: 0 },
}

/** The riders of one group. Their columns depend on the days of the activity that the call has read. */
export const effectRiderRows: EffectRiderRows = {
  ...ridersOf(emptyPopulation),
  select: (query: EffectRiderQuery) => ridersOf(query.params).select(query),
}
