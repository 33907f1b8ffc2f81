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
import type { Scope } from '#kit/db/scope.ts'
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
  rowOf('activity_version', 'v', ['common', 'terms']).json<{ common: ActivityCommon; terms: object }>(),
).codes({ state: activityStates })

export type LockedActivity = RowOf<typeof activityRow>

/** The activity, locked until the end of the transaction. Throws not_found. */
export async function lockActivity(
  tx: Tx,
  { id, kind, scope }: { id: number; kind: ActivityKind; scope: Pick<Scope, 'agentIds'> },
): Promise<LockedActivity> {
  const agentIds = sql`${scope.agentIds}::bigint[]`
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
  device_uses: common.deviceUses,
  bearer: common.bearer,
  partner: common.partner,
  holdout_percent: common.holdoutPercent,
})

/** Who makes or changes an activity, and when; no id: the platform itself. */
type By = { readonly id: number | null; readonly name: string; readonly at: Date }

async function insertVersion(
  tx: Tx,
  version: ActivityInput & { id: number; agentId: number; version: number; by: By },
): Promise<void> {
  const { id, agentId, common, terms, by } = version
  await tx
    .insertInto('activity_version')
    .values({
      activity_id: id,
      version: version.version,
      agent_id: agentId,
      common: JSON.stringify(common),
      terms: JSON.stringify(terms),
      made_at: by.at,
      made_by_id: by.id,
      made_by: by.name,
    })
    .execute()
}

/** Stores a new activity; whoever calls has checked it. */
export async function insertActivity(
  tx: Tx,
  activity: ActivityInput & { readonly agentId: number; readonly kind: ActivityKind; readonly by: By },
): Promise<number> {
  const { agentId, kind, common, terms, by } = activity
  const { id } = await tx
    .insertInto('activity')
    .values({
      agent_id: agentId,
      kind,
      ...columnsOf(common),
      created_at: by.at,
      changed_at: by.at,
      changed_by: by.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertVersion(tx, { id, agentId, version: 1, common, terms, by })
  return id
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

const byOf = ({ caller }: SessionCall, at: Date): By => ({ id: caller.operatorId, name: caller.name, at })

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
      const id = await insertActivity(tx, { agentId, kind, common, terms, by: byOf(call, at) })
      await audit.act(tx, call, { ...recordOf(agentId, id), action: 'activity.create', after: { kind, common, terms } })
      return { id, version: 1 }
    }),
  )
}

/** Stores the next version of a locked activity, which is in force at once. */
export async function updateActivity(
  tx: Tx,
  { row, common, terms, by }: ActivityInput & { readonly row: LockedActivity; readonly by: By },
): Promise<number> {
  const version = row.version + 1
  await insertVersion(tx, { id: row.id, agentId: row.agent_id, version, common, terms, by })
  await tx
    .updateTable('activity')
    .set({ ...columnsOf(common), ...marksUnder(row, common, by.at) })
    .set({ version, changed_at: by.at, changed_by: by.name })
    .where('id', '=', row.id)
    .execute()
  return version
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
      const row = await lockActivity(tx, { id, kind, scope: call.scope })
      if (row.version !== change.version) throw new AppError('conflict')
      if (row.state === 'ended') throw new AppError('activity_ended')
      await checkCommon(tx, call, row.agent_id, common)
      await check(tx, { id, agentId: row.agent_id, common, terms })
      checkBudget(row, common)
      const version = await updateActivity(tx, { row, common, terms, by: byOf(call, at) })
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
    const row = await lockActivity(tx, { id, kind, scope: call.scope })
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
