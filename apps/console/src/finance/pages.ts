import type { PageMap } from '#kit/pages.ts'

export const financePages = {
  '/marketing/deposit-config': () => import('./depositSettings/DepositSettingsPage.tsx'),
  '/marketing/mall-config': () => import('./cardProducts/MallPage.tsx'),
  '/invoicing-ticket': () => import('./invoices/InvoicesPage.tsx'),
} satisfies PageMap
