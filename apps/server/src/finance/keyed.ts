import { sealedTable, type KeyedValues } from '#kit/keyed.ts'
import { customerPurpose, namePurpose } from './account/store.ts'
import { cardPurpose, openingPurpose } from './accounts/store.ts'
import { invoicePurpose } from './invoices/read.ts'
import { payerPurpose } from './payments/payer.ts'
import { riderImportPurpose } from './riderImports/store.ts'

/** What is kept of accounts, invoices and files of riders under the master secret. */
export const financeKeyed: KeyedValues = {
  tables: [
    sealedTable({
      table: 'financial_account',
      key: ['id', 'bigint'],
      purposes: { customer_name_sealed: customerPurpose, name_sealed: namePurpose },
      context: 'agent_id',
    }),
    sealedTable({
      table: 'account_opening',
      key: ['id', 'bigint'],
      purposes: { details_sealed: openingPurpose },
      context: 'agent_id',
    }),
    sealedTable({
      table: 'bank_card',
      key: ['id', 'bigint'],
      purposes: { card_sealed: cardPurpose, mobile_sealed: cardPurpose, holder_sealed: cardPurpose },
      context: 'agent_id',
    }),
    sealedTable({
      table: 'invoice',
      key: ['id', 'bigint'],
      purposes: { title_sealed: invoicePurpose, tax_number_sealed: invoicePurpose, email_sealed: invoicePurpose },
      context: 'rider_id',
    }),
    sealedTable({
      table: 'rider_import',
      key: ['id', 'bigint'],
      purposes: { rows_sealed: riderImportPurpose },
      context: 'agent_id',
    }),
  ],
  keptPurposes: [payerPurpose],
}
