import type { bankAccountEndpoints } from '@saddle/contract/finance/accounts.ts'
import type { withdrawalEndpoints } from '@saddle/contract/finance/withdrawals.ts'
import type { Handlers } from '#kit/call.ts'
import { rowOf } from '#kit/db/rows.ts'
import { startJob } from '#kit/job.ts'
import type { Photos } from '#photos/public.ts'
import type { MoneyDeps } from '../deps.ts'
import { createBankAccounts } from '../accounts/accounts.ts'
import { createBankAccountHandlers } from '../accounts/handlers.ts'
import { createWithdrawalHandlers } from '../withdrawals/handlers.ts'
import { createWithdrawals } from '../withdrawals/withdrawals.ts'
import { configuredBank, type BankSandbox, type ConfiguredBank } from './configured.ts'
import type { Bank } from './provider.ts'

export type BankDesk = {
  readonly handlers: Handlers<typeof bankAccountEndpoints & typeof withdrawalEndpoints>
  /** Takes a message of the bank; false for one that is not its word. */
  takeNotice(body: Buffer): Promise<boolean>
  readonly sandbox: BankSandbox | null
  listensAt(url: string): void
  /** Lets the sandbox bank work; returns what ends it. */
  startSandbox(): () => Promise<void>
  /** Asks the bank for what is open, and sends what waits; returns what ends it. */
  startBackground(): () => Promise<void>
  /** Lets the sandbox know an account of the demo's past; null where there is no sandbox. Its number at the bank. */
  readonly adopt: ConfiguredBank['adopt']
  /** A company's account at the bank; null where there is none. */
  open(agentId: number): Promise<{ readonly bank: Bank; readonly account: string } | null>
}

const workEveryMs = 5_000
const sandboxEveryMs = 1_000

const accountRow = rowOf('financial_account', 'f', ['bank_number'])

/** Everything that stands before the bank: accounts, cards and withdrawals. */
export function createBankDesk(
  deps: Pick<MoneyDeps, 'kit' | 'audit' | 'ledger'> & { readonly photos: Photos },
): BankDesk {
  const { kit } = deps
  const { log } = kit
  const { bank, sandbox, listensAt, adopt } = configuredBank(kit)
  const accounts = createBankAccounts({ ...deps, bank })
  const withdrawals = createWithdrawals({ ...deps, bank })
  return {
    handlers: {
      ...createBankAccountHandlers({ ...deps, bank }),
      ...createWithdrawalHandlers({ ...deps, bank, withdrawals }),
    },
    sandbox,
    listensAt,
    adopt,
    takeNotice: async (body) => {
      try {
        const notice = bank?.read(body)
        if (notice === undefined) return false
        if (notice.about === 'payout') await withdrawals.take(notice.report)
        else if (notice.about === 'account') await accounts.takeAccount(notice.report)
        else await accounts.takeSubAccount(notice.report)
        return true
      } catch (err) {
        log.warn({ err }, 'a notice of the bank was not taken')
        return false
      }
    },
    open: async (agentId) => {
      const [row] = await kit.db.systemRead((k) =>
        accountRow.select`from financial_account f where f.agent_id = ${agentId}`.compile(k),
      )
      return bank === null || !row?.bank_number ? null : { bank, account: row.bank_number }
    },
    startSandbox: () => {
      if (sandbox === null) return () => Promise.resolve()
      const run = sandbox.sendNotices
      return startJob({ log, everyMs: sandboxEveryMs, run, failure: 'the sandbox bank failed', isFirstLater: true })
        .stop
    },
    startBackground: () => {
      if (bank === null) return () => Promise.resolve()
      const run = async (): Promise<void> => {
        await accounts.work()
        await withdrawals.work()
      }
      return startJob({ log, everyMs: workEveryMs, run, failure: 'the work with the bank failed', isFirstLater: true })
        .stop
    },
  }
}
