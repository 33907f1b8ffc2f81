import { AppError } from '@saddle/contract/errors.ts'
import { mdsEffectDays, type mdsPolicyEndpoints, type MdsPolicy, type MdsRule } from '@saddle/contract/feeds/policy.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { boxesMeet, boxOf, shapesOverlap } from '@saddle/geo/shape.ts'
import type { Audit } from '#audit/public.ts'
import type { Geography } from '#geography/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { sendOutside } from '#kit/webhook.ts'
import { boundariesOf } from '../mds/boundary.ts'
import { bring } from './bring.ts'
import { capEffectOf, createWithin, selectStays, staysMax } from './stays.ts'
import {
  endPolicy,
  freeRules,
  lockPolicy,
  lockRule,
  selectAreas,
  selectPolicies,
  selectRule,
  selectRules,
  type AreaRow,
  type PolicyRow,
  type RuleRow,
} from './store.ts'

export interface PolicyDeps {
  readonly kit: Kit
  readonly audit: Audit
  readonly geography: Pick<Geography, 'addZones' | 'removeZones'>
  /** How cities are asked. By default it goes out. */
  readonly send?: typeof sendOutside
}

type PolicyHandlers = Handlers<typeof mdsPolicyEndpoints>

export function createPolicyHandlers(deps: PolicyDeps): PolicyHandlers {
  const { kit, audit, send = sendOutside } = deps
  return {
    ...createShowing(deps),
    ...createTaking(deps),
    bringMdsPolicies: async (asked, call) => ({ suc: true, data: await bring({ kit, audit, send }, call, asked) }),
  }
}

function createShowing({ kit }: PolicyDeps): Pick<PolicyHandlers, 'listMdsPolicies' | 'mdsCapEffect'> {
  const { db, clock } = kit
  return {
    listMdsPolicies: async ({ jurisdictionId }, { scope }) => {
      const policies = await db.read(scope, (k) => selectPolicies(scope, jurisdictionId).compile(k))
      const [first] = policies
      if (first === undefined) return { suc: true, data: { list: [] } }
      const ids = policies.map(({ id }) => id)
      const rules = Map.groupBy(await db.read(scope, (k) => selectRules(scope, ids).compile(k)), (rule) => rule.policy)
      const areas = await db.read(scope, (k) => selectAreas({ ...scope, agentIds: [first.agent_id] }).compile(k))
      const list = policies.map((policy) =>
        presentPolicy(
          policy,
          (rules.get(policy.id) ?? []).map((rule) => presentRule(rule, areas)),
        ),
      )
      return { suc: true, data: { list } }
    },

    mdsCapEffect: async ({ ruleId }, { scope }) => {
      const [rule] = await db.read(scope, (k) => selectRule(scope, ruleId).compile(k))
      if (rule === undefined) throw new AppError('not_found')
      if (rule.maximum === null) throw new AppError('mds_rule_unusable')
      const to = clock.now()
      const from = to - mdsEffectDays * dayMs
      const own = { ...scope, agentIds: [rule.agent_id] }
      const span = { since: new Date(from), now: new Date(to), box: boundariesOf(rule.boundary).box }
      const found = await db.read(own, (k) => selectStays(own, span).compile(k))
      const stays = found
        .slice(0, staysMax)
        .filter(createWithin(rule.boundary, rule.except_in))
        .map(({ from_at: since, to_at: until }) => ({ from: since.getTime(), to: until?.getTime() ?? null }))
      const effect = capEffectOf(stays, { from, to, maximum: rule.maximum })
      return { suc: true, data: { ...effect, isCut: found.length > staysMax } }
    },
  }
}

const presentPolicy = (row: PolicyRow, rules: MdsRule[]): MdsPolicy => ({
  id: row.id,
  policyId: row.policy_id,
  name: row.name,
  description: row.description,
  publishedAt: row.published_at.getTime(),
  startsAt: row.starts_at.getTime(),
  endsAt: row.ends_at?.getTime() ?? null,
  replaces: row.replaces,
  sourceUrl: row.source_url,
  createdAt: row.created_at.getTime(),
  createdBy: row.created_by,
  endedAt: row.ended_at?.getTime() ?? null,
  endReason: row.end_reason,
  rules,
})

const presentRule = (row: RuleRow, areas: readonly AreaRow[]): MdsRule => ({
  id: row.id,
  ruleId: row.rule_id,
  name: row.name,
  becomes: row.becomes,
  reason: row.reason,
  maximum: row.maximum,
  boundary: row.boundary,
  areas: touched(row, areas).map(({ id, name }) => ({ id, name })),
  takenAt: row.taken_at?.getTime() ?? null,
  takenBy: row.taken_by,
  fences: row.line_ids.length,
  counted: row.counted,
  countedAt: row.counted_at?.getTime() ?? null,
  overSince: row.over_since?.getTime() ?? null,
  version: row.version,
})

