import { sql, type RawBuilder } from 'kysely'
import {
  activityCommonSchema,
  activityKinds,
  activityPages,
  activityWarnPercent,
  type ActivityCommon,
  type ActivityKind,
  type ActivityRefusal,
} from '@saddle/contract/marketing/activities.ts'
import { isControl, isHeldOut } from '@saddle/contract/marketing/holdout.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import type { z } from 'zod'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { unnest } from '#kit/db/unnest.ts'
import { tell } from '#notices/public.ts'
import { controlPercentOf } from '../holdout/holdout.ts'
import { lockDevices, ridersOnDevices } from '../sharedDevices.ts'
import { isUsedUp } from '../usedUp.ts'

/** Activities of one kind that a company may have in force at a time; of more the oldest count. */
const inForceMax = 50

type Cause = { readonly kind: string; readonly id: number }
export type ActivityInForce<Terms> = {
  readonly id: number
  readonly version: number
  readonly common: ActivityCommon
  readonly terms: Terms
  readonly usedCents: number
  readonly uses: number
  /** Why the rider cannot use it now; null where no rider was named. */
  readonly why: Extract<ActivityRefusal, 'rider_cap' | 'rider_day_cap' | 'device_cap'> | null
}

const usesOfDay = (activityId: RawBuilder<unknown>, riderId: number, at: Date) => sql`
  (select count(*) from activity_use u where u.activity_id = ${activityId} and u.rider_id = ${riderId}
    and u.day = ${businessDayOf(at.getTime())}::date and u.given_back_at is null)`

/** Uses by riders on one of the rider's telephones: the most of any of them. */
const usesOfDevice = (agentId: number, riderId: number) => sql`
  case when a.device_uses is null then 0 else (
    select coalesce(max(n.count), 0) from (
      select count(*) from ${ridersOnDevices({ agentId, riderId })} d
      join activity_use u on u.activity_id = a.id and u.rider_id = d.rider_id and u.given_back_at is null
      group by d.device_hash
    ) n
  ) end`

const inForceRow = (agentId: number, riderId: number, at: Date) =>
  rowsOf(
    rowOf('activity', 'a', [
      'id',
      'version',
      'rider_uses',
      'rider_day_uses',
      'device_uses',
      'used_cents',
      'uses',
      'holdout_percent',
    ]),
    rowOf('activity_version', 'v', ['common', 'terms']),
    rowOfValues({
      used_by_rider: computed(
        'bigint',
        sql`coalesce((select r.uses from activity_rider r where r.activity_id = a.id and r.rider_id = ${riderId}), 0)`,
      ),
      used_today: computed(
        'bigint',
        sql`case when a.rider_day_uses is null then 0 else ${usesOfDay(sql`a.id`, riderId, at)} end`,
      ),
      used_on_device: computed('bigint', usesOfDevice(agentId, riderId)),
      control_percent: computed('bigint', controlPercentOf(agentId)),
    }),
  )

/** Whether an activity is switched on and within its time, whatever is left of its budget. */
export const isTimely = (at: Date) =>
  sql`(a.state = 'on' and a.starts_at <= ${at} and (a.ends_at is null or a.ends_at > ${at}))`
const isRunning = (at: Date) => sql`${isTimely(at)} and a.dry_at is null`

/**
 * The activities of a kind that run at a moment. With `riderId` it leaves out those that hold this rider out (all of them for
 * the company's control group), and says which the rider has used up.
 */
export async function inForce<Terms>(
  tx: Tx,
  asked: {
    readonly agentId: number
    readonly kind: ActivityKind
    readonly terms: z.ZodType<Terms>
    readonly at: Date
    readonly riderId?: number
  },
): Promise<ActivityInForce<Terms>[]> {
  const { agentId, kind, terms, at, riderId } = asked
  const { rows } = await inForceRow(agentId, riderId ?? 0, at).select`
    from activity a join activity_version v on v.activity_id = a.id and v.version = a.version
    where a.agent_id = ${agentId} and a.kind = ${kind} and ${isRunning(at)}
    order by a.id limit ${inForceMax}`.execute(tx)
  const [first] = rows
  if (first === undefined) return []
  if (riderId !== undefined && isControl({ agentId, riderId, percent: first.control_percent })) return []
  const isGiven = ({ id, holdout_percent: percent }: { id: number; holdout_percent: number }): boolean =>
    riderId === undefined || !isHeldOut({ agentId, id, percent, riderId })
  return rows.filter(isGiven).map((row) => ({
    id: row.id,
    version: row.version,
    common: activityCommonSchema.parse(row.common),
    terms: terms.parse(row.terms),
    usedCents: row.used_cents,
    uses: row.uses,
    why: whyUsedUp(row),
  }))
}

