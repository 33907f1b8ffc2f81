import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { CouponSource } from '@saddle/contract/marketing/couponBatches.ts'
import type { CouponSkipReason } from '@saddle/contract/marketing/couponSkips.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { CouponDeps } from './deps.ts'
import { chooseRiders, endOf, isSpent, newCodes } from './rules.ts'
import { termsOf } from './store.ts'
import { readTemplate, templateRecord, type TemplateRow } from './templates.ts'

/** Throws where coupons of a kind cannot be issued now; answers with the end of those that are. */
function checkIssue(template: TemplateRow, nowMs: number): number {
  if (template.state === 'off') throw new AppError('coupon_off')
  if (isSpent(template)) throw new AppError('coupon_budget_spent')
  const endsAt = endOf(termsOf(template.terms), nowMs)
  if (endsAt <= nowMs) throw new AppError('coupon_over')
  return endsAt
}

type NewBatch = {
  readonly template: TemplateRow
  readonly source: CouponSource
  readonly note: string
  /** The activity whose rewards it counts. */
  readonly activityId?: number | null
  readonly claimUntil: Date | null
  readonly wanted: number
  readonly issued: number
  readonly at: Date
  readonly by: { readonly id: number | null; readonly name: string }
}

export async function insertBatch(tx: Tx, batch: NewBatch): Promise<number> {
  const { template, by } = batch
  const { id } = await tx
    .insertInto('coupon_batch')
    .values({
      agent_id: template.agent_id,
      template_id: template.id,
      version: template.version,
      source: batch.source,
      note: batch.note,
      activity_id: batch.activityId ?? null,
      claim_until: batch.claimUntil,
      wanted: batch.wanted,
      issued: batch.issued,
      made_at: batch.at,
      made_by_id: by.id,
      made_by: by.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const riderRow = rowsOf(
  rowOf('rider', 'r', ['id']),
  rowOfValues({ is_closed: computed('boolean', sql`r.closed_at is not null`) }),
)
const heldRow = rowsOf(
  rowOf('coupon', 'c', ['rider_id']).filled('rider_id'),
  rowOfValues({ count: computed('bigint', sql`count(*)`) }),
)

/**
 * Locks riders of any companies until the end of the transaction, in one statement and in one order: whoever gives to several
 * riders in turn does this first, or two of them wait for each other.
 */
export async function lockAllRiders(tx: Tx, riderIds: readonly number[]): Promise<void> {
  if (riderIds.length === 0) return
  await sql`
    select from rider where id = any (${[...new Set(riderIds)]}::bigint[]) order by id for no key update`.execute(tx)
}

/** The riders of a company, locked until the end of the transaction: whoever gives them a coupon meanwhile waits. */
export async function lockRiders(tx: Tx, agentId: number, riderIds: readonly number[]) {
  const { rows } = await riderRow.select`
    from rider r where r.id = any (${riderIds}::bigint[]) and r.agent_id = ${agentId}
    order by r.id for no key update`.execute(tx)
  return new Map(rows.map((row) => [row.id, { isClosed: row.is_closed }]))
}

/** Open coupons of a kind that riders hold; a statement of its own, after the riders are locked. */
export async function heldBy(
  tx: Tx,
  asked: {
    readonly template: Pick<TemplateRow, 'id' | 'agent_id'>
    readonly riderIds: readonly number[]
    readonly at: Date
  },
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await heldRow.select`
    from coupon c
    where c.rider_id = any (${asked.riderIds}::bigint[]) and c.agent_id = ${asked.template.agent_id}
      and c.template_id = ${asked.template.id} and c.state = 'open' and c.ends_at > ${asked.at}
    group by c.rider_id`.execute(tx)
  return new Map(rows.map((row) => [row.rider_id, row.count]))
}

type Issue = {
  readonly templateId: number
  readonly riderIds?: readonly number[] | undefined
  readonly phones?: readonly string[] | undefined
  readonly note: string
}

/** Issues a coupon to each rider of a list. */
export async function issueToRiders(
  { kit, audit, riders }: CouponDeps,
  call: SessionCall,
  { templateId, riderIds, phones = [], note }: Issue,
): Promise<{ batchId: number | null; issued: number; skipped: { at: number; why: CouponSkipReason }[] }> {
  const at = new Date(kit.clock.now())
  const { agent_id: agentId } = await kit.db.withScope(call.scope, (tx) =>
    readTemplate(tx, { id: templateId, scope: call.scope }),
  )
  const byPhone = async () => {
    const found = await riders.idsByPhones({ ...call.scope, agentIds: [agentId] }, phones)
    return found.map(([id]) => id)
  }
  const wanted = riderIds ?? (await byPhone())
  return kit.db.withScope(call.scope, async (tx) => {
    const template = await readTemplate(tx, { id: templateId, scope: call.scope })
    const endsAt = checkIssue(template, at.getTime())
    const ids = [...new Set(wanted.filter((id) => id !== undefined))]
    const known = await lockRiders(tx, agentId, ids)
    const held = await heldBy(tx, { template, riderIds: ids, at })
    const chosen = chooseRiders({ wanted, known, held, riderMax: template.rider_max })
    const issued = chosen.riderIds.length
    if (issued === 0) return { batchId: null, issued, skipped: chosen.skipped }
    const by = { id: call.caller.operatorId, name: call.caller.name }
    const batch = { template, source: 'riders', note, claimUntil: null, wanted: wanted.length, issued, at, by } as const
    const batchId = await insertBatch(tx, batch)
    await sql`
      insert into coupon (agent_id, template_id, version, batch_id, rider_id, issued_at, ends_at)
      select ${agentId}, ${templateId}, ${template.version}, ${batchId}, n.rider_id, ${at}, ${new Date(endsAt)}
      from unnest(${chosen.riderIds}::bigint[]) as n (rider_id)`.execute(tx)
    const after = { batchId, wanted: wanted.length, issued, note }
    await audit.act(tx, call, { ...templateRecord({ agentId, id: templateId }), action: 'coupon.issue', after })
    return { batchId, issued, skipped: chosen.skipped }
  })
}

/** Makes codes, each of which one rider can claim. */
export async function makeCodes(
  { kit, audit }: CouponDeps,
  call: SessionCall,
  asked: { templateId: number; count: number; claimUntil: number; note: string },
): Promise<{ batchId: number; issued: number }> {
  const { templateId, count, note } = asked
  const at = new Date(kit.clock.now())
  const codes = newCodes(kit.random, count)
  return kit.db.withScope(call.scope, async (tx) => {
    const template = await readTemplate(tx, { id: templateId, scope: call.scope })
    checkIssue(template, at.getTime())
    const { validUntil } = termsOf(template.terms)
    // A code that is claimed after the coupon's own end would be worth nothing.
    const claimUntil = new Date(Math.min(asked.claimUntil, validUntil ?? asked.claimUntil))
    if (claimUntil <= at) throw new AppError('coupon_over')
    const by = { id: call.caller.operatorId, name: call.caller.name }
    const own = { template, source: 'codes', note, claimUntil, wanted: count, issued: count, at, by } as const
    const batchId = await insertBatch(tx, own)
    const { agent_id: agentId } = template
    await sql`
      insert into coupon (agent_id, template_id, version, batch_id, code, issued_at, ends_at)
      select ${agentId}, ${templateId}, ${template.version}, ${batchId}, n.code, ${at}, ${claimUntil}
      from unnest(${codes}::text[]) as n (code)`.execute(tx)
    const after = { batchId, issued: count, claimUntil: claimUntil.getTime(), note }
    await audit.act(tx, call, { ...templateRecord({ agentId, id: templateId }), action: 'coupon.codes', after })
    return { batchId, issued: count }
  })
}
