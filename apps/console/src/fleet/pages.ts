import type { PageMap } from '#kit/pages.ts'

export const fleetPages = {
  '/vehicle/operation-map': () => import('./operation-map/OperationMapPage.tsx'),
} satisfies PageMap
