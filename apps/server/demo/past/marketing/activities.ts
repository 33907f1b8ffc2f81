import { sql } from 'kysely'
import {
  activityCommonSchema,
  type ActivityCommon,
  type ActivityKind,
  type ActivityState,
} from '@saddle/contract/marketing/activities.ts'
import { businessDayOf, businessDayStart, dayMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { insertActivity } from '#marketing/demoDoor.ts'

/** Who runs the activities of the demo. */
export const marketingClerk = '林晓雯'

/** An activity of the demo, by days from now; it began as a draft a day before. */
export type PastActivity = {
  readonly name: string
  /** Business days; the end of the activity itself, where it has one. */
  readonly fromDays: number
  readonly toDays?: number
  /** What it is now, and since when, if a person has stopped it. */
  readonly state?: ActivityState
  readonly stoppedDays?: number
  readonly common?: Partial<Omit<ActivityCommon, 'name' | 'startsAt' | 'endsAt'>>
}

/** The beginning of the business day so many days from now. */
const dayFrom = (now: number, days: number): number => businessDayStart(businessDayOf(now + days * dayMs))

/** When uses of it are possible: until it was stopped or is over. */
export function spanOfPast({ fromDays, toDays, state = 'on', stoppedDays = 0 }: PastActivity, now: number) {
  const from = dayFrom(now, fromDays)
  if (state === 'draft' || fromDays > 0) return { from, until: from }
  const until = Math.min(
    now,
    state === 'on' ? now : now + stoppedDays * dayMs,
    toDays === undefined ? now : dayFrom(now, toDays),
  )
  return { from, until }
}

/** Stores an activity of the demo as a person of the company has made it. Resolves to its id and what every activity has. */
export async function insertPastActivity(
  tx: Tx,
  past: {
    readonly agentId: number
    readonly kind: ActivityKind
    readonly activity: PastActivity
    readonly terms: object
    readonly now: number
  },
): Promise<{ id: number; common: ActivityCommon }> {
  const { agentId, kind, activity, terms, now } = past
  const { name, fromDays, toDays, state = 'on', stoppedDays } = activity
  const common = activityCommonSchema.parse({
    ...activity.common,
    name,
    startsAt: dayFrom(now, fromDays),
    endsAt: toDays === undefined ? null : dayFrom(now, toDays),
  })
  const madeAt = new Date(Math.min(now, now + (fromDays - 1) * dayMs))
  const by = { id: null, name: marketingClerk, at: madeAt }
  const id = await insertActivity(tx, { agentId, kind, common, terms, by })
  const changedAt = stoppedDays === undefined ? madeAt : new Date(now + stoppedDays * dayMs)
  await sql`update activity set state = ${state}, changed_at = ${changedAt} where id = ${id}`.execute(tx)
  return { id, common }
}

/** Whether the demo has activities of a kind already. */
export async function hasActivities({ db }: Pick<Kit, 'db'>, kind: ActivityKind): Promise<boolean> {
  const rows = await db.systemRead((k) =>
    k.selectFrom('activity').select('id').where('kind', '=', kind).limit(1).compile(),
  )
  return rows.length > 0
}
