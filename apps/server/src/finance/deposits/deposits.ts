import { platformNotes } from '@saddle/contract/finance/platformNotes.ts'
import type { Tx } from '#kit/db/pool.ts'
import { depositPay } from '../ledger/recipes.ts'
import type { PaidHandler } from '../payments/payments.ts'
import type { MoneyDeps } from '../deps.ts'
import type { Who } from '../wallet/who.ts'
import { needOf, selectNeed, type DepositNeed } from '../depositSettings/store.ts'
import { giveBack, type TakeBackGuard } from './steps.ts'
import { insertDeposit, lockHeld } from './store.ts'

export type Deposits = {
  /** What a rider must have deposited to ride in an area, and has. */
  needOf(tx: Tx, ride: Who & { readonly areaId: number }): Promise<DepositNeed>
  /** Refunds what is not frozen; resolves to the cents. */
  takeBack(tx: Tx, who: Who): Promise<number>
  /** Registers the check that may refuse a deposit refund; once, when the platform is assembled. */
  guardTakeBack(guard: TakeBackGuard): void
}

/** Each paid deposit is separate, however many the rider has. */
export const onDepositPaid: PaidHandler = async (tx, paid) => {
  const { paymentId: id, agentId, riderId, cents, at } = paid
  await insertDeposit(tx, { id, agentId, riderId, cents, at: new Date(at) })
  return depositPay({ ...paid, depositId: id })
}

export function createDeposits(parts: Pick<MoneyDeps, 'kit' | 'payments'>): {
  readonly deposits: Deposits
  readonly guardTakeBack: TakeBackGuard
} {
  let guard: TakeBackGuard = async () => {}
  return {
    guardTakeBack: (tx, riderId) => guard(tx, riderId),
    deposits: {
      needOf: async (tx, ride) => needOf((await selectNeed(ride, parts.kit.clock.now()).execute(tx)).rows[0]),
      takeBack: async (tx, who) => {
        await guard(tx, who.riderId)
        return giveBack(parts, tx, await lockHeld(tx, who), platformNotes.depositBack)
      },
      guardTakeBack: (next) => {
        guard = next
      },
    },
  }
}
