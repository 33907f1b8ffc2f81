import type { PageMap } from '#kit/pages.ts'

export const financePages = {
  '/invoicing-ticket': () => import('./invoices/InvoicesPage.tsx'),
} satisfies PageMap
