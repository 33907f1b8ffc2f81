import type { PageMap } from '#kit/pages.ts'

export const supportPages = {
  '/user-worksheet': () => import('./tickets/TicketsPage.tsx'),
  '/user-worksheet-detail': () => import('./tickets/TicketPage.tsx'),
} satisfies PageMap
