import type { costCenterEndpoints } from '@saddle/contract/finance/costCenter.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { financeExportEndpoints } from '@saddle/contract/finance/exports.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import { startJob } from '#kit/job.ts'
import type { Kit } from '#kit/kit.ts'
import { createExportHandlers } from '../exports/handlers.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Payments } from '../payments/payments.ts'
import { collectAll, takeNote } from './charge.ts'
import { createCostCenterHandlers } from './handlers.ts'
import { selectFaults } from './store.ts'

const collectEveryMs = 5 * minuteMs

export type CostCenter = {
  readonly handlers: Handlers<typeof costCenterEndpoints & typeof financeExportEndpoints>
  /** Pays bills out of balances. Resolves to the number of companies that paid. */
  collect(): Promise<number>
  startBackground(): () => Promise<void>
}

/** What companies have and owe: the prepaid balance for services, and movements of all their own accounts. */
export function createCostCenter(
  kit: Kit,
  others: {
    readonly audit: Audit
    readonly finance: {
      readonly ledger: Ledger
      readonly payments: Payments
      readonly books: { hold(name: string, reconciler: () => Promise<readonly string[]>): void }
    }
  },
): CostCenter {
  const { audit, finance } = others
  const { ledger, payments, books } = finance
  const deps = { kit, audit, ledger, payments }
  payments.serveNotes((tx, paid) => takeNote(deps, tx, paid))
  books.hold('service balance', async () =>
    (await kit.db.systemRead((k) => selectFaults().compile(k))).map(({ what }) => what),
  )
  return {
    handlers: { ...createCostCenterHandlers(deps), ...createExportHandlers(deps) },
    collect: () => collectAll(deps),
    startBackground: () => {
      const job = startJob({
        log: kit.log,
        everyMs: collectEveryMs,
        run: () => collectAll(deps),
        failure: 'paying bills of services failed',
        isFirstLater: true,
      })
      return () => job.stop()
    },
  }
}
