import { sql } from 'kysely'
import { taskTermsSchema, type TaskTerms } from '@saddle/contract/marketing/taskActivities.ts'
import { businessDayOf, hourMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { lockAllRiders } from '../coupons/issue.ts'
import type { Fact } from '../facts/facts.ts'
import type { Rewards } from '../rewards/rewards.ts'
import { amountOf, causeOfLevel, counts, levelAt, roundAt } from './rules.ts'
import { paidRides, runningActivities, type PaidRide, type Running } from './running.ts'

/** Counts rides in custom activities, gives what a level gives, and takes back what a refunded ride had counted for. */

const refundReason = '骑行订单已全额退款'

type Activity = Running<TaskTerms>
type Candidate = {
  readonly activity: Activity
  readonly ride: PaidRide
  readonly beginsOn: string
  readonly endsOn: string
  readonly amount: number
}

export async function countRides(tx: Tx, rewards: Rewards, facts: readonly Fact[]): Promise<void> {
  const ids = (kind: Fact['kind']): number[] =>
    facts.filter((fact) => fact.kind === kind).map((fact) => fact.subject_id)
  const rides = await paidRides(tx, ids('ride_paid'))
  const agentIds = [...new Set(facts.map((fact) => fact.agent_id))].toSorted((a, b) => a - b)
  const activities = await runningActivities(tx, { agentIds, kind: 'task', terms: taskTermsSchema })
  const touched = new Set(await takeBack(tx, ids('ride_refunded')))
  for (const id of await addRides(tx, candidatesOf(activities, rides))) touched.add(id)
  const at = new Date(Math.max(...facts.map((fact) => fact.at.getTime())))
  await settle(tx, rewards, { progressIds: [...touched], at })
}

function candidatesOf(activities: readonly Activity[], rides: readonly PaidRide[]): Candidate[] {
  return rides.flatMap((ride) =>
    activities.flatMap((activity) => {
      const { agentId, common, terms } = activity
      if (agentId !== ride.agentId || !counts(activity, ride) || activity.leavesOut(ride.riderId)) return []
      const amount = amountOf(terms.measure, ride)
      if (amount === 0) return []
      const round = roundAt({ startsAt: common.startsAt, days: terms.days }, ride.endedAt)
      return [{ activity, ride, ...round, amount }]
    }),
  )
}

const takenRow = rowOf('task_ride', ['progress_id'])

/** Counts refunded rides no more. Answers with the rounds that they had counted in. */
async function takeBack(tx: Tx, orderIds: readonly number[]): Promise<number[]> {
  if (orderIds.length === 0) return []
  const { rows } = await takenRow.returning`
    update task_ride set taken_back = true
    where order_id = any (${orderIds}::bigint[]) and not taken_back`.execute(tx)
  return rows.map((row) => row.progress_id)
}

const progressRow = rowOf('task_progress', 'p', ['id', 'activity_id', 'rider_id', 'begins_on'])

/** Adds rides to the rounds of their riders, once. Answers with the rounds. */
async function addRides(tx: Tx, found: readonly Candidate[]): Promise<number[]> {
  const candidates = await withoutLaterRounds(tx, found)
  if (candidates.length === 0) return []
  const keyOf = (activityId: number, riderId: number, day: string): string => `${activityId} ${riderId} ${day}`
  const rounds = [
    ...new Map(
      candidates.map((one) => [keyOf(one.activity.id, one.ride.riderId, one.beginsOn), one] as const),
    ).values(),
  ].toSorted((a, b) => a.activity.id - b.activity.id || a.ride.riderId - b.ride.riderId)
  const { rows } = await progressRow.returning`
    insert into task_progress as p (agent_id, activity_id, rider_id, begins_on, ends_on, value, changed_at)
    select * from unnest(${rounds.map(({ ride }) => ride.agentId)}::bigint[],
      ${rounds.map(({ activity }) => activity.id)}::bigint[], ${rounds.map(({ ride }) => ride.riderId)}::bigint[],
      ${rounds.map(({ beginsOn }) => beginsOn)}::date[], ${rounds.map(({ endsOn }) => endsOn)}::date[],
      ${rounds.map(() => 0)}::bigint[], ${rounds.map(({ ride }) => new Date(ride.endedAt))}::timestamptz[])
    on conflict on constraint task_progress_once do update set ends_on = excluded.ends_on`.execute(tx)
  const ids = new Map(rows.map((row) => [keyOf(row.activity_id, row.rider_id, row.begins_on), row.id]))
  const idOf = ({ activity, ride, beginsOn }: Candidate): number =>
    ids.get(keyOf(activity.id, ride.riderId, beginsOn)) ?? 0
  const { rows: added } = await takenRow.returning`
    insert into task_ride (activity_id, order_id, agent_id, progress_id, day, amount)
    select * from unnest(${candidates.map(({ activity }) => activity.id)}::bigint[],
      ${candidates.map(({ ride }) => ride.orderId)}::bigint[], ${candidates.map(({ ride }) => ride.agentId)}::bigint[],
      ${candidates.map(idOf)}::bigint[], ${candidates.map(({ ride }) => businessDayOf(ride.endedAt))}::date[],
      ${candidates.map(({ amount }) => amount)}::bigint[])
    on conflict do nothing`.execute(tx)
  return added.map((row) => row.progress_id)
}

/** Of activities that do not repeat, only the first round in which a rider rides. */
async function withoutLaterRounds(tx: Tx, candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
  const single = candidates.filter(({ activity }) => !activity.terms.repeats)
  if (single.length === 0) return candidates
  const { rows } = await progressRow.select`
    from task_progress p
    where p.activity_id = any (${[...new Set(single.map(({ activity }) => activity.id))]}::bigint[])
      and p.rider_id = any (${[...new Set(single.map(({ ride }) => ride.riderId))]}::bigint[])`.execute(tx)
  const first = new Map<string, string>()
  const note = (key: string, day: string): void => {
    const known = first.get(key)
    if (known === undefined || day < known) first.set(key, day)
  }
  for (const row of rows) note(`${row.activity_id} ${row.rider_id}`, row.begins_on)
  const keyOf = ({ activity, ride }: Candidate): string => `${activity.id} ${ride.riderId}`
  for (const one of single) if (!first.has(keyOf(one))) note(keyOf(one), one.beginsOn)
  return candidates.filter((one) => one.activity.terms.repeats || first.get(keyOf(one)) === one.beginsOn)
}

const settledRow = rowsOf(
  rowOf('task_progress', 'p', ['id', 'agent_id', 'activity_id', 'rider_id', 'value', 'level']),
  rowOf('activity', 'a', ['version']),
  rowOf('activity_version', 'v', ['terms']),
  rowOfValues({
    amount: computed('bigint', sql`coalesce(r.amount, 0)`),
    days: computed('bigint', sql`coalesce(r.days, 0)`),
  }),
)

/** Writes how far rounds are now, gives the levels that are new and takes pending rewards of lost ones back. */
async function settle(
  tx: Tx,
  rewards: Rewards,
  { progressIds, at }: { readonly progressIds: readonly number[]; readonly at: Date },
): Promise<void> {
  if (progressIds.length === 0) return
  const { rows } = await settledRow.select`
    from task_progress p join activity a on a.id = p.activity_id
    join activity_version v on v.activity_id = a.id and v.version = a.version
    cross join lateral (
      select sum(t.amount) as amount, count(distinct t.day) as days from task_ride t
      where t.progress_id = p.id and not t.taken_back) r
    where p.id = any (${progressIds}::bigint[]) order by p.id`.execute(tx)
  await lockAllRiders(
    tx,
    rows.map((row) => row.rider_id),
  )
  for (const row of rows) {
    const terms = taskTermsSchema.parse(row.terms)
    const value = terms.measure === 'days' ? row.days : row.amount
    const level = levelAt(terms.levels, value)
    await sql`
      update task_progress set value = ${value}, level = ${level}, changed_at = ${at} where id = ${row.id}`.execute(tx)
    await giveLevels(tx, rewards, { row, terms, level, at })
  }
}

async function giveLevels(
  tx: Tx,
  rewards: Rewards,
  { row, terms, level, at }: { row: RowOf<typeof settledRow>; terms: TaskTerms; level: number; at: Date },
): Promise<void> {
  const { agent_id: agentId, rider_id: riderId, activity_id: activityId, version } = row
  const causeOf = (n: number) => ({ kind: 'level', id: causeOfLevel(row.id, n) }) as const
  const dueAt = new Date(at.getTime() + terms.delayHours * hourMs)
  for (let n = row.level + 1; n <= level; n += 1) {
    const given = terms.levels[n - 1]?.rewards ?? []
    await rewards.grant(tx, {
      agentId,
      riderId,
      activityId,
      version,
      rewards: given,
      cause: causeOf(n),
      at,
      dueAt,
      isLater: true,
    })
  }
  for (let n = level + 1; n <= row.level; n += 1) {
    await rewards.revoke(tx, {
      agentId,
      cause: causeOf(n),
      riderId,
      isPendingOnly: true,
      at,
      by: null,
      reason: refundReason,
    })
  }
}
