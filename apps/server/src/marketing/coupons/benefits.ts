import { sql } from 'kysely'
import { couponStates } from '@saddle/contract/marketing/coupons.ts'
import type { SkipReason } from '@saddle/contract/riding/benefits.ts'
import type { BenefitSource } from '#finance/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { isMoneyUsedUp } from '../usedUp.ts'
import { benefitOf, isSpent, whyNotOpen } from './rules.ts'
import { tellReached } from './reached.ts'
import { termsOf } from './store.ts'

/** Coupons of a rider that the charge of a ride looks at: those that lapse first. */
const heldMax = 50

const heldRow = rowsOf(
  rowOf('coupon', 'c', ['id', 'ends_at']),
  rowOf('coupon_template_version', 'v', ['terms']),
  rowOf('coupon_template', 't', ['budget_cents', 'budget_uses', 'used_cents', 'uses']),
)
/** A kind whose budget is used up gives nothing more, also where a ride has read it before. */
const isKindUsedUp = isMoneyUsedUp({
  budgetCents: sql`t.budget_cents`,
  usedCents: sql`t.used_cents`,
  uses: sql`t.uses`,
})
const takenRow = rowOf('coupon_template', 'p', [
  'id as template_id',
  'name',
  'budget_cents',
  'budget_uses',
  'used_cents',
  'uses',
]).optional()
const stateRow = rowOf('coupon', ['state']).codes({ state: couponStates })
const usedRow = rowOf('coupon', ['id', 'template_id', 'batch_id', 'issued_at', 'saved_cents']).filled('saved_cents')
const askedRow = rowOf('coupon_batch', 'b', ['revoke_asked_at', 'revoke_asked_by', 'revoke_reason'])

/**
 * Coupons as a source of benefits. `held` locks nothing: a coupon and the budget of its kind are taken by conditional
 * updates in `recordUses`, late in the transaction of the charge, so that rides wait for each other as briefly as can be.
 * The order of the locks is coupon, kind, batch.
 */
export const couponBenefits: BenefitSource = {
  kinds: ['coupon'],

  held: async (tx, { agentId, riderId, endedAt }) => {
    const { rows } = await heldRow.select`
      from coupon c
      join coupon_template_version v on v.template_id = c.template_id and v.version = c.version
      join coupon_template t on t.id = c.template_id
      where c.rider_id = ${riderId} and c.agent_id = ${agentId} and c.state = 'open' and c.ends_at > ${new Date(endedAt)}
      order by c.ends_at, c.id limit ${heldMax}`.execute(tx)
    const coupons = rows.map((row) => ({
      benefit: benefitOf(row.id, termsOf(row.terms), row.ends_at.getTime()),
      isSpent: isSpent(row),
    }))
    return {
      benefits: coupons.flatMap((coupon) => (coupon.isSpent ? [] : [coupon.benefit])),
      skipped: coupons.flatMap(({ benefit: { kind, id, name }, isSpent: spent }) =>
        spent ? [{ kind, id, name, why: 'budget_spent' as const }] : [],
      ),
    }
  },

  recordUses: async (tx, { agentId, orderId, endedAt, uses }) => {
    const refused: { id: number; why: SkipReason }[] = []
    for (const { id, savedCents } of uses) {
      const why = await takeCoupon(tx, { id, agentId, orderId, savedCents, at: new Date(endedAt) })
      if (why !== null) refused.push({ id, why })
    }
    return refused
  },

  giveBack: async (tx, { agentId, orderId, at }) => {
    const { rows } = await usedRow.select`
      from coupon
      where order_id = ${orderId} and agent_id = ${agentId} and state = 'used' and returned_at is null
        and ends_at > ${new Date(at)}
      order by id for update`.execute(tx)
    for (const row of rows) await giveCouponBack(tx, row, new Date(at))
  },
}

/**
 * Opens a used coupon again. One whose batch was taken back meanwhile falls as revoked: its rider would hold the only one
 * that is left. The batch is locked before it is decided, so that whoever takes the batch back finds the coupon open or not
 * at all.
 */
async function giveCouponBack(tx: Tx, coupon: RowOf<typeof usedRow>, at: Date): Promise<void> {
  const { id, template_id: templateId, batch_id: batchId, issued_at: issuedAt, saved_cents: savedCents } = coupon
  await sql`
    update coupon_template set uses = uses - 1, used_cents = used_cents - ${savedCents} where id = ${templateId}`.execute(
    tx,
  )
  const { rows } = await askedRow.returning`
    update coupon_batch b set used = used - 1 where b.id = ${batchId}`.execute(tx)
  const [batch] = rows
  // A batch of rewards grows on: what it got after it was taken back stays open.
  const isRevoked = batch !== undefined && batch.revoke_asked_at !== null && batch.revoke_asked_at >= issuedAt
  const [state, revokedAt, by] = isRevoked ? ['revoked', at, batch.revoke_asked_by] : ['open', null, null]
  await sql`
    update coupon set state = ${state}, returned_order_id = order_id, returned_at = ${at}, used_at = null,
      order_id = null, saved_cents = null, revoked_at = ${revokedAt}, revoked_by = ${by},
      revoke_reason = ${isRevoked ? batch.revoke_reason : ''}
    where id = ${id}`.execute(tx)
  if (isRevoked) await sql`update coupon_batch set revoked = revoked + 1 where id = ${batchId}`.execute(tx)
}

/** Takes a coupon and what it saves from the budget of its kind, in one statement; why not, where either is gone. */
async function takeCoupon(
  tx: Tx,
  use: { id: number; agentId: number; orderId: number; savedCents: number; at: Date },
): Promise<SkipReason | null> {
  const { id, agentId, orderId, savedCents, at } = use
  // Each part reads the one before it, so the rows are locked in this order.
  const taken = takenRow.query(
    (list) => sql`
    with taken as (
      update coupon set state = 'used', used_at = ${at}, order_id = ${orderId}, saved_cents = ${savedCents}
      where id = ${id} and agent_id = ${agentId} and rider_id is not null and state = 'open' and ends_at > ${at}
      returning template_id, batch_id
    ), paid as (
      update coupon_template t set uses = t.uses + 1, used_cents = t.used_cents + ${savedCents}
      from taken where t.id = taken.template_id and (t.budget_uses is null or t.uses < t.budget_uses)
        and (t.budget_cents is null or t.used_cents + ${savedCents} <= t.budget_cents) and not ${isKindUsedUp}
      returning taken.batch_id, t.id, t.name, t.budget_cents, t.budget_uses, t.used_cents, t.uses
    ), counted as (
      update coupon_batch b set used = used + 1 from paid where b.id = paid.batch_id
    )
    select ${list} from taken left join paid p on true`,
  )
  const [row] = (await taken.execute(tx)).rows
  if (row === undefined) return whyTaken(tx, { id, agentId })
  const { templateId, name, usedCents, uses, ...budget } = takenRow.present(row)
  if (templateId === null || name === null || usedCents === null || uses === null) return 'budget_spent'
  await tellReached(tx, { templateId, agentId, name, usedCents, uses, savedCents, at, ...budget })
  return null
}

async function whyTaken(tx: Tx, { id, agentId }: { id: number; agentId: number }): Promise<SkipReason> {
  const { rows } = await stateRow.select`from coupon where id = ${id} and agent_id = ${agentId}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error(`coupon ${id} is not there`)
  return whyNotOpen(stateRow.present(row).state)
}
