import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { ActivityCommon } from '@saddle/contract/marketing/activities.ts'
import {
  fixedTermsSchema,
  type fixedActivityEndpoints,
  type FixedTerms,
} from '@saddle/contract/marketing/fixedActivities.ts'
import type { Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { ActivityDeps } from '../activities/deps.ts'
import { serveActivities } from '../activities/handlers.ts'
import type { Rewards } from '../rewards/rewards.ts'
import { previewFixed } from './preview.ts'

/** Fixed activities. */
export function createFixedActivityHandlers(
  deps: ActivityDeps & { readonly rewards: Rewards },
): Handlers<typeof fixedActivityEndpoints> {
  const served = serveActivities(deps, {
    kind: 'fixed',
    terms: fixedTermsSchema,
    fileName: 'fixed-activities',
    check: async (tx, { id, agentId, common, terms }) => {
      await checkAlone(tx, { id, agentId, common, terms })
      await deps.rewards.price(tx, { agentId, rewards: terms.rewards, at: new Date(deps.kit.clock.now()) })
    },
    preview: (asked) => previewFixed(deps, asked),
  })
  return {
    listFixedActivities: served.list,
    sumFixedActivities: served.sums,
    exportFixedActivities: served.file,
    createFixedActivity: served.create,
    changeFixedActivity: served.change,
    switchFixedActivity: served.switchState,
    fixedActivityVersions: served.versions,
    previewFixedActivity: served.preview,
  }
}

const otherRow = rowOf('activity', 'a', ['name'])

/** An occasion has one activity at a time. Throws fixed_activity_taken. */
async function checkAlone(
  tx: Tx,
  { id, agentId, common, terms }: { id: number | null; agentId: number; common: ActivityCommon; terms: FixedTerms },
): Promise<void> {
  // Two that begin at the same moment: the second one looks after the first has committed.
  await sql`select from agent where id = ${agentId} for no key update`.execute(tx)
  const endsAt = common.endsAt === null ? null : new Date(common.endsAt)
  const { rows } = await otherRow.select`
    from activity a join activity_version v on v.activity_id = a.id and v.version = a.version
    where a.agent_id = ${agentId} and a.kind = 'fixed' and a.state in ('on', 'paused') and a.id <> ${id ?? 0}
      and v.terms ->> 'event' = ${terms.event} and (a.ends_at is null or a.ends_at > ${new Date(common.startsAt)})
      and (${endsAt}::timestamptz is null or a.starts_at < ${endsAt}::timestamptz)
    order by a.id limit 1`.execute(tx)
  const [other] = rows
  if (other !== undefined) throw new AppError('fixed_activity_taken', { values: { name: other.name } })
}