function whyUsedUp(row: {
  readonly rider_uses: number | null
  readonly rider_day_uses: number | null
  readonly device_uses: number | null
  readonly used_by_rider: number
  readonly used_today: number
  readonly used_on_device: number
}) {
  if (row.rider_uses !== null && row.used_by_rider >= row.rider_uses) return 'rider_cap'
  if (row.rider_day_uses !== null && row.used_today >= row.rider_day_uses) return 'rider_day_cap'
  return row.device_uses !== null && row.used_on_device >= row.device_uses ? 'device_cap' : null
}

const limitsRow = ({ agentId, riderId, at, cause }: Use) =>
  rowsOf(
    rowOf('activity', 'a', ['rider_uses', 'rider_day_uses', 'device_uses']),
    rowOf('activity_rider', 'r', ['uses as used_by_rider']),
    rowOfValues({
      used_today: computed('bigint', sql`${usesOfDay(sql`a.id`, riderId, at)}`),
      used_on_device: computed('bigint', usesOfDevice(agentId, riderId)),
      is_taken: computed(
        'boolean',
        sql`exists (select from activity_use u where u.activity_id = a.id and u.rider_id = ${riderId}
          and u.cause_kind = ${cause.kind} and u.cause_id = ${cause.id} and u.given_back_at is null)`,
      ),
    }),
  )
export const reachedRow = rowOf('activity', 'a', [
  'id',
  'agent_id',
  'kind',
  'name',
  'version',
  'warned_at',
  'dry_at',
]).codes({
  kind: activityKinds,
})
const deviceLimitRow = rowOfValues({
  device_uses: computed('bigint?', sql`select a.device_uses from activity a where a.id = r.activity_id`),
})

export type Use = {
  readonly activityId: number
  readonly agentId: number
  readonly riderId: number
  /** What the use costs. */
  readonly cents: number
  readonly at: Date
  /** What it is used for: once, however often it is asked. */
  readonly cause: Cause
}

/**
 * Takes one use of an activity in the caller's transaction; why not, where a limit is reached or it does not run any more.
 * Uses of one rider wait for each other at the rider's row, and those on one telephone at it where that is limited; the
 * activity itself is locked last and shortest. The statement
 * that uses up its budget stops it, so one that runs has a use left.
 */
export async function takeBudget(tx: Tx, use: Use): Promise<ActivityRefusal | null> {
  const { activityId, agentId, riderId, at } = use
  const { rows: limited } = await deviceLimitRow.returning`
    insert into activity_rider as r (activity_id, rider_id, agent_id, uses, cents)
    values (${activityId}, ${riderId}, ${agentId}, 0, 0)
    on conflict (activity_id, rider_id) do update set uses = r.uses`.execute(tx)
  if (typeof limited[0]?.device_uses === 'number')
    await lockDevices(tx, { of: `activity ${activityId}`, agentId, riderId })
  const { rows } = await limitsRow(use).select`
    from activity a join activity_rider r on r.activity_id = a.id and r.rider_id = ${riderId}
    where a.id = ${activityId} and a.agent_id = ${agentId}`.execute(tx)
  const [limits] = rows
  if (limits === undefined) throw new Error(`there is no activity ${activityId}`)
  if (limits.is_taken) return null
  const why = whyUsedUp(limits)
  if (why !== null) return why
  const [activity] = await countUse(tx, use, limits.used_by_rider === 0)
  if (activity === undefined) return whyNotTaken(tx, { activityId, at })
  await tellReached(tx, activity, at)
  return null
}

