import type { PageMap } from '#kit/pages.ts'

export const operationsPages = {
  '/field': () => import('./field/FieldPage.tsx'),
} satisfies PageMap
