import { sealedTable, type KeyedValues } from '#kit/keyed.ts'
import { customerPurpose, namePurpose } from './account/store.ts'
import { invoicePurpose } from './invoices/read.ts'
import { payerPurpose } from './payments/payer.ts'

/** What is kept of accounts and invoices under the master secret. */
export const financeKeyed: KeyedValues = {
  tables: [
    sealedTable({
      table: 'financial_account',
      key: ['id', 'bigint'],
      purposes: { customer_name_sealed: customerPurpose, name_sealed: namePurpose },
      context: 'agent_id',
    }),
    sealedTable({
      table: 'invoice',
      key: ['id', 'bigint'],
      purposes: { title_sealed: invoicePurpose, tax_number_sealed: invoicePurpose, email_sealed: invoicePurpose },
      context: 'rider_id',
    }),
  ],
  keptPurposes: [payerPurpose],
}
