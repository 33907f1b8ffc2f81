import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import type { TakeBackGuard } from '../deposits/steps.ts'
import { reasonOf } from '@saddle/contract/riding/reasons.ts'
import { platformNotes } from '@saddle/contract/finance/platformNotes.ts'
import { refundableRecharges } from '../payments/store.ts'
import type { MoneyDeps } from '../deps.ts'
import type { Who } from './who.ts'

type Parts = Pick<MoneyDeps, 'kit' | 'ledger' | 'gifts' | 'payments'> & { readonly guardTakeBack: TakeBackGuard }

/** Number of payments refunded in one call; a rider with more repeats the request. */
const paymentsMax = 20

const sumOfLots = (lots: readonly { readonly openCents: number }[]): number =>
  lots.reduce((sum, { openCents }) => sum + openCents, 0)

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
  // Of two calls at once the second finds what the first has left.
  await sql`select from rider where id = ${riderId} and agent_id = ${agentId} for no key update`.execute(tx)
  await guardTakeBack(tx, riderId)
  const ownGift = { agentId, account: { kind: 'rider_gift', ownerId: riderId } } as const
  const gift = await ledger.balanceOf(ownGift, tx)
  const balance = await ledger.balanceOf({ agentId, account: { kind: 'rider_balance', ownerId: riderId } }, tx)
  let left = balance
  const refunds: { agentId: number; paymentId: number; cents: number; reason: string }[] = []
  for (const payment of await refundableRecharges(tx, { ...who, limit: paymentsMax })) {
    const cents = Math.min(left, payment.left)
    if (cents <= 0) break
    left -= cents
    refunds.push({ agentId, paymentId: payment.id, cents, reason: platformNotes.balanceBack })
  }
  const refundIds = await payments.refundAllIn(tx, refunds)
  const lots = await gifts.held(tx, who)
  const [last, lastId] = [refunds.at(-1), refundIds.at(-1)]
  let openCents = sumOfLots(lots)
  if (last !== undefined && lastId !== undefined && left === 0) {
    openCents -= await gifts.revoke(tx, {
      agentId,
      lotIds: lots.map(({ id }) => id),
      reference: `payment:${last.paymentId}`,
      key: `gift_lapsed:${lastId}`,
      reason: reasonOf('giftOfBalance'),
      at: kit.clock.now(),
    })
  }
  // The entries are posted right before the commit.
  const lapsedGiftCents = gift - openCents
  return { refundedCents: balance - left, leftCents: left, lapsedGiftCents }
}
