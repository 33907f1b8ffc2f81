import { sql } from 'kysely'
import { defaultAgentId } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import {
  activityCommonSchema,
  activityStates,
  type ActivityCommon,
  type ActivityKind,
  type ActivityState,
} from '@saddle/contract/marketing/activities.ts'
import { yuanText } from '@saddle/contract/money.ts'
import type { SessionCall } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow, rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { ActivityDeps } from './deps.ts'
import { marksUnder, stepOf } from './rules.ts'

/** What a person sets of an activity. */
export type ActivityInput = { readonly common: ActivityCommon; readonly terms: object }
/** What a kind asks of its terms beside their schema; throws where they cannot be. */
export type CheckTerms = (
  tx: Tx,
  activity: ActivityInput & { readonly id: number | null; readonly agentId: number },
) => Promise<void>

const activityRow = rowsOf(
  rowOf('activity', 'a', [
    'id',
    'agent_id',
    'state',
    'version',
    'ends_at',
    'used_cents',
    'uses',
    'warned_at',
    'dry_at',
  ]),
  rowOf('activity_version', 'v', ['common', 'terms']).json<{ terms: object }>(),
).codes({ state: activityStates })

/** The activity, locked until the end of the transaction. Throws not_found. */
async function lockActivity(
  tx: Tx,
  { id, kind, call }: { id: number; kind: ActivityKind; call: SessionCall },
): Promise<RowOf<typeof activityRow>> {
  const agentIds = sql`${call.scope.agentIds}::bigint[]`
  await sql`
    select from activity a where a.id = ${id} and a.agent_id = any (${agentIds}) for no key update`.execute(tx)
  const { rows } = await activityRow.select`
    from activity a join activity_version v on v.activity_id = a.id and v.version = a.version
    where a.id = ${id} and a.kind = ${kind} and a.agent_id = any (${agentIds})`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** Throws where a company may not do this: in areas of others, or at the platform's cost. */
async function checkCommon(tx: Tx, call: SessionCall, agentId: number, common: ActivityCommon): Promise<void> {
  if (common.bearer === 'platform' && call.caller.agentId !== defaultAgentId) {
    throw new AppError('activity_platform_bears')
  }
  const areaIds = [...new Set(common.areaIds)]
  if (areaIds.length === 0) return
  const { rows } = await countRow.select`
    from service_area where agent_id = ${agentId} and id = any (${areaIds}::bigint[])`.execute(tx)
  if (rows[0]?.count !== areaIds.length) throw new AppError('foreign_scope')
}

const columnsOf = (common: ActivityCommon) => ({
  name: common.name,
  area_ids: [...common.areaIds],
  starts_at: new Date(common.startsAt),
  ends_at: common.endsAt === null ? null : new Date(common.endsAt),
  budget_cents: common.budgetCents,
  budget_uses: common.budgetUses,
  rider_uses: common.riderUses,
  rider_day_uses: common.riderDayUses,
  bearer: common.bearer,
  partner: common.partner,
  holdout_percent: common.holdoutPercent,
})

async function insertVersion(
  tx: Tx,
  version: ActivityInput & { id: number; agentId: number; version: number; at: Date; call: SessionCall },
): Promise<void> {
  const { id, agentId, common, terms, at, call } = version
  await tx
    .insertInto('activity_version')
    .values({
      activity_id: id,
      version: version.version,
      agent_id: agentId,
      common: JSON.stringify(common),
      terms: JSON.stringify(terms),
      made_at: at,
      made_by_id: call.caller.operatorId,
      made_by: call.caller.name,
    })
    .execute()
}

/** What a line of the audit log says of an activity, but for the act itself. */
const recordOf = (agentId: number, id: number) => ({ agentId, subjectKind: 'activity', subjectId: id })

async function withName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isTaken(error)) throw new AppError('name_taken', { cause: error })
    throw error
  }
}

type Kind = { readonly kind: ActivityKind; readonly check: CheckTerms }