/** Counts a use at its activity and its rider and notes it, in one statement; none where the activity has nothing left. */
async function countUse(tx: Tx, use: Use, isFirst: boolean): Promise<RowOf<typeof reachedRow>[]> {
  const { activityId, agentId, riderId, cents, at, cause } = use
  const counted = reachedRow.query(
    (list) => sql`
    with taken as (
      update activity a set uses = a.uses + 1, used_cents = a.used_cents + ${cents}::bigint,
        riders = a.riders + ${isFirst ? 1 : 0}, ${markers({ uses: sql`a.uses + 1`, cents: sql`a.used_cents + ${cents}::bigint`, at })}
      where a.id = ${activityId} and ${isRunning(at)}
        and (a.budget_cents is null or a.used_cents + ${cents}::bigint <= a.budget_cents)
      returning ${list}
    ), counted as (
      update activity_rider set uses = uses + 1, cents = cents + ${cents}::bigint
      from taken a where activity_id = a.id and rider_id = ${riderId}
    ), noted as (
      insert into activity_use (agent_id, activity_id, version, rider_id, cause_kind, cause_id, day, cents, used_at)
      select ${agentId}::bigint, a.id, a.version, ${riderId}::bigint, ${cause.kind}, ${cause.id}::bigint,
        ${businessDayOf(at.getTime())}::date, ${cents}::bigint, ${at}::timestamptz
      from taken a
    )
    select ${list} from taken a`,
  )
  return (await counted.execute(tx)).rows
}

/** Tells who runs an activity that its budget has just reached a mark. */
export async function tellReached(tx: Tx, row: RowOf<typeof reachedRow>, at: Date): Promise<void> {
  const { id, kind, name, agent_id: agentId, dry_at: dryAt, warned_at: warnedAt } = row
  const isNow = (mark: Date | null): boolean => mark?.getTime() === at.getTime()
  if (!isNow(dryAt) && !(dryAt === null && isNow(warnedAt))) return
  const { path, permission } = activityPages[kind]
  const subject = `activity ${id}`
  const common = { agentId, subject, key: `${subject} ${at.getTime()}`, path, codes: [permission], at }
  if (dryAt === null) await tell(tx, { event: 'budget_low', ...common, values: { name, percent: activityWarnPercent } })
  else await tell(tx, { event: 'budget_dry', ...common, values: { name } })
}

/** `marksUnder` for a statement that changes what is used; without `at` marks can fall and none is reached. */
export function markers({ uses, cents, at }: { uses: RawBuilder<unknown>; cents: RawBuilder<unknown>; at: unknown }) {
  const isLow = sql`
    ((${cents}) * 100 >= a.budget_cents * ${activityWarnPercent}::bigint
      or (${uses}) * 100 >= a.budget_uses * ${activityWarnPercent}::bigint)`
  const isDry = isUsedUp({
    budgetCents: sql`a.budget_cents`,
    budgetUses: sql`a.budget_uses`,
    usedCents: cents,
    uses,
  })
  return sql`
    warned_at = case when ${isLow} then coalesce(a.warned_at, ${at}::timestamptz) end,
    dry_at = case when ${isDry} then coalesce(a.dry_at, ${at}::timestamptz) end`
}

const runningRow = (at: Date) => rowOfValues({ is_timely: computed('boolean', isTimely(at)) })

export async function whyNotTaken(
  tx: Tx,
  { activityId, at }: { activityId: number; at: Date },
): Promise<ActivityRefusal> {
  const { rows } = await runningRow(at).select`from activity a where a.id = ${activityId}`.execute(tx)
  return rows[0]?.is_timely === true ? 'budget_spent' : 'not_on'
}

const givenBackRow = rowOf('activity_use', ['activity_id', 'rider_id', 'cents'])
const usedRow = rowOf('activity_use', ['id', 'activity_id', 'rider_id'])

/**
 * Gives back what a cause has used, of one activity or of all and of one rider or of all, once; answers with the number of
 * uses. An activity that was stopped by its budget runs again when there is enough left of it; one that runs is not stopped,
 * though the uses that stay may cost more on average.
 */
