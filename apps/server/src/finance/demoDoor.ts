/** Writes the demo's history, in addition to this domain's public part. Used by `apps/server/demo` only. */
export type { InvoiceParts } from './invoices/parts.ts'
export { invoiceablesOf, sealOf } from './invoices/read.ts'
export { changeInvoice, insertInvoice } from './invoices/store.ts'
export { rideCardRow, rideEarnings } from './cards/earning.ts'
export { benefitsOfCards } from './cards/rules.ts'
export { activateCard, beginOf, insertCard, markRefunded, validCardRow } from './cards/store.ts'
export { insertProduct, lockProduct, takeFromStock, updateProduct } from './cardProducts/store.ts'
export {
  balanceRefund,
  cardRefund,
  cardSale,
  depositFreeze,
  depositPay,
  depositRecovery,
  depositRefund,
  recharge,
  refundPaid,
  serviceRecharge,
} from './ledger/recipes.ts'
export { chargeEntry } from './wallet/rules.ts'
export { collect } from './costCenter/charge.ts'
export { insertNote, payNote } from './costCenter/store.ts'
export type { MeterSource } from './meters/deps.ts'
export { closeDay, lockCounting } from './meters/store.ts'
export { decide, submitObjection } from './objections/decide.ts'
export { lockIncome, submitSplitObjection } from './objections/split.ts'
export { selectObjection } from './objections/store.ts'
export { issueBills } from './serviceBills/issue.ts'
export type { MoneyDeps } from './deps.ts'
export { sealCard, sealDetails } from './accounts/store.ts'
export { withdrawalPaid, withdrawalRequest, withdrawalReturned } from './ledger/recipes.ts'
export { withdrawalReversed } from './ledger/withdrawalRecipes.ts'
export { changeWithdrawal, insertWithdrawal, lockWithdrawal } from './withdrawals/store.ts'
