import { sql } from 'kysely'
import { defaultAgentId } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { couponTemplateStates, type CouponTemplateState } from '@saddle/contract/marketing/coupons.ts'
import type { CouponTerms } from '@saddle/contract/marketing/couponTerms.ts'
import { yuanText } from '@saddle/contract/money.ts'
import type { SessionCall } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow, rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { CouponDeps } from './deps.ts'

const templateRow = rowsOf(
  rowOf('coupon_template', 't', [
    'id',
    'agent_id',
    'state',
    'version',
    'budget_cents',
    'budget_uses',
    'rider_max',
    'device_max',
    'used_cents',
    'uses',
  ]),
  rowOf('coupon_template_version', 'v', ['terms']),
).codes({ state: couponTemplateStates })
export type TemplateRow = RowOf<typeof templateRow>

/** The kind of coupon, when one of the scope's companies has it. Throws not_found. */
export async function readTemplate(
  tx: Tx,
  { id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> },
): Promise<TemplateRow> {
  const { rows } = await templateRow.select`
    from coupon_template t join coupon_template_version v on v.template_id = t.id and v.version = t.version
    where t.id = ${id} and t.agent_id = any (${scope.agentIds}::bigint[])`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** The same, locked until the end of the transaction. */
async function lockTemplate(tx: Tx, { id, scope }: { id: number; scope: Scope }): Promise<TemplateRow> {
  await sql`
    select from coupon_template t where t.id = ${id} and t.agent_id = any (${scope.agentIds}::bigint[])
    for no key update`.execute(tx)
  return readTemplate(tx, { id, scope })
}

/** Throws when a company may not promise this: areas of others, or at the platform's cost. */
async function checkTerms(tx: Tx, call: SessionCall, agentId: number, terms: CouponTerms): Promise<void> {
  if (terms.bearer === 'platform' && call.caller.agentId !== defaultAgentId) {
    throw new AppError('coupon_platform_bears')
  }
  const areaIds = [...new Set(terms.conditions.areaIds)]
  if (areaIds.length === 0) return
  const { rows } = await countRow.select`
    from service_area where agent_id = ${agentId} and id = any (${areaIds}::bigint[])`.execute(tx)
  if (rows[0]?.count !== areaIds.length) throw new AppError('foreign_scope')
}

const columnsOf = ({ name, budgetCents, budgetUses, riderMax, deviceMax }: CouponTerms) => ({
  name,
  budget_cents: budgetCents,
  budget_uses: budgetUses,
  rider_max: riderMax,
  device_max: deviceMax,
})

async function insertVersion(
  tx: Tx,
  version: { id: number; agentId: number; version: number; terms: CouponTerms; at: Date; call: SessionCall },
): Promise<void> {
  const { id, agentId, terms, at, call } = version
  await tx
    .insertInto('coupon_template_version')
    .values({
      template_id: id,
      version: version.version,
      agent_id: agentId,
      terms: JSON.stringify(terms),
      made_at: at,
      made_by_id: call.caller.operatorId,
      made_by: call.caller.name,
    })
    .execute()
}

/** What a line of the audit log says of a kind of coupon, but for the act itself. */
export const templateRecord = ({ agentId, id }: { agentId: number; id: number }) => ({
  agentId,
  subjectKind: 'coupon_template',
  subjectId: id,
})

async function withName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isTaken(error)) throw new AppError('name_taken', { cause: error })
    throw error
  }
}

export async function createTemplate(
  { kit, audit }: CouponDeps,
  call: SessionCall,
  { agentId, terms }: { agentId: number; terms: CouponTerms },
): Promise<{ id: number; version: number }> {
  if (!call.scope.agentIds.includes(agentId)) throw new AppError('not_found')
  const at = new Date(kit.clock.now())
  return withName(() =>
    kit.db.withScope(call.scope, async (tx) => {
      await checkTerms(tx, call, agentId, terms)
      const by = { created_at: at, changed_at: at, changed_by: call.caller.name }
      const { id } = await tx
        .insertInto('coupon_template')
        .values({ agent_id: agentId, ...columnsOf(terms), ...by })
        .returning('id')
        .executeTakeFirstOrThrow()
      await insertVersion(tx, { id, agentId, version: 1, terms, at, call })
      await audit.act(tx, call, { ...templateRecord({ agentId, id }), action: 'coupon.create', after: { terms } })
      return { id, version: 1 }
    }),
  )
}

/** Throws coupon_below_used where less is granted than was used already. */
function checkBudget(row: TemplateRow, { budgetCents, budgetUses }: CouponTerms): void {
  if (budgetCents !== null && budgetCents < row.used_cents) {
    throw new AppError('coupon_below_used', { values: { used: yuanText(row.used_cents) } })
  }
  if (budgetUses !== null && budgetUses < row.uses) {
    throw new AppError('coupon_below_used', { values: { used: row.uses } })
  }
}

export async function changeTemplate(
  { kit, audit }: CouponDeps,
  call: SessionCall,
  change: { id: number; version: number; terms: CouponTerms },
): Promise<{ id: number; version: number }> {
  const { id, terms } = change
  const at = new Date(kit.clock.now())
  return withName(() =>
    kit.db.withScope(call.scope, async (tx) => {
      const row = await lockTemplate(tx, { id, scope: call.scope })
      if (row.version !== change.version) throw new AppError('conflict')
      await checkTerms(tx, call, row.agent_id, terms)
      checkBudget(row, terms)
      const version = row.version + 1
      await insertVersion(tx, { id, agentId: row.agent_id, version, terms, at, call })
      await tx
        .updateTable('coupon_template')
        .set({ ...columnsOf(terms), version, changed_at: at, changed_by: call.caller.name })
        .where('id', '=', id)
        .execute()
      const record = { ...templateRecord({ agentId: row.agent_id, id }), action: 'coupon.change' }
      await audit.act(tx, call, { ...record, before: { terms: row.terms }, after: { terms } })
      return { id, version }
    }),
  )
}

export async function switchTemplate(
  { kit, audit }: CouponDeps,
  call: SessionCall,
  { id, state }: { id: number; state: CouponTemplateState },
): Promise<{ id: number; state: CouponTemplateState }> {
  return kit.db.withScope(call.scope, async (tx) => {
    const row = await lockTemplate(tx, { id, scope: call.scope })
    if (row.state === state) return { id, state }
    await tx.updateTable('coupon_template').set({ state }).where('id', '=', id).execute()
    await audit.act(tx, call, {
      ...templateRecord({ agentId: row.agent_id, id }),
      action: state === 'on' ? 'coupon.on' : 'coupon.off',
    })
    return { id, state }
  })
}
