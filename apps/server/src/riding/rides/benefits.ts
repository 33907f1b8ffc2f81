import { sql } from 'kysely'
import type { SkippedBenefit, Weather } from '@saddle/contract/riding/benefits.ts'
import type { PriceRules } from '@saddle/contract/riding/price.ts'
import type { Benefits } from '#finance/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import { priceRide, type Price, type PricedRide } from '#riding/pricing/pricing.ts'

/**
 * Prices a ride with its rider's benefits, and uses those that lower the price. A benefit may be refused because it or
 * its budget was used meanwhile. This does not block the end of the ride: the stored uses are rolled back, and the ride
 * is priced again without it. Each attempt excludes at least one benefit, so the loop ends. `weatherThen` is asked only
 * where a benefit depends on the weather.
 */
export async function priceAndUse(
  benefits: Pick<Benefits, 'held' | 'use'>,
  tx: Tx,
  charged: {
    readonly orderId: number
    readonly agentId: number
    readonly riderId: number
    readonly rules: PriceRules
    readonly ride: Omit<PricedRide, 'benefits' | 'weather'>
    readonly weatherThen: () => Promise<Weather | null>
  },
): Promise<Price> {
  const { orderId, agentId, riderId, rules, weatherThen } = charged
  const { startedAt, endedAt } = charged.ride
  const held = await benefits.held(tx, { agentId, riderId, startedAt, endedAt })
  const asksWeather = held.benefits.some(({ conditions }) => conditions.weathers.length > 0)
  const ride = { ...charged.ride, weather: asksWeather ? await weatherThen() : null }
  let left = held.benefits
  const skipped: SkippedBenefit[] = [...held.skipped]
  for (;;) {
    const price = priceRide(rules, { ...ride, benefits: left })
    const result = { ...price, skipped: [...skipped, ...price.skipped] }
    if (price.applied.length === 0) return result
    await sql`savepoint benefits`.execute(tx)
    const refused = await benefits.use(tx, { agentId, riderId, orderId, startedAt, endedAt, lines: price.lines })
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
