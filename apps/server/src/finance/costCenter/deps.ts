import type { Audit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Payments } from '../payments/payments.ts'

export interface CostDeps {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random' | 'log'>
  readonly audit: Audit
  readonly ledger: Ledger
  readonly payments: Pick<Payments, 'codeChannels' | 'askForCode' | 'serveNotes'>
}
