import type { channelBillEndpoints } from '@saddle/contract/finance/channelBills.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Payments } from '../payments/payments.ts'
import { createChannelBillHandlers } from './handlers.ts'
import { createBillJob, type BillJob } from './job.ts'

export type ChannelBills = BillJob & { readonly handlers: Handlers<typeof channelBillEndpoints> }

export function createChannelBills(deps: {
  readonly kit: Kit
  readonly audit: Audit
  readonly ledger: Ledger
  readonly payments: Payments
}): ChannelBills {
  return { ...createBillJob(deps), handlers: createChannelBillHandlers(deps) }
}
