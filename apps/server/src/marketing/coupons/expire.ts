import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { countInBatches } from './count.ts'

const expiredPerStep = 2_000
/** Steps of one turn; what is left comes with the next. */
const stepsMax = 50

const couponRow = rowOf('coupon', 'c', ['id', 'batch_id'])

/** Ends coupons and codes whose time is over, in steps of a transaction each. Resolves to their number. */
export async function expireCoupons({ db, clock }: Pick<Kit, 'db' | 'clock'>): Promise<number> {
  const now = new Date(clock.now())
  let expired = 0
  for (let step = 0; step < stepsMax; step += 1) {
    const ended = await db.system((tx) => expireSome(tx, now))
    expired += ended
    if (ended < expiredPerStep) break
  }
  return expired
}

async function expireSome(tx: Tx, now: Date): Promise<number> {
  const { rows } = await couponRow.select`
    from coupon c where c.state = 'open' and c.ends_at <= ${now}
    order by c.ends_at, c.id limit ${expiredPerStep} for update skip locked`.execute(tx)
  if (rows.length === 0) return 0
  await sql`update coupon set state = 'expired' where id = any (${rows.map(({ id }) => id)}::bigint[])`.execute(tx)
  const batchIds = rows.map((row) => row.batch_id)
  await countInBatches(tx, 'expired', batchIds)
  return rows.length
}
