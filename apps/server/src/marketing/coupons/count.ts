import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'

/**
 * Adds to a counter of each batch. The batches are locked in the order of their ids, after the coupons: whoever changes
 * several does it in this order.
 */
export async function countInBatches(
  tx: Tx,
  counter: 'used' | 'expired' | 'revoked',
  batchIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>()
  for (const id of batchIds) counts.set(id, (counts.get(id) ?? 0) + 1)
  const ids = [...counts.keys()].toSorted((a, b) => a - b)
  await sql`select from coupon_batch where id = any (${ids}::bigint[]) order by id for no key update`.execute(tx)
  await sql`
    update coupon_batch b set ${sql.ref(counter)} = ${sql.ref(`b.${counter}`)} + n.count
    from unnest(${ids}::bigint[], ${ids.map((id) => counts.get(id) ?? 0)}::integer[]) as n (id, count)
    where b.id = n.id`.execute(tx)
  return counts
}
