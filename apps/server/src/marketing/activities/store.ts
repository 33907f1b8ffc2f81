import { sql, type RawBuilder } from 'kysely'
import {
  activityCommonSchema,
  activityList,
  activityShownStates,
  activityStates,
  activityVersionsMax,
  type ActivityKind,
} from '@saddle/contract/marketing/activities.ts'
import { bearers } from '@saddle/contract/riding/benefits.ts'
import { rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tableList } from '#kit/list/tableList.ts'

/** `shownStateOf` of the contract, as a condition of the database. */
const shownState = (now: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  case when t.state in ('draft', 'ended') then t.state when t.ends_at <= ${now} then 'over'
    when t.state = 'paused' then 'paused' when t.dry_at is not null then 'dry'
    when t.starts_at > ${now} then 'scheduled' else 'on' end`

const activityColumns = rowsOf(
  rowOf('activity', 't', [
    'id',
    'agent_id',
    'name',
    'state',
    'version',
    'area_ids',
    'starts_at',
    'ends_at',
    'budget_cents',
    'budget_uses',
    'rider_uses',
    'rider_day_uses',
    'device_uses',
    'bearer',
    'partner',
    'holdout_percent',
    'used_cents',
    'uses',
    'riders',
    'warned_at',
    'dry_at',
    'created_at',
    'changed_at',
    'changed_by',
  ]),
  rowOf('activity_version', 'v', ['terms']),
  rowOf('agent', 'agent', ['company']),
).codes({ state: activityStates, bearer: bearers })
export type ActivityRow = RowOf<typeof activityColumns>

export const activityRows = (kind: ActivityKind) =>
  tableList(activityList, {
    table: 'activity',
    alias: 't',
    tenant: 'agent',
    columns: activityColumns,
    joins: sql`
      join activity_version v on v.activity_id = t.id and v.version = t.version join agent on agent.id = t.agent_id`,
    sorts: { created: ['created_at', 'instant'] },
    sums: { usedCents: sql`t.used_cents` },
    find: ({ states = activityShownStates, name, id, areaIds, low }, { now }: { readonly now: Date }) => ({
      runs: { column: 'kind', type: 'text', values: [kind] },
      narrowed: [id !== undefined && sql`t.id = ${id}`],
      where: [
        states.length < activityShownStates.length && sql`${shownState(sql`${now}`)} = any (${[...states]}::text[])`,
        name !== undefined && sql`strpos(lower(t.name), lower(${name})) > 0`,
        areaIds !== undefined && sql`(t.area_ids = '{}' or t.area_ids && ${areaIds}::bigint[])`,
        low === true && sql`t.state = 'on' and t.warned_at is not null and (t.ends_at is null or t.ends_at > ${now})`,
      ],
    }),
  })
export const presentActivity = activityColumns.present

const versionColumns = rowOf('activity_version', 'v', ['version', 'common', 'terms', 'made_at', 'made_by'])

/** What an activity has been over time, the newest first. */
export function selectVersions({
  id,
  kind,
  scope,
}: {
  id: number
  kind: ActivityKind
  scope: Pick<Scope, 'agentIds'>
}) {
  return versionColumns.select`
    from activity_version v join activity a on a.id = v.activity_id
    where v.activity_id = ${id} and a.kind = ${kind} and v.agent_id = any (${scope.agentIds}::bigint[])
    order by v.version desc limit ${activityVersionsMax}`
}

export function presentVersion({ common, ...row }: RowOf<typeof versionColumns>) {
  return { ...versionColumns.present({ common, ...row }), common: activityCommonSchema.parse(common) }
}
