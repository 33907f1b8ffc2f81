import { sql, type RawBuilder } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { countInBatches } from './count.ts'
import type { CouponDeps } from './deps.ts'

const couponRow = rowOf('coupon', 'c', ['id', 'agent_id', 'batch_id'])

/** Takes back what is open of the coupons that a condition names, with one audit record for each batch. */
async function revoke(
  { kit, audit }: CouponDeps,
  tx: Tx,
  call: SessionCall,
  { which, reason }: { which: RawBuilder<unknown>; reason: string },
): Promise<number> {
  const { scope, caller } = call
  const { rows } = await couponRow.select`
    from coupon c
    where ${which} and c.agent_id = any (${scope.agentIds}::bigint[]) and c.state = 'open'
    order by c.id for update`.execute(tx)
  if (rows.length === 0) return 0
  await sql`
    update coupon set state = 'revoked', revoked_at = ${new Date(kit.clock.now())}, revoked_by = ${caller.name},
      revoke_reason = ${reason}
    where id = any (${rows.map(({ id }) => id)}::bigint[])`.execute(tx)
  const agents = new Map(rows.map((row) => [row.batch_id, row.agent_id]))
  const batchIds = rows.map((row) => row.batch_id)
  const counts = [...(await countInBatches(tx, 'revoked', batchIds))]
  for (const [batchId, revoked] of counts.toSorted(([a], [b]) => (agents.get(a) ?? 0) - (agents.get(b) ?? 0))) {
    const subject = { agentId: agents.get(batchId) ?? 0, subjectKind: 'coupon_batch', subjectId: batchId }
    await audit.act(tx, call, { ...subject, action: 'coupon.revoke', after: { revoked, reason } })
  }
  return rows.length
}

/** Takes back chosen coupons; those that are not open stay as they are. */
export async function revokeCoupons(
  deps: CouponDeps,
  call: SessionCall,
  { ids, reason }: { ids: readonly number[]; reason: string },
): Promise<number> {
  return deps.kit.db.withScope(call.scope, async (tx) => {
    const known = await couponRow.select`
      from coupon c
      where c.id = any (${ids}::bigint[]) and c.agent_id = any (${call.scope.agentIds}::bigint[])`.execute(tx)
    if (known.rows.length === 0) throw new AppError('not_found')
    return revoke(deps, tx, call, { which: sql`c.id = any (${ids}::bigint[])`, reason })
  })
}
