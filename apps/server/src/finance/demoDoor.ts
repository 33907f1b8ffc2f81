/** What the demo's past is written with, besides the public part of this domain. Only `apps/server/demo` imports it. */
export type { InvoiceParts } from './invoices/parts.ts'
export { invoiceablesOf, sealOf } from './invoices/read.ts'
export { changeInvoice, insertInvoice } from './invoices/store.ts'
export {
  balanceRefund,
  cardSale,
  depositFreeze,
  depositPay,
  depositRecovery,
  depositRefund,
  recharge,
  refundPaid,
} from './ledger/recipes.ts'
export { chargeEntry } from './wallet/rules.ts'
export type { MoneyDeps } from './deps.ts'
