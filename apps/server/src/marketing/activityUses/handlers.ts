import { sql } from 'kysely'
import { activityKinds, activityPages, type ActivityKind } from '@saddle/contract/marketing/activities.ts'
import {
  activityUseFields,
  activityUseList,
  type activityUseEndpoints,
} from '@saddle/contract/marketing/activityUses.ts'
import { rewardCauses } from '@saddle/contract/marketing/rewards.ts'
import type { Riders } from '#rider/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { serveList } from '#kit/list/serveList.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import { numberOf, placedAtOf } from '../orderNumbers.ts'
import type { ActivityDeps } from '../activities/deps.ts'

/** A use for a reward has the reward's cause behind a prefix; see the causes of budgets in `rewards/wire.ts`. */
const cause = sql`regexp_replace(u.cause_kind, '^reward_', '')`
const orderId = sql`case when ${cause} = 'ride' then u.cause_id end`

const useColumns = rowsOf(
  rowOf('activity_use', 'u', [
    'id',
    'agent_id',
    'activity_id',
    'version',
    'rider_id',
    'cents',
    'used_at',
    'given_back_at',
  ]),
  rowOf('activity', 'a', ['name', 'kind']),
  rowOf('agent', 'agent', ['company']),
  rowOf('rider', 'r', ['phone_sealed', 'phone_hash']),
  rowOfValues({
    cause: computed('text', cause),
    order_id: computed('bigint?', orderId),
    placed_at: computed('timestamptz?', placedAtOf(orderId, sql`u.agent_id`)),
  }),
).codes({ kind: activityKinds, cause: rewardCauses })

interface Params {
  readonly riderIds: readonly number[] | undefined
  /** Those whose pages the caller may open. */
  readonly kinds: readonly ActivityKind[]
}

const useRows = tableList(activityUseList, {
  table: 'activity_use',
  alias: 'u',
  tenant: 'agent',
  columns: useColumns,
  joins: sql`
    join activity a on a.id = u.activity_id join agent on agent.id = u.agent_id join rider r on r.id = u.rider_id`,
  sorts: { used: ['used_at', 'instant'] },
  sums: { cents: sql`u.cents` },
  find: ({ activityId, states, ...span }, { riderIds, kinds }: Params) => ({
    narrowed: [
      riderIds && sql`u.rider_id = any (${riderIds}::bigint[])`,
      activityId !== undefined && sql`u.activity_id = ${activityId}`,
    ],
    where: [
      ...spanOf('u.used_at', span),
      states?.length === 1 && sql`(u.given_back_at is not null) = ${states[0] === 'given_back'}`,
      kinds.length < activityKinds.length &&
        sql`exists (select from activity k where k.id = u.activity_id and k.kind = any (${kinds}::text[]))`,
    ],
  }),
})

function presentUse(row: RowOf<typeof useColumns>) {
  const { placedAt, phoneSealed: _sealed, phoneHash: _hash, ...shown } = useColumns.present(row)
  const state = shown.givenBackAt === null ? ('counted' as const) : ('given_back' as const)
  return { ...shown, state, orderNumber: numberOf(shown.orderId, placedAt) }
}

const kindsOf = ({ permissions }: SessionCall['caller']): readonly ActivityKind[] =>
  activityKinds.filter((kind) => permissions.has(activityPages[kind].permission))

/** Each use of an activity, for those who may open activities of its kind. */
export function createActivityUseHandlers(
  deps: Pick<ActivityDeps, 'kit' | 'audit'> & { readonly riders: Pick<Riders, 'idsOf' | 'maskedPhone'> },
): Handlers<typeof activityUseEndpoints> {
  const { riders } = deps
  const served = serveList(deps, activityUseList, {
    name: 'activity-uses',
    prepare: async (filter, { scope, caller }) => ({
      riderIds: await riders.idsOf(scope, filter),
      kinds: kindsOf(caller),
    }),
    rows: useRows,
    present: (row) => ({ ...presentUse(row), phone: riders.maskedPhone(row) }),
    file: { action: 'activity.export', fields: activityUseFields },
  })
  return { listActivityUses: served.page, sumActivityUses: served.sums, exportActivityUses: served.file }
}
