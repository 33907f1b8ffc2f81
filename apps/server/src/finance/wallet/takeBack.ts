import type { Tx } from '#kit/db/pool.ts'
import type { TakeBackGuard } from '../deposits/steps.ts'
import { reasonOf } from '@saddle/contract/riding/reasons.ts'
import { refundableRecharges } from '../payments/store.ts'
import type { MoneyDeps } from '../deps.ts'
import type { Who } from './who.ts'

type Parts = Pick<MoneyDeps, 'kit' | 'ledger' | 'gifts' | 'payments'> & { readonly guardTakeBack: TakeBackGuard }

/** Number of payments refunded in one call; a rider with more repeats the request. */
const paymentsMax = 20

/**
 * Gives a rider's balance back to where it came from, and takes the gift that came with it. Throws rider_busy and order_due.
 * Asked again, there is nothing left to give back.
 */
export async function takeBalanceBack(
  { kit, ledger, gifts, payments, guardTakeBack }: Parts,
  tx: Tx,
  who: Who,
): Promise<{ refundedCents: number; leftCents: number; lapsedGiftCents: number }> {
  const { agentId, riderId } = who
  await guardTakeBack(tx, riderId)
  // Before anything is posted: a ride of the rider locks its lots before it posts.
  const lots = await gifts.held(tx, who)
  const ownGift = { agentId, account: { kind: 'rider_gift', ownerId: riderId } } as const
  const gift = await ledger.balanceOf(ownGift, tx)
  const balance = await ledger.balanceOf({ agentId, account: { kind: 'rider_balance', ownerId: riderId } }, tx)
  let left = balance
  let last: { paymentId: number; refundId: number } | null = null
  for (const payment of await refundableRecharges(tx, { ...who, limit: paymentsMax })) {
    const cents = Math.min(left, payment.left)
    if (cents <= 0) break
    left -= cents
    const refund = { agentId, paymentId: payment.id, cents, reason: '骑行者退余额' }
    last = { paymentId: payment.id, refundId: await payments.refundIn(tx, refund) }
  }
  if (last !== null && left === 0) {
    await gifts.revoke(tx, {
      agentId,
      lotIds: lots.map(({ id }) => id),
      reference: `payment:${last.paymentId}`,
      key: `gift_lapsed:${last.refundId}`,
      reason: reasonOf('giftOfBalance'),
      at: kit.clock.now(),
    })
  }
  const lapsedGiftCents = gift - (await ledger.balanceOf(ownGift, tx))
  return { refundedCents: balance - left, leftCents: left, lapsedGiftCents }
}
