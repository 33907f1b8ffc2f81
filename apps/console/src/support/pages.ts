import type { PageMap } from '#kit/pages.ts'

export const supportPages = {
  '/user-worksheet': () => import('./tickets/TicketsPage.tsx'),
  '/user-worksheet-detail': () => import('./tickets/TicketPage.tsx'),
  '/work/view-tickets': () => import('./feedback/ViewTicketsPage.tsx'),
  '/work/new-work-order': () => import('./feedback/NewTicketPage.tsx'),
} satisfies PageMap
