import { splitBillEndpoints } from '@saddle/contract/finance/splitBills.ts'
import type { splitRuleEndpoints } from '@saddle/contract/finance/splitRules.ts'
import type { termChangeEndpoints } from '@saddle/contract/finance/termChanges.ts'
import type { Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { MoneyDeps } from '../deps.ts'
import { carryOutCorrection, correct, createBillHandlers, type Correction } from '../splitBills/handlers.ts'
import { runSplits, type SplitRun, type SplitRunOptions } from './job.ts'
import type { ChannelDay, ChannelDays } from './settle.ts'
import { checkMayChange, createTermsHandlers } from '../splitRules/handlers.ts'

/** The split of companies' income. */
export type Splits = {
  /** Divides, closes, settles and seals what is due. For workers; safe to run on several. */
  run(options: SplitRunOptions): Promise<SplitRun>
  /** Puts income of a closed bill right in the open day, in a transaction of the system. Resolves to the entry's number. */
  correct(tx: Tx, correction: Correction): Promise<number>
  /** Says what payment channels' bills have shown of a company's day; until somebody does, no day is settled. */
  registerChannelDays(source: ChannelDays): void
}

const noBill: ChannelDay = { state: 'waiting', heldCents: 0, reasons: [] }

export function createSplits(deps: Pick<MoneyDeps, 'kit' | 'audit' | 'ledger' | 'secondPerson'>): {
  readonly splits: Splits
  readonly handlers: Handlers<typeof splitRuleEndpoints & typeof termChangeEndpoints & typeof splitBillEndpoints>
} {
  let source: ChannelDays = { of: async () => noBill }
  const channelDays: ChannelDays = { of: (tx, companyDay) => source.of(tx, companyDay) }
  const bills = createBillHandlers(deps)
  const { correctSplitBill } = splitBillEndpoints
  deps.secondPerson.serve(
    'split_correction',
    (input, call) => carryOutCorrection(deps, call, correctSplitBill.input.parse(input)),
    (call, { agent_id: agentId, area_id: areaId }) =>
      checkMayChange(deps, call, { agentId, areaId: areaId ?? undefined }),
  )
  return {
    handlers: { ...createTermsHandlers(deps), ...bills },
    splits: {
      run: (options) => runSplits({ ...deps, channelDays }, options),
      correct: (tx, correction) => correct(deps, tx, correction),
      registerChannelDays: (registered) => {
        source = registered
      },
    },
  }
}
