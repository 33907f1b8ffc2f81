import type { PageMap } from '#kit/pages.ts'

export const exportPages = {
  '/exports': () => import('./ExportsPage.tsx'),
} satisfies PageMap
