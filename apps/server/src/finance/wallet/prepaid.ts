import type { AskedPayment } from '@saddle/contract/finance/payments.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { yuanText } from '@saddle/contract/money.ts'
import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import type { Payments } from '../payments/payments.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Who } from './who.ts'

type Parts = { readonly kit: Pick<Kit, 'config'>; readonly ledger: Pick<Ledger, 'balanceOf'> }

/** What a rider may still pay in, by the limit for prepaid money; null: there is none. Gift balance is not prepaid money. */
export async function roomOf({ kit, ledger }: Parts, { agentId, riderId }: Who, tx?: Tx): Promise<number | null> {
  const capCents = kit.config.prepaidCapYuan * 100
  if (capCents === 0) return null
  const balance = await ledger.balanceOf({ agentId, account: { kind: 'rider_balance', ownerId: riderId } }, tx)
  return Math.max(0, capCents - balance)
}

/**
 * Whether money that was paid in would lift the balance above the limit. Rooms are given out when a rider asks, and a rider
 * may ask twice before paying. The rider's row is locked, so payments of one rider are judged one after the other.
 */
export async function isAboveCap(parts: Parts, tx: Tx, { cents, ...who }: Who & { cents: number }): Promise<boolean> {
  if (parts.kit.config.prepaidCapYuan === 0) return false
  await sql`select from rider where id = ${who.riderId} and agent_id = ${who.agentId} for no key update`.execute(tx)
  const room = await roomOf(parts, who, tx)
  return room !== null && cents > room
}

/** Throws prepaid_cap where a recharge would lift the balance above the limit. */
async function checkRoom(parts: Parts, who: Who, cents: number): Promise<void> {
  const room = await roomOf(parts, who)
  if (room === null || cents <= room) return
  throw new AppError('prepaid_cap', {
    values: { cap: String(parts.kit.config.prepaidCapYuan), room: yuanText(room) },
  })
}

export type WantedRecharge = Who &
  Pick<Parameters<Payments['start']>[0], 'cents' | 'channel' | 'payer' | 'requestId' | 'keep'>

/** Asks a rider for a recharge. Throws prepaid_cap and what `payments.start` throws. */
export async function startRecharge(
  parts: Parts & { readonly payments: Pick<Payments, 'start'> },
  wanted: WantedRecharge,
): Promise<AskedPayment> {
  await checkRoom(parts, wanted, wanted.cents)
  const { paymentId: _, ...payment } = await parts.payments.start({
    ...wanted,
    purpose: 'recharge',
    description: '钱包充值',
  })
  return payment
}
