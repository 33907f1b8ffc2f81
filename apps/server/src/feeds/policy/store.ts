import type { Boundary } from '@saddle/contract/feeds/mds.ts'
import {
  mdsPolicyEndCodes,
  mdsPolicyLimits,
  mdsRuleBecomes,
  mdsRuleReasonCodes,
  type MdsPolicyEnd,
} from '@saddle/contract/feeds/policy.ts'
import { sql } from 'kysely'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

const policyRow = rowsOf(
  rowOf('mds_policy', 'p', [
    'id',
    'agent_id',
    'policy_id',
    'name',
    'description',
    'published_at',
    'starts_at',
    'ends_at',
    'source_url',
    'created_at',
    'created_by',
    'ended_at',
    'end_reason',
  ]).codes({ end_reason: mdsPolicyEndCodes }),
  rowOfValues({
    replaces: computed(
      'text[]',
      sql`array(select o.name from mds_policy o
        where o.jurisdiction_id = p.jurisdiction_id and o.agent_id = p.agent_id and o.policy_id = any (p.prev_policies)
          and o.end_reason is distinct from 'removed'
        order by o.starts_at, o.id)`,
    ),
  }),
)
export type PolicyRow = RowOf<typeof policyRow>

/** Those of a jurisdiction that have not been removed, the latest first. */
export const selectPolicies = ({ agentIds }: Pick<Scope, 'agentIds'>, jurisdictionId: number) => policyRow.select`
  from mds_policy p
  where p.jurisdiction_id = ${jurisdictionId} and p.agent_id = any (${agentIds}::bigint[])
    and p.end_reason is distinct from 'removed'
  order by p.ended_at is not null, p.starts_at desc, p.id desc limit ${mdsPolicyLimits.perJurisdiction}`

const ruleRow = rowOf('mds_policy_rule', 'r', [
  'id',
  'policy',
  'agent_id',
  'rule_id',
  'name',
  'becomes',
  'reason',
  'maximum',
  'boundary',
  'except_in',
  'taken_at',
  'taken_by',
  'line_ids',
  'counted',
  'counted_at',
  'over_since',
  'version',
])
  .codes({ becomes: mdsRuleBecomes, reason: mdsRuleReasonCodes })
  .json<{ boundary: Boundary; except_in: Boundary }>()
export type RuleRow = RowOf<typeof ruleRow>

export const selectRules = ({ agentIds }: Pick<Scope, 'agentIds'>, policies: readonly number[]) => ruleRow.select`
  from mds_policy_rule r
  where r.policy = any (${policies}::bigint[]) and r.agent_id = any (${agentIds}::bigint[])
  order by r.policy, r.position`

const heldRuleRow = rowsOf(ruleRow, rowOf('mds_policy', 'p', ['name as policy_name', 'ended_at']))

/** A rule of the scope, with the policy that it stands in. */
export const selectRule = ({ agentIds }: Pick<Scope, 'agentIds'>, id: number) => heldRuleRow.select`
  from mds_policy_rule r join mds_policy p on p.id = r.policy
  where r.id = ${id} and r.agent_id = any (${agentIds}::bigint[])`

/** The same, held until the transaction ends. */
export const lockRule = ({ agentIds }: Pick<Scope, 'agentIds'>, id: number) => heldRuleRow.select`
  from mds_policy_rule r join mds_policy p on p.id = r.policy
  where r.id = ${id} and r.agent_id = any (${agentIds}::bigint[]) for update`

const heldPolicyRow = rowOf('mds_policy', 'p', ['id', 'agent_id', 'name', 'policy_id', 'ended_at'])
export type HeldPolicy = RowOf<typeof heldPolicyRow>

/** A policy of the scope that has not been removed, held until the transaction ends. */
export const lockPolicy = ({ agentIds }: Pick<Scope, 'agentIds'>, id: number) => heldPolicyRow.select`
  from mds_policy p
  where p.id = ${id} and p.agent_id = any (${agentIds}::bigint[]) and p.end_reason is distinct from 'removed' for update`

const areaRow = rowOf('service_area', 'sa', ['id', 'name', 'ring']).json<{ ring: [number, number][] }>()
export type AreaRow = RowOf<typeof areaRow>

/** The areas of the scope. */
export const selectAreas = ({ agentIds, areaIds }: Pick<Scope, 'agentIds' | 'areaIds'>) => areaRow.select`
  from service_area sa
  where sa.agent_id = any (${agentIds}::bigint[]) and sa.id = any (${areaIds}::bigint[])
  order by sa.id`

const endingRow = rowsOf(
  heldPolicyRow,
  rowOfValues({
    reason: computed(
      'text',
      sql`case when p.ends_at <= now.at then 'expired' when j.ended_at is not null then 'removed' else 'replaced' end`,
    ),
  }),
)

/** Policies whose time is over, whose successor has begun, or whose jurisdiction has ended; one server takes each. */
export const takeEnding = (at: Date, limit: number) => endingRow.select`
  from mds_policy p
  cross join (select ${at}::timestamptz as at) now
  join mds_jurisdiction j on j.id = p.jurisdiction_id
  where p.ended_at is null
    and (p.ends_at <= now.at or j.ended_at is not null or exists (
      select from mds_policy n
      where n.jurisdiction_id = p.jurisdiction_id and n.starts_at <= now.at and p.policy_id = any (n.prev_policies)
        and n.id <> p.id and n.end_reason is distinct from 'removed'))
  order by p.id limit ${limit} for update of p skip locked`

export const endPolicy = (id: number, { at, reason }: { readonly at: Date; readonly reason: MdsPolicyEnd }) => sql`
  update mds_policy set ended_at = coalesce(ended_at, ${at}), end_reason = ${reason} where id = ${id}`

const freedRow = rowOf('mds_policy_rule', ['id'])

/** Nothing of a rule is in force any more. */
export const freeRules = (ids: readonly number[]) => freedRow.returning`
  update mds_policy_rule set taken_at = null, taken_by = null, line_ids = '{}', counted = null, counted_at = null,
    over_since = null, version = version + 1
  where id = any (${ids}::bigint[])`

const capRow = rowsOf(
  rowOf('mds_policy_rule', 'r', ['id', 'agent_id', 'name', 'maximum', 'boundary', 'except_in', 'over_since', 'version'])
    .filled('maximum')
    .json<{ boundary: Boundary; except_in: Boundary }>(),
  rowOfValues({
    area_ids: computed('bigint[]', sql`array(select sa.id from service_area sa where sa.agent_id = r.agent_id)`),
  }),
)

/** Caps that were taken on, have begun, and were not counted since a moment; one server takes each. */
export const takeCaps = ({ at, before, limit }: { readonly at: Date; readonly before: Date; readonly limit: number }) =>
  capRow.select`
  from mds_policy_rule r join mds_policy p on p.id = r.policy and p.ended_at is null and p.starts_at <= ${at}
  where r.taken_at is not null and r.becomes = 'cap' and (r.counted_at is null or r.counted_at <= ${before})
  order by r.counted_at nulls first, r.id limit ${limit} for update of r skip locked`

export const saveCount = (id: number, { counted, at, isOver }: { counted: number; at: Date; isOver: boolean }) => sql`
  update mds_policy_rule set counted = ${counted}, counted_at = ${at},
    over_since = case when ${isOver} then coalesce(over_since, ${at}) end
  where id = ${id}`
