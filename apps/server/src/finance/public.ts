import type { financialAccountEndpoints } from '@saddle/contract/finance/account.ts'
import type { Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { createAccountHandlers } from './account/handlers.ts'
import { createPaymentPasswordProvider } from './account/paymentPassword.ts'
import { findAccount, saveAccount, type AccountState } from './account/store.ts'
import { createLedger, type Ledger } from './ledger/ledger.ts'

export type { AccountState } from './account/store.ts'
export type { Ledger, Posted, Reversal } from './ledger/ledger.ts'
export type { AccountName, Entry, Line } from './ledger/rules.ts'
export type { PostedEntry } from './ledger/store.ts'

export type Finance = {
  readonly handlers: Handlers<typeof financialAccountEndpoints>
  readonly ledger: Ledger
  /** Stores what the payment provider says of an agent's account, in the caller's transaction. */
  saveAccount(tx: Tx, account: AccountState): Promise<void>
  /** The account of one agent of the scope, as far as permissions depend on it; null when none was opened. */
  accountStatus(scope: Scope, agentId: number): Promise<Pick<AccountState, 'status' | 'accountLevel'> | null>
}

export function createFinance(kit: Kit): Finance {
  return {
    ledger: createLedger(kit),
    handlers: createAccountHandlers(kit, createPaymentPasswordProvider(kit)),
    accountStatus: (scope, agentId) => findAccount({ db: kit.db, secrets: kit.secrets, scope, agentId }),
    saveAccount: (tx, account) => saveAccount({ tx, secrets: kit.secrets, account }),
  }
}
