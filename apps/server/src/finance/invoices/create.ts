import type { invoiceEndpoints, riderInvoiceEndpoints } from '@saddle/contract/finance/invoices.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { createInvoiceHandlers } from './handlers.ts'
import type { InvoiceParts } from './parts.ts'
import { createRiderInvoiceHandlers } from './rider.ts'

export type Invoices = {
  readonly handlers: Handlers<typeof invoiceEndpoints & typeof riderInvoiceEndpoints>
}

/** Invoices of what riders have paid. */
export function createInvoices(
  kit: Kit,
  others: Pick<InvoiceParts, 'audit' | 'photos' | 'rides' | 'riders'>,
): Invoices {
  const parts = { kit, ...others }
  return {
    handlers: { ...createInvoiceHandlers(parts), ...createRiderInvoiceHandlers(parts) },
  }
}