/** The areas that a rule's polygons touch. */
const touched = ({ boundary }: Pick<RuleRow, 'boundary'>, areas: readonly AreaRow[]): AreaRow[] =>
  areas.filter((area) => boundary.some((shape) => meets(shape, area)))

function meets(shape: RuleRow['boundary'][number], { ring }: AreaRow): boolean {
  const area = { ring, holes: [] }
  return boxesMeet(boxOf(shape), boxOf(area)) && shapesOverlap(shape, area)
}

type Taking = Pick<PolicyHandlers, 'takeMdsRule' | 'undoMdsRule' | 'removeMdsPolicy'>

function createTaking({ kit, audit, geography }: PolicyDeps): Taking {
  const { db, clock } = kit
  return {
    takeMdsRule: async ({ ruleId, version }, call) => {
      const fences = await db.withScope(call.scope, async (tx) => {
        const rule = await heldRule(tx, call, { ruleId, version })
        if (rule.becomes === 'nothing' || rule.taken_at !== null || rule.ended_at !== null)
          throw new AppError('mds_rule_unusable')
        const lineIds = rule.becomes === 'no_stop' ? await addZonesOf(geography, tx, call, rule) : []
        await tx
          .updateTable('mds_policy_rule')
          .set({
            taken_at: new Date(clock.now()),
            taken_by: call.caller.name,
            line_ids: lineIds,
            version: version + 1,
          })
          .where('id', '=', ruleId)
          .execute()
        await audit.act(tx, call, {
          agentId: rule.agent_id,
          action: 'mds_policy.take',
          subjectKind: 'mds_policy',
          subjectId: rule.policy,
          before: null,
          after: { rule: rule.name, becomes: rule.becomes, maximum: rule.maximum, fences: lineIds.length },
        })
        return lineIds.length
      })
      return { suc: true, data: { fences } }
    },

    undoMdsRule: async ({ ruleId, version }, call) => {
      const fences = await db.withScope(call.scope, async (tx) => {
        const rule = await heldRule(tx, call, { ruleId, version })
        if (rule.taken_at === null) throw new AppError('mds_rule_unusable')
        const { line_ids: lineIds, name } = rule
        const removed =
          lineIds.length === 0 ? 0 : await geography.removeZones(tx, call, { lineIds, note: name.slice(0, noteMax) })
        await freeRules([ruleId]).execute(tx)
        await audit.act(tx, call, {
          agentId: rule.agent_id,
          action: 'mds_policy.undo',
          subjectKind: 'mds_policy',
          subjectId: rule.policy,
          before: { rule: name, becomes: rule.becomes, maximum: rule.maximum },
          after: { fences: removed },
        })
        return removed
      })
      return { suc: true, data: { fences } }
    },

    removeMdsPolicy: async ({ id }, call) => {
      await db.withScope(call.scope, async (tx) => {
        const [policy] = (await lockPolicy(call.scope, id).execute(tx)).rows
        if (policy === undefined) throw new AppError('not_found')
        const { rows: rules } = await selectRules(call.scope, [id]).execute(tx)
        if (rules.some((rule) => rule.taken_at !== null)) throw new AppError('mds_policy_in_use')
        await endPolicy(id, { at: new Date(clock.now()), reason: 'removed' }).execute(tx)
        await audit.act(tx, call, {
          agentId: policy.agent_id,
          action: 'mds_policy.remove',
          subjectKind: 'mds_policy',
          subjectId: id,
          before: { name: policy.name, policyId: policy.policy_id },
          after: {},
        })
      })
      return { suc: true, data: {} }
    },
  }
}

const noteMax = 200
const fenceNameMax = 80

/** Locks the rule. Throws `not_found`, and `conflict` where somebody else has decided on it. */
async function heldRule(tx: Tx, call: SessionCall, { ruleId, version }: { ruleId: number; version: number }) {
  const [rule] = (await lockRule(call.scope, ruleId).execute(tx)).rows
  if (rule === undefined) throw new AppError('not_found')
  if (rule.version !== version) throw new AppError('conflict')
  return rule
}

/** A zone for each polygon in each area that it touches. */
async function addZonesOf(
  geography: PolicyDeps['geography'],
  tx: Tx,
  call: SessionCall,
  rule: RuleRow & { readonly policy_name: string },
): Promise<number[]> {
  const { rows } = await selectAreas({ ...call.scope, agentIds: [rule.agent_id] }).execute(tx)
  const lineIds: number[] = []
  for (const area of rows) {
    const shapes = rule.boundary.filter((shape) => meets(shape, area))
    if (shapes.length === 0) continue
    const zones = shapes.map((shape, index) => {
      const tail = shapes.length === 1 ? '' : ` ${index + 1}`
      return { name: rule.name.trim().slice(0, fenceNameMax - tail.length) + tail, shape }
    })
    lineIds.push(
      ...(await geography.addZones(tx, call, { areaId: area.id, zones, note: rule.policy_name.slice(0, noteMax) })),
    )
  }
  if (lineIds.length === 0) throw new AppError('mds_rule_outside')
  return lineIds
}
