import type { financialAccountEndpoints } from '@saddle/contract/finance/account.ts'
import type { Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { createAccountHandlers } from './account/handlers.ts'
import { createPaymentPasswordProvider } from './account/paymentPassword.ts'
import { findAccount, saveAccount, type AccountState } from './account/store.ts'
import { createLedger, type Ledger } from './ledger/ledger.ts'
import { configuredChannels } from './payments/channels.ts'
import { createSandboxPost } from './payments/delivery.ts'
import { createPayments, type Payments } from './payments/payments.ts'
import { askedCents } from './payments/store.ts'
import { createSandbox, type Sandbox } from './payments/sandbox.ts'

export type { AccountState } from './account/store.ts'
export type { Ledger, Posted, Reversal } from './ledger/ledger.ts'
export type { AccountName, Entry, Line } from './ledger/rules.ts'
export type { PostedEntry } from './ledger/store.ts'
export type { PaidPayment, Payments } from './payments/payments.ts'
export { createInvoices } from './invoices/create.ts'
export type { RideInvoicing } from './invoices/parts.ts'
export { sandboxMoodSchema } from './payments/sandbox.ts'

export type Finance = {
  readonly handlers: Handlers<typeof financialAccountEndpoints>
  readonly ledger: Ledger
  readonly payments: Payments
  /** Pays what the sandbox was asked for; in demo mode only, since it is nobody's money. */
  readonly sandbox: Sandbox | null
  /** Where this platform takes call-backs: from now on the sandbox makes them over HTTP, as a real channel does. */
  takesCallBacksAt(url: string): void
  /** Stores what the payment provider says of an agent's account, in the caller's transaction. */
  saveAccount(tx: Tx, account: AccountState): Promise<void>
  /** The account of one agent of the scope, as far as permissions depend on it; null when none was opened. */
  accountStatus(scope: Scope, agentId: number): Promise<Pick<AccountState, 'status' | 'accountLevel'> | null>
}

export function createFinance(kit: Kit): Finance {
  const ledger = createLedger(kit)
  const { payments, sandbox, takesCallBacksAt } = createPaymentParts(kit, ledger)
  return {
    ledger,
    payments,
    sandbox,
    takesCallBacksAt,
    handlers: createAccountHandlers(kit, createPaymentPasswordProvider(kit)),
    accountStatus: (scope, agentId) => findAccount({ db: kit.db, secrets: kit.secrets, scope, agentId }),
    saveAccount: (tx, account) => saveAccount({ tx, secrets: kit.secrets, account }),
  }
}

function createPaymentParts(kit: Kit, ledger: Ledger): Pick<Finance, 'payments' | 'sandbox' | 'takesCallBacksAt'> {
  const key = kit.secrets.key('payment-sandbox')
  const post = createSandboxPost(async (callBack) => (await payments.take('sandbox', callBack)).status === 200)
  const recall = (number: string): Promise<number | null> => askedCents(kit.db, { channel: 'sandbox', number })
  const sandbox = kit.config.demo ? createSandbox({ ...kit, key, deliver: post.deliver, recall }) : null
  const channels = [...configuredChannels(kit), ...(sandbox === null ? [] : [sandbox.channel])]
  const payments: Payments = createPayments({ ...kit, ledger, channels })
  return { payments, sandbox, takesCallBacksAt: post.deliverTo }
}
