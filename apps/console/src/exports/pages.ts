import type { PageMap } from '#kit/pages.ts'

export const exportPages = {
  '/exports': () => import('./jobs/ExportsPage.tsx'),
} satisfies PageMap
