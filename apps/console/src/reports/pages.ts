import type { PageMap } from '#kit/pages.ts'

export const reportPages = {
  '/screenHome': () => import('./screens/OperationsPage.tsx'),
  '/screenHome1': () => import('./screens/RevenuePage.tsx'),
  '/screen-login': () => import('./screens/KioskPage.tsx'),
  '/report/download-statistics': () => import('./reconciliation/ReconciliationPage.tsx'),
  '/log': () => import('./overview/HomePage.tsx'),
  '/home': () => import('./overview/OverviewPage.tsx'),
  '/report/financial-statistics': () => import('./figures/DailyPage.tsx'),
  '/report/transaction-order': () => import('./figures/OrdersPage.tsx'),
  '/report/wallet-report': () => import('./figures/WalletPage.tsx'),
  '/report/deposit-report': () => import('./figures/DepositPage.tsx'),
  '/report/riding-card-report': () => import('./figures/RidingCardPage.tsx'),
  '/report/discount-card-report': () => import('./figures/DiscountCardPage.tsx'),
} satisfies PageMap
