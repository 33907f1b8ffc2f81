import type { PageMap } from '#kit/pages.ts'

export const financePages = {
  '/financial/SplitBill': () => import('./splitBills/BillsPage.tsx'),
  '/financial/SubAccountRule': () => import('./splitRules/RulesPage.tsx'),
  '/marketing/deposit-config': () => import('./depositSettings/DepositSettingsPage.tsx'),
  '/marketing/mall-config': () => import('./cardProducts/MallPage.tsx'),
  '/invoicing-ticket': () => import('./invoices/InvoicesPage.tsx'),
  '/financial/CostCenter': () => import('./costCenter/CostCenterPage.tsx'),
  '/financial/CostCenter/recharge': () => import('./costCenter/RechargePage.tsx'),
  '/financial/TransactionDetails': () => import('./costCenter/TransactionDetailsPage.tsx'),
  '/financial/objectionBill': () => import('./objections/ObjectionsPage.tsx'),
  '/financial/objectionApply': () => import('./objections/ObjectionApplyPage.tsx'),
  '/financial/objectionBillInfo': () => import('./objections/ObjectionInfoPage.tsx'),
  '/financial/billDetails': () => import('./serviceBills/BillDetailsPage.tsx'),
  '/financial/DosageDetails': () => import('./serviceBills/DosageDetailsPage.tsx'),
  '/financial/ServiceDetails': () => import('./serviceBills/ServiceDetailsPage.tsx'),
  '/financial/CostCenter/withdraw': () => import('./withdrawals/WithdrawalsPage.tsx'),
  '/financial/AccountManager': () => import('./accounts/AccountsPage.tsx'),
  '/financial/ChannelBills': () => import('./channelBills/ChannelBillsPage.tsx'),
} satisfies PageMap