export async function giveBackBudget(
  tx: Tx,
  given: {
    readonly agentId: number
    readonly cause: Cause
    readonly at: Date
    readonly activityId?: number
    readonly riderId?: number
  },
): Promise<number> {
  const { agentId, cause, at, activityId, riderId } = given
  const { rows } = await usedRow.select`
    from activity_use
    where cause_kind = ${cause.kind} and cause_id = ${cause.id} and agent_id = ${agentId} and given_back_at is null
      and ${activityId === undefined ? sql`true` : sql`activity_id = ${activityId}`}
      and ${riderId === undefined ? sql`true` : sql`rider_id = ${riderId}`}
    order by activity_id, rider_id`.execute(tx)
  let count = 0
  for (const use of rows) {
    const ofRider = sql`activity_id = ${use.activity_id} and rider_id = ${use.rider_id}`
    // The same order of locks as where it was taken: rider, use, activity.
    await sql`select from activity_rider where ${ofRider} for no key update`.execute(tx)
    const { rows: back } = await givenBackRow.returning`
      update activity_use set given_back_at = ${at} where id = ${use.id} and given_back_at is null`.execute(tx)
    const [own] = back
    if (own === undefined) continue
    count += 1
    await sql`
      with counted as (
        update activity_rider set uses = uses - 1, cents = cents - ${own.cents}::bigint where ${ofRider} returning uses
      )
      update activity a set uses = a.uses - 1, used_cents = a.used_cents - ${own.cents}::bigint,
        riders = a.riders - case when counted.uses = 0 then 1 else 0 end,
        ${markers({ uses: sql`a.uses - 1`, cents: sql`a.used_cents - ${own.cents}::bigint`, at: null })}
      from counted where a.id = ${use.activity_id}`.execute(tx)
  }
  return count
}

/** A use that somebody else has decided on, within the limits. */
export type RecordedUse = Omit<Use, 'at'> & { readonly at: number }

/**
 * Records many uses at once, where one decides on all of them in the order of time, as an import of the past does. The checks
 * of the database hold the budgets; limits of riders are for the caller to keep. A use that is recorded already is left out.
 */
export async function recordUses(tx: Tx, uses: readonly RecordedUse[]): Promise<void> {
  if (uses.length === 0) return
  const given = unnest<RecordedUse>({
    rows: uses,
    alias: 'g',
    columns: {
      activity_id: ['bigint', ({ activityId }) => activityId],
      agent_id: ['bigint', ({ agentId }) => agentId],
      rider_id: ['bigint', ({ riderId }) => riderId],
      cause_kind: ['text', ({ cause }) => cause.kind],
      cause_id: ['bigint', ({ cause }) => cause.id],
      day: ['date', ({ at }) => businessDayOf(at)],
      cents: ['bigint', ({ cents }) => cents],
      used_at: ['timestamptz', ({ at }) => at],
    },
  })
  await sql`
    with added as (
      insert into activity_use (agent_id, activity_id, version, rider_id, cause_kind, cause_id, day, cents, used_at)
      select g.agent_id, g.activity_id, a.version, g.rider_id, g.cause_kind, g.cause_id, g.day, g.cents, g.used_at
      from ${given} join activity a on a.id = g.activity_id and a.agent_id = g.agent_id
      on conflict do nothing returning activity_id, agent_id, rider_id, cents, used_at
    ), of_riders as (
      insert into activity_rider as r (activity_id, rider_id, agent_id, uses, cents)
      select activity_id, rider_id, agent_id, count(*), sum(cents) from added group by activity_id, rider_id, agent_id
      on conflict (activity_id, rider_id) do update set uses = r.uses + excluded.uses, cents = r.cents + excluded.cents
      returning activity_id, xmax = 0 as is_new
    ), sums as (
      select u.activity_id, count(*) as uses, sum(u.cents)::bigint as cents, max(u.used_at) as last_at,
        (select count(*) from of_riders r where r.activity_id = u.activity_id and r.is_new) as riders
      from added u group by u.activity_id
    )
    update activity a set uses = a.uses + s.uses, used_cents = a.used_cents + s.cents, riders = a.riders + s.riders,
      ${markers({ uses: sql`a.uses + s.uses`, cents: sql`a.used_cents + s.cents`, at: sql`s.last_at` })}
    from sums s where a.id = s.activity_id`.execute(tx)
}
