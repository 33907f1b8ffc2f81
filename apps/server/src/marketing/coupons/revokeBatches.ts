import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { countInBatches } from './count.ts'
import type { CouponDeps } from './deps.ts'

const couponsPerStep = 2_000
/** Steps that the call itself takes: a batch of this size is done when it answers. */
const stepsOfCall = 5
/** Steps of one turn of the worker; what is left comes with the next. */
const stepsOfTurn = 50

const askedRow = rowOf('coupon_batch', 'b', ['id', 'agent_id', 'open', 'revoke_asked_at', 'revoke_done_at'])

/**
 * Takes back all that is open of a batch, its codes too. A large batch is not done when this answers: the worker goes on.
 * Answers with what was taken back by now and what is left.
 */
export async function revokeBatch(
  { kit, audit }: CouponDeps,
  call: SessionCall,
  { batchId, reason }: { readonly batchId: number; readonly reason: string },
): Promise<{ revoked: number; left: number }> {
  const { scope, caller } = call
  await kit.db.withScope(scope, async (tx) => {
    const { rows } = await askedRow.select`
      from coupon_batch b where b.id = ${batchId} and b.agent_id = any (${scope.agentIds}::bigint[])
      for no key update`.execute(tx)
    const [batch] = rows
    if (batch === undefined) throw new AppError('not_found')
    const isRunning = batch.revoke_asked_at !== null && batch.revoke_done_at === null
    if (isRunning) return
    if (batch.open === 0) throw new AppError('coupon_batch_closed')
    await sql`
      update coupon_batch set revoke_asked_at = ${new Date(kit.clock.now())}, revoke_asked_by = ${caller.name},
        revoke_reason = ${reason}, revoke_done_at = null
      where id = ${batchId}`.execute(tx)
    const subject = { agentId: batch.agent_id, subjectKind: 'coupon_batch', subjectId: batchId }
    await audit.act(tx, call, { ...subject, action: 'coupon.revoke', after: { revoked: batch.open, reason } })
  })
  const revoked = await revokeSteps(kit, { batchId, steps: stepsOfCall })
  const [left] = await kit.db.read(scope, (k) =>
    askedRow.select`
      from coupon_batch b where b.id = ${batchId} and b.agent_id = any (${scope.agentIds}::bigint[])`.compile(k),
  )
  return { revoked, left: left?.revoke_done_at === null && left.revoke_asked_at !== null ? left.open : 0 }
}

const batchRow = rowOf('coupon_batch', 'b', ['id'])

/** Goes on with batches that are being taken back. Resolves to the number of coupons. For the worker; safe on several. */
export async function revokeBatches(kit: Pick<Kit, 'db' | 'clock'>): Promise<number> {
  const asked = await kit.db.systemRead((k) =>
    batchRow.select`
      from coupon_batch b where b.revoke_asked_at is not null and b.revoke_done_at is null
      order by b.revoke_asked_at, b.id limit ${stepsOfTurn}`.compile(k),
  )
  let revoked = 0
  for (const { id: batchId } of asked) revoked += await revokeSteps(kit, { batchId, steps: stepsOfTurn })
  return revoked
}

async function revokeSteps(
  { db, clock }: Pick<Kit, 'db' | 'clock'>,
  { batchId, steps }: { readonly batchId: number; readonly steps: number },
): Promise<number> {
  let revoked = 0
  for (let step = 0; step < steps; step += 1) {
    const count = await db.system((tx) => revokeSome(tx, { batchId, now: new Date(clock.now()) }))
    revoked += count ?? 0
    if (count === null) break
  }
  return revoked
}

const couponRow = rowOf('coupon', 'c', ['id'])

/** Takes some coupons back; null where nothing is left to do. The coupons are locked before the batch, as everywhere. */
async function revokeSome(
  tx: Tx,
  { batchId, now }: { readonly batchId: number; readonly now: Date },
): Promise<number | null> {
  const { rows } = await couponRow.select`
    from coupon c join coupon_batch b on b.id = c.batch_id
    where c.batch_id = ${batchId} and c.agent_id = b.agent_id and c.state = 'open' and b.revoke_done_at is null
      and b.revoke_asked_at is not null
    order by c.id limit ${couponsPerStep} for update of c`.execute(tx)
  if (rows.length === 0) {
    await sql`
      update coupon_batch set revoke_done_at = ${now}
      where id = ${batchId} and revoke_asked_at is not null and revoke_done_at is null`.execute(tx)
    return null
  }
  await sql`
    update coupon c set state = 'revoked', revoked_at = ${now}, revoked_by = b.revoke_asked_by,
      revoke_reason = b.revoke_reason
    from coupon_batch b where b.id = c.batch_id and c.id = any (${rows.map(({ id }) => id)}::bigint[])`.execute(tx)
  await countInBatches(
    tx,
    'revoked',
    rows.map(() => batchId),
  )
  return rows.length
}
