import { sql } from 'kysely'
import type { ActivityRefusal } from '@saddle/contract/marketing/activities.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { isTimely, markers, reachedRow, takeBudget, tellReached, whyNotTaken, type Use } from './budget.ts'

/** Parts of a use: an occasion that gives several rewards is one use, and each of them may fall alone. */

type Share = Pick<Use, 'activityId' | 'agentId' | 'riderId' | 'cents' | 'cause' | 'at'>

const useRow = rowOf('activity_use', 'u', ['id', 'cents'])
const versionRow = rowOf('activity', ['version'])

/** Locks what riders have used of activities, and these, in the order in which uses are taken. */
export async function lockBudgets(
  tx: Tx,
  budgets: readonly { readonly activityId: number; readonly riderId: number }[],
): Promise<void> {
  const [activityIds, riderIds] = [budgets.map((one) => one.activityId), budgets.map((one) => one.riderId)]
  await sql`
    select from activity_rider r
    where (r.activity_id, r.rider_id) in (select * from unnest(${activityIds}::bigint[], ${riderIds}::bigint[]))
    order by r.activity_id, r.rider_id for no key update`.execute(tx)
  await sql`
    select from activity where id = any (${activityIds}::bigint[]) order by id for no key update`.execute(tx)
}

/** The open use of a cause, with the row of its rider locked as `takeBudget` locks it. */
async function lockUse(tx: Tx, { activityId, agentId, riderId, cause }: Share) {
  await sql`
    select from activity_rider where activity_id = ${activityId} and rider_id = ${riderId} for no key update`.execute(
    tx,
  )
  const { rows } = await useRow.select`
    from activity_use u
    where u.activity_id = ${activityId} and u.rider_id = ${riderId} and u.agent_id = ${agentId}
      and u.cause_kind = ${cause.kind} and u.cause_id = ${cause.id} and u.given_back_at is null`.execute(tx)
  return rows[0]
}

/**
 * Adds to the cents of a use, of its rider and of its activity; the activity runs out or runs again by what is used now.
 * Resolves to the activity, by which its marks are told of.
 */
async function changeCents(tx: Tx, useId: number, { activityId, riderId, at }: Share, cents: number) {
  const used = sql`a.used_cents + ${cents}::bigint`
  const { rows } = await reachedRow.returning`
    with of_use as (
      update activity_use set cents = cents + ${cents}::bigint where id = ${useId}
    ), of_rider as (
      update activity_rider set cents = cents + ${cents}::bigint
      where activity_id = ${activityId} and rider_id = ${riderId}
    )
    update activity a set used_cents = ${used}, ${markers({ uses: sql`a.uses`, cents: used, at })}
    where a.id = ${activityId}`.execute(tx)
  return rows[0]
}

/** Gives back a part of what a cause has used, and never more than it has; the use itself stays. */
export async function giveBackShare(tx: Tx, share: Share): Promise<void> {
  const use = await lockUse(tx, share)
  const cents = Math.min(share.cents, use?.cents ?? 0)
  if (use !== undefined && cents > 0) await changeCents(tx, use.id, share, -cents)
}

/** Takes a part again: more of the use that the cause has, or a new use. Why not, where the activity has not so much left. */
export async function takeShare(tx: Tx, share: Share): Promise<ActivityRefusal | null> {
  const { activityId, cents, at } = share
  const use = await lockUse(tx, share)
  if (use === undefined) return takeBudget(tx, share)
  // The use is counted already: an activity whose uses are all taken may still give more money for this one.
  const { rows } = await versionRow.select`
    from activity a where a.id = ${activityId} and ${isTimely(at)}
      and (a.budget_cents is null or a.used_cents + ${cents}::bigint <= a.budget_cents)
    for no key update of a`.execute(tx)
  if (rows.length === 0) return whyNotTaken(tx, { activityId, at })
  const activity = await changeCents(tx, use.id, share, cents)
  if (activity !== undefined) await tellReached(tx, activity, at)
  return null
}
