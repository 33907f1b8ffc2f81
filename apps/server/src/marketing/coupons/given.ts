import { sql } from 'kysely'
import { businessDayOf, businessDayStart } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues } from '#kit/db/rows.ts'
import { countInBatches } from './count.ts'
import { insertBatch } from './issue.ts'
import { endOf } from './rules.ts'
import { termsOf } from './store.ts'
import type { TemplateRow } from './templates.ts'

/** Coupons that rules give to riders, without a person who issues them. */

const batchMax = 50_000
const givenBy = '平台'
const batchRow = rowOf('coupon_batch', 'b', ['id'])
const newRow = rowOf('coupon', ['id'])

type Given = {
  readonly template: TemplateRow
  readonly riderId: number
  readonly count: number
  readonly note: string
  /** The activity that gives them; null: a person by hand. */
  readonly activityId: number | null
  readonly at: Date
}

/** Issues coupons to a locked rider, in the batch that the kind has for rewards of this day. */
export async function giveCoupons(
  tx: Tx,
  { template, riderId, count, note, activityId, at }: Given,
): Promise<number[]> {
  const { id: templateId, agent_id: agentId, version } = template
  const batchId = await dayBatch(tx, { template, count, note, activityId, at })
  const endsAt = new Date(endOf(termsOf(template.terms), at.getTime()))
  const { rows } = await newRow.returning`
    insert into coupon (agent_id, template_id, version, batch_id, rider_id, issued_at, ends_at)
    select ${agentId}, ${templateId}, ${version}, ${batchId}, ${riderId}, ${at}, ${endsAt}
    from generate_series(1, ${count})`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Counts the coupons in a batch of the day; opens one where there is none, or where it is full. */
async function dayBatch(
  tx: Tx,
  { template, count, note, activityId, at }: Pick<Given, 'template' | 'count' | 'note' | 'activityId' | 'at'>,
): Promise<number> {
  const from = new Date(businessDayStart(businessDayOf(at.getTime())))
  const { rows } = await batchRow.returning`
    update coupon_batch b set wanted = b.wanted + ${count}, issued = b.issued + ${count}
    where b.id = (
      select o.id from coupon_batch o
      where o.template_id = ${template.id} and o.version = ${template.version} and o.source = 'rewards'
        and o.note = ${note} and o.activity_id is not distinct from ${activityId}::bigint and o.revoke_asked_at is null
        and o.made_at >= ${from} and o.made_at <= ${at} and o.wanted + ${count} <= ${batchMax}
      order by o.made_at desc, o.id desc limit 1 for no key update)`.execute(tx)
  const [open] = rows
  if (open !== undefined) return open.id
  const by = { id: null, name: givenBy }
  return insertBatch(tx, {
    template,
    source: 'rewards',
    note,
    activityId,
    claimUntil: null,
    wanted: count,
    issued: count,
    at,
    by,
  })
}

const openRow = rowOf('coupon', 'c', ['id', 'batch_id'])
const usedRow = rowOfValues({ used: computed('bigint', sql`count(*) filter (where c.state = 'used')`) })

type TakenBack = {
  readonly agentId: number
  readonly ids: readonly number[]
  readonly at: Date
  readonly by: string
  readonly reason: string
}

/** Takes back what is open of given coupons. Answers with how many that were, and how many the rider had used. */
export async function takeBackCoupons(
  tx: Tx,
  { agentId, ids, at, by, reason }: TakenBack,
): Promise<{ revoked: number; used: number }> {
  const { rows } = await openRow.select`
    from coupon c
    where c.id = any (${ids}::bigint[]) and c.agent_id = ${agentId} and c.state = 'open' order by c.id for update`.execute(
    tx,
  )
  if (rows.length > 0) {
    await sql`
      update coupon set state = 'revoked', revoked_at = ${at}, revoked_by = ${by}, revoke_reason = ${reason}
      where id = any (${rows.map(({ id }) => id)}::bigint[])`.execute(tx)
    await countInBatches(
      tx,
      'revoked',
      rows.map((row) => row.batch_id),
    )
  }
  const counted = await usedRow.select`
    from coupon c where c.id = any (${ids}::bigint[]) and c.agent_id = ${agentId}`.execute(tx)
  return { revoked: rows.length, used: counted.rows[0]?.used ?? 0 }
}

/** Opens coupons again that were taken back, but for those that would have expired meanwhile. Answers with their number. */
export async function openCouponsAgain(
  tx: Tx,
  { agentId, ids, at }: { readonly agentId: number; readonly ids: readonly number[]; readonly at: Date },
): Promise<number> {
  const { rows } = await openRow.select`
    from coupon c
    where c.id = any (${ids}::bigint[]) and c.agent_id = ${agentId} and c.state = 'revoked' and c.ends_at > ${at}
    order by c.id for update`.execute(tx)
  if (rows.length === 0) return 0
  await sql`
    update coupon set state = 'open', revoked_at = null, revoked_by = null, revoke_reason = ''
    where id = any (${rows.map(({ id }) => id)}::bigint[])`.execute(tx)
  for (const batchId of rows.map((row) => row.batch_id).toSorted((a, b) => a - b)) {
    await sql`update coupon_batch set revoked = revoked - 1 where id = ${batchId}`.execute(tx)
  }
  return rows.length
}
