import type { Tx } from '#kit/db/pool.ts'
import type { TakeBackGuard } from '../deposits/steps.ts'
import { giftLapsed } from '../ledger/recipes.ts'
import { refundableRecharges } from '../payments/store.ts'
import type { MoneyDeps } from '../deps.ts'
import type { Who } from './who.ts'

type Parts = Pick<MoneyDeps, 'kit' | 'ledger' | 'payments'> & { readonly guardTakeBack: TakeBackGuard }

/** Number of payments refunded in one call; a rider with more repeats the request. */
const paymentsMax = 20

/**
 * Gives a rider's balance back to where it came from, and takes the gift that came with it. Throws rider_busy and order_due.
 * Asked again, there is nothing left to give back.
 */
export async function takeBalanceBack(
  { kit, ledger, payments, guardTakeBack }: Parts,
  tx: Tx,
  who: Who,
): Promise<{ refundedCents: number; leftCents: number; lapsedGiftCents: number }> {
  const { agentId, riderId } = who
  await guardTakeBack(tx, riderId)
  const accounts = [
    { kind: 'rider_balance', ownerId: riderId },
    { kind: 'rider_gift', ownerId: riderId },
  ] as const
  const [balance = 0, gift = 0] = await ledger.balancesOf({ agentId, accounts }, tx)
  let left = balance
  let last: { paymentId: number; refundId: number } | null = null
  for (const payment of await refundableRecharges(tx, { ...who, limit: paymentsMax })) {
    const cents = Math.min(left, payment.left)
    if (cents <= 0) break
    left -= cents
    const refund = { agentId, paymentId: payment.id, cents, reason: '骑行者退余额' }
    last = { paymentId: payment.id, refundId: await payments.refundIn(tx, refund) }
  }
  const lapsed = last === null || left > 0 ? 0 : gift
  if (last !== null && lapsed > 0) {
    await ledger.post(giftLapsed({ ...who, ...last, cents: lapsed, at: kit.clock.now() }), tx)
  }
  return { refundedCents: balance - left, leftCents: left, lapsedGiftCents: lapsed }
}
