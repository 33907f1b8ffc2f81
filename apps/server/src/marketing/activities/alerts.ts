import { sql } from 'kysely'
import { activityKinds, activityPages, type activityEndpoints } from '@saddle/contract/marketing/activities.ts'
import type { Handlers } from '#kit/call.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { ActivityDeps } from './deps.ts'

const alertRow = rowsOf(
  rowOf('activity', 't', ['kind']),
  rowOfValues({
    dry: computed('bigint', sql`count(*) filter (where t.dry_at is not null)`),
    low: computed('bigint', sql`count(*) filter (where t.dry_at is null)`),
  }),
).codes({ kind: activityKinds })

/** Which budgets need a decision: activities that their budget has stopped, and those that it will stop soon. */
export function createActivityHandlers({ kit }: Pick<ActivityDeps, 'kit'>): Handlers<typeof activityEndpoints> {
  return {
    activityAlerts: async (_, { scope, caller }) => {
      const kinds = activityKinds.filter((kind) => caller.permissions.has(activityPages[kind].permission))
      const now = new Date(kit.clock.now())
      const query = alertRow.select`
        from activity t
        where t.agent_id = any (${scope.agentIds}::bigint[]) and t.kind = any (${kinds}::text[]) and t.state = 'on'
          and t.warned_at is not null and (t.ends_at is null or t.ends_at > ${now})
        group by t.kind`
      const rows = await kit.db.read(scope, (k) => query.compile(k))
      return { suc: true, data: { list: rows.map(alertRow.present) } }
    },
  }
}
