/** What pages of other domains show of riders' money. */
export { DepositList } from './deposits/DepositList.tsx'
export { RefundList } from './refunds/RefundList.tsx'
export { RiderImportList } from './riderImports/RiderImportList.tsx'
export { MoneyActList } from './secondPerson/MoneyActList.tsx'
export { RiderMoney } from './wallet/RiderMoney.tsx'
export { OpeningDrawer } from './accounts/OpeningDrawer.tsx'
