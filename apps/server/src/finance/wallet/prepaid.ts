import type { AskedPayment } from '@saddle/contract/finance/payments.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { yuanText } from '@saddle/contract/money.ts'
import { prepaidCapYuan } from '@saddle/contract/settings/registry.ts'
import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { readSetting } from '#settings/public.ts'
import type { Payments } from '../payments/payments.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Who } from './who.ts'

type Parts = { readonly kit: Pick<Kit, 'config' | 'db'>; readonly ledger: Pick<Ledger, 'balanceOf'> }

/**
 * The limit for prepaid money of a company in cents; null: there is none. The platform's counts where the company has chosen
 * none or a higher one. Within a transaction it has to be one of the system, which sees what companies above have chosen.
 */
async function capOf({ config, db }: Parts['kit'], agentId: number, tx?: Tx): Promise<number | null> {
  const read = (system: Tx) => readSetting(system, 'prepaid_cap_yuan', { agentId })
  const chosen = tx === undefined ? await db.system(read) : await read(tx)
  const limits = [config.prepaidCapYuan, chosen < prepaidCapYuan ? chosen : 0].filter((yuan) => yuan > 0)
  return limits.length === 0 ? null : Math.min(...limits) * 100
}

type Room = { readonly capCents: number; readonly cents: number }

async function roomUnderCap({ kit, ledger }: Parts, { agentId, riderId }: Who, tx?: Tx): Promise<Room | null> {
  const capCents = await capOf(kit, agentId, tx)
  if (capCents === null) return null
  const balance = await ledger.balanceOf({ agentId, account: { kind: 'rider_balance', ownerId: riderId } }, tx)
  return { capCents, cents: Math.max(0, capCents - balance) }
}

/** What a rider may still pay in, by the limit for prepaid money; null: there is none. Gift balance is not prepaid money. */
export const roomOf = async (parts: Parts, who: Who): Promise<number | null> =>
  (await roomUnderCap(parts, who))?.cents ?? null

/**
 * Whether money that was paid in would lift the balance above the limit. Rooms are given out when a rider asks, and a rider
 * may ask twice before paying. The rider's row is locked, so payments of one rider are judged one after the other.
 */
export async function isAboveCap(parts: Parts, tx: Tx, { cents, ...who }: Who & { cents: number }): Promise<boolean> {
  if ((await capOf(parts.kit, who.agentId, tx)) === null) return false
  await sql`select from rider where id = ${who.riderId} and agent_id = ${who.agentId} for no key update`.execute(tx)
  const room = await roomUnderCap(parts, who, tx)
  return room !== null && cents > room.cents
}

/** Throws prepaid_cap where a recharge would lift the balance above the limit. */
async function checkRoom(parts: Parts, who: Who, cents: number): Promise<void> {
  const room = await roomUnderCap(parts, who)
  if (room === null || cents <= room.cents) return
  throw new AppError('prepaid_cap', { values: { cap: String(room.capCents / 100), room: yuanText(room.cents) } })
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
