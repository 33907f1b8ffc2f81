import type { PageMap } from '#kit/pages.ts'

export const ridingPages = {
  '/user-order': () => import('./orders/OrdersPage.tsx'),
  '/user-order-detail': () => import('./detail/OrderDetailPage.tsx'),
  '/carReturn-approve': () => import('./returns/ReturnsPage.tsx'),
  '/marketing/charging-config': () => import('./prices/PricesPage.tsx'),
} satisfies PageMap