export async function createActivity(
  { kit, audit }: ActivityDeps,
  { kind, check }: Kind,
  call: SessionCall,
  { agentId, common, terms }: ActivityInput & { readonly agentId: number },
): Promise<{ id: number; version: number }> {
  if (!call.scope.agentIds.includes(agentId)) throw new AppError('not_found')
  const at = new Date(kit.clock.now())
  return withName(() =>
    kit.db.withScope(call.scope, async (tx) => {
      await checkCommon(tx, call, agentId, common)
      await check(tx, { id: null, agentId, common, terms })
      const by = { created_at: at, changed_at: at, changed_by: call.caller.name }
      const { id } = await tx
        .insertInto('activity')
        .values({ agent_id: agentId, kind, ...columnsOf(common), ...by })
        .returning('id')
        .executeTakeFirstOrThrow()
      await insertVersion(tx, { id, agentId, version: 1, common, terms, at, call })
      await audit.act(tx, call, { ...recordOf(agentId, id), action: 'activity.create', after: { kind, common, terms } })
      return { id, version: 1 }
    }),
  )
}

/** Throws activity_below_used where less is granted than was used already. */
function checkBudget(
  { used_cents, uses }: { readonly used_cents: number; readonly uses: number },
  { budgetCents, budgetUses }: ActivityCommon,
): void {
  if (budgetCents !== null && budgetCents < used_cents) {
    throw new AppError('activity_below_used', { values: { used: yuanText(used_cents) } })
  }
  if (budgetUses !== null && budgetUses < uses) throw new AppError('activity_below_used', { values: { used: uses } })
}

export async function changeActivity(
  { kit, audit }: ActivityDeps,
  { kind, check }: Kind,
  call: SessionCall,
  change: ActivityInput & { readonly id: number; readonly version: number },
): Promise<{ id: number; version: number }> {
  const { id, common, terms } = change
  const at = new Date(kit.clock.now())
  return withName(() =>
    kit.db.withScope(call.scope, async (tx) => {
      const row = await lockActivity(tx, { id, kind, call })
      if (row.version !== change.version) throw new AppError('conflict')
      if (row.state === 'ended') throw new AppError('activity_ended')
      await checkCommon(tx, call, row.agent_id, common)
      await check(tx, { id, agentId: row.agent_id, common, terms })
      checkBudget(row, common)
      const version = row.version + 1
      await insertVersion(tx, { id, agentId: row.agent_id, version, common, terms, at, call })
      await tx
        .updateTable('activity')
        .set({ ...columnsOf(common), ...marksUnder(row, common, at) })
        .set({ version, changed_at: at, changed_by: call.caller.name })
        .where('id', '=', id)
        .execute()
      const record = { ...recordOf(row.agent_id, id), action: 'activity.change' }
      const before = { common: row.common, terms: row.terms }
      await audit.act(tx, call, { ...record, before, after: { common, terms } })
      return { id, version }
    }),
  )
}

export async function switchActivity(
  { kit, audit }: ActivityDeps,
  { kind, check }: Kind,
  call: SessionCall,
  { id, state }: { readonly id: number; readonly state: Exclude<ActivityState, 'draft'> },
): Promise<{ id: number; state: ActivityState }> {
  const at = new Date(kit.clock.now())
  return kit.db.withScope(call.scope, async (tx) => {
    const row = await lockActivity(tx, { id, kind, call })
    const step = stepOf(activityRow.present(row).state, state)
    if (step === undefined) throw new AppError('activity_step_refused')
    if (step === null) return { id, state }
    if (state === 'on') {
      if (row.ends_at !== null && row.ends_at <= at) throw new AppError('activity_over')
      // What it names may have changed since it was written.
      const common = activityCommonSchema.parse(row.common)
      await checkCommon(tx, call, row.agent_id, common)
      await check(tx, { id, agentId: row.agent_id, common, terms: row.terms })
    }
    await tx.updateTable('activity').set({ state }).where('id', '=', id).execute()
    await audit.act(tx, call, { ...recordOf(row.agent_id, id), action: `activity.${step}` })
    return { id, state }
  })
}
