import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import { rechargeRefusals, type RechargeRefusal } from '@saddle/contract/marketing/rechargeActivities.ts'
import { reasonOf } from '@saddle/contract/riding/reasons.ts'
import type { RechargeSource } from '#finance/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { lockRiders } from '../coupons/issue.ts'
import type { RechargeDeps } from './deps.ts'
import { hasRecharged, lockAsked, markRevoked, selectOpenGifts, settleUse } from './store.ts'

type Asked = NonNullable<Awaited<ReturnType<typeof lockAsked>>>
type Paid = Parameters<RechargeSource['settled']>[1]

/**
 * What recharges with an offer are given when they are paid. The budget is taken then and not when the rider taps: many
 * never pay. Whatever stands against it, the recharge itself goes on, and the rider is told why it got nothing.
 */
export function rechargeSource({
  kit,
  rewards,
}: { readonly kit: Pick<Kit, 'db'> } & Pick<RechargeDeps, 'rewards'>): RechargeSource {
  return {
    openGifts: async (of) =>
      new Map(
        (await kit.db.systemRead((k) => selectOpenGifts(of).compile(k))).map((row) => [row.payment_id, row.cents]),
      ),

    settled: async (tx, paid) => {
      const asked = await lockAsked(tx, paid)
      if (asked === undefined) return 0
      const why = await whyNotGiven({ rewards }, tx, asked, paid)
      await settleUse(tx, { paymentId: paid.paymentId, why, at: new Date(paid.at) })
      return why === null ? asked.gift_cents : 0
    },

    refunded: async (tx, { agentId, riderId, paymentIds, at }) => {
      const revoked = await markRevoked(tx, { agentId, paymentIds })
      if (revoked.length === 0) return
      const cause = { kind: 'recharge', id: revoked } as const
      await rewards.revoke(tx, {
        agentId,
        riderId,
        cause,
        at: new Date(at),
        by: null,
        reason: reasonOf('giftOfRefund'),
      })
    },
  }
}

/** Gives what was promised. Null: it was given. */
async function whyNotGiven(
  { rewards }: Pick<RechargeDeps, 'rewards'>,
  tx: Tx,
  asked: Asked,
  { agentId, riderId, paymentId, at, isAboveCap }: Paid,
): Promise<RechargeRefusal | null> {
  if (isAboveCap) return 'prepaid_cap'
  // Two first recharges of a rider that are paid at once are one after the other from here on.
  await lockRiders(tx, agentId, [riderId])
  if (asked.first_only && (await hasRecharged(tx, { agentId, riderId, paymentId }))) return 'not_first'
  await sql`savepoint recharge`.execute(tx)
  try {
    const { outcome, why } = await rewards.grant(tx, {
      agentId,
      riderId,
      activityId: asked.activity_id,
      version: asked.version,
      rewards: asked.rewards,
      cause: { kind: 'recharge', id: paymentId },
      at: new Date(at),
    })
    await sql`release savepoint recharge`.execute(tx)
    if (outcome === 'held_out') return 'held_out'
    return outcome === 'refused' ? (rechargeRefusals.find((known) => known === why) ?? 'reward') : null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // What it promised is not there any more.
    await sql`rollback to savepoint recharge`.execute(tx)
    return 'reward'
  }
}
