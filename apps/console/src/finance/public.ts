/** What pages of other domains show of riders' money. */
export { ActsView } from './secondPerson/ActsView.tsx'
export { MoneyActions } from './wallet/MoneyActions.tsx'
export { DepositMark, RefundMark } from './wallet/MoneyMark.tsx'
export { RiderMoney } from './wallet/RiderMoney.tsx'
export { useRetry } from './wallet/useRetry.ts'
