import type { PageMap } from '#kit/pages.ts'

export const feedPages = {
  '/agent/open-interfaces': () => import('./OpenInterfacesPage.tsx'),
} satisfies PageMap
