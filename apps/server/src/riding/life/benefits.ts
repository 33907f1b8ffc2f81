import { sql } from 'kysely'
import type { SkippedBenefit } from '@saddle/contract/riding/benefits.ts'
import type { PriceRules } from '@saddle/contract/riding/price.ts'
import type { Benefits } from '#finance/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import { priceRide, type Price, type PricedRide } from '#riding/pricing/pricing.ts'

/**
 * Prices a ride with what its rider holds, and takes the benefits that lower it. One that is refused, because its budget
 * or the benefit itself was used meanwhile, does not hold up the end of the ride: what was stored is taken back, and the
 * ride is priced again without it. Each turn leaves out one benefit at least, so the turns end.
 */
export async function priceAndUse(
  benefits: Pick<Benefits, 'held' | 'use'>,
  tx: Tx,
  charged: {
    readonly orderId: number
    readonly agentId: number
    readonly riderId: number
    readonly rules: PriceRules
    readonly ride: Omit<PricedRide, 'benefits'>
  },
): Promise<Price> {
  const { orderId, agentId, riderId, rules, ride } = charged
  const { startedAt, endedAt } = ride
  const held = await benefits.held(tx, { agentId, riderId, startedAt, endedAt })
  let left = held.benefits
  const skipped: SkippedBenefit[] = [...held.skipped]
  for (;;) {
    const price = priceRide(rules, { ...ride, benefits: left })
    const result = { ...price, skipped: [...skipped, ...price.skipped] }
    if (price.applied.length === 0) return result
    await sql`savepoint benefits`.execute(tx)
    const refused = await benefits.use(tx, { agentId, orderId, startedAt, endedAt, lines: price.lines })
    await sql.raw(refused.length === 0 ? 'release savepoint benefits' : 'rollback to savepoint benefits').execute(tx)
    if (refused.length === 0) return result
    const before = left.length
    for (const { kind, id, why } of refused) {
      const benefit = left.find((one) => one.kind === kind && one.id === id)
      if (benefit !== undefined) skipped.push({ kind, id, name: benefit.name, why })
      left = left.filter((one) => one !== benefit)
    }
    if (left.length === before) throw new Error(`a benefit was refused that order ${orderId} does not have`)
  }
}
