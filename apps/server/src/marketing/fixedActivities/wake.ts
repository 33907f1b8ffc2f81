import { sql } from 'kysely'
import { fixedTermsSchema, wakeWindowDays, type FixedTerms } from '@saddle/contract/marketing/fixedActivities.ts'
import { businessDayOf, dayMs, hourMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Rewards } from '../rewards/rewards.ts'
import { isWithinTime, runningActivities, type Running } from '../taskActivities/running.ts'
import { dayNumber } from './rules.ts'

const ridersAtOnce = 500
/** Pages of a turn and activity. */
const pagesMax = 40
const companiesMax = 1_000

const agentRow = rowOf('activity', 'a', ['agent_id'])
const idleRow = rowsOf(
  rowOf('rider', 'r', ['id', 'last_active_at']),
  rowOfValues({ rode_at: computed('timestamptz?', sql`o.ended_at`) }),
)

type Page = { readonly at: Date; readonly id: number }

/**
 * Gives riders who have not ridden for some days what wakes them, once in each time that they are away. Safe on several
 * servers at once: a reward is given once. Resolves to the number of riders.
 */
export async function wakeRiders({ db, clock }: Pick<Kit, 'db' | 'clock'>, rewards: Rewards): Promise<number> {
  const now = clock.now()
  const activities = await db.system(async (tx) => {
    const { rows } = await agentRow.select`
      from activity a where a.kind = 'fixed' and a.state = 'on' order by a.agent_id limit ${companiesMax}`.execute(tx)
    const agentIds = [...new Set(rows.map((row) => row.agent_id))]
    const running = await runningActivities(tx, { agentIds, kind: 'fixed', terms: fixedTermsSchema })
    return running.filter(({ common, terms }) => terms.event === 'wake' && isWithinTime(common, now))
  })
  let woken = 0
  for (const activity of activities) {
    let after: Page | null = null
    for (let page = 0; page < pagesMax; page += 1) {
      const done: { given: number; last: Page | null } = await db.system((tx) =>
        wakePage(tx, rewards, { activity, now, after }),
      )
      woken += done.given
      after = done.last
      if (after === null) break
    }
  }
  return woken
}

type Asked = { readonly activity: Running<FixedTerms>; readonly now: number; readonly after: Page | null }

async function wakePage(tx: Tx, rewards: Rewards, asked: Asked): Promise<{ given: number; last: Page | null }> {
  const { activity, now, after } = asked
  const { id: activityId, agentId, version, terms } = activity
  const until = new Date(now - terms.idleDays * dayMs)
  const from = new Date(until.getTime() - wakeWindowDays * dayMs)
  const again = new Date(now - terms.againDays * dayMs)
  // A rider who opens the app is active, but does not ride: only what is older than the last ride counts.
  const { rows } = await idleRow.select`
    from rider r
    cross join lateral (
      select max(o.ended_at) as ended_at from ride_order o where o.rider_id = r.id and o.agent_id = ${agentId}) o
    where r.agent_id = ${agentId} and r.closed_at is null and not r.banned and r.last_active_at >= ${from}
      and (${after?.at ?? null}::timestamptz is null
        or (r.last_active_at, r.id) > (${after?.at ?? null}::timestamptz, ${after?.id ?? 0}::bigint))
      and o.ended_at is not null and o.ended_at < ${until} and o.ended_at >= ${from}
      and not exists (select from reward w where w.rider_id = r.id and w.activity_id = ${activityId}
        and w.cause_kind = 'wake' and w.granted_at > ${again})
    order by r.last_active_at, r.id limit ${ridersAtOnce}`.execute(tx)
  let given = 0
  for (const row of rows) {
    if (activity.leavesOut(row.id) || row.rode_at === null) continue
    const at = new Date(now)
    const { outcome } = await rewards.grant(tx, {
      agentId,
      riderId: row.id,
      activityId,
      version,
      rewards: terms.rewards,
      cause: { kind: 'wake', id: dayNumber(businessDayOf(row.rode_at.getTime())) },
      at,
      dueAt: new Date(now + terms.delayHours * hourMs),
      isLater: true,
    })
    if (outcome === 'pending') given += 1
  }
  const end = rows.at(-1)
  const last = end === undefined || rows.length < ridersAtOnce ? null : { at: end.last_active_at, id: end.id }
  return { given, last }
}
