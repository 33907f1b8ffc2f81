import type { PageMap } from '#kit/pages.ts'

export const geographyPages = {
  '/electronic/service-area-fence': () => import('./fences/ServiceAreaPage.tsx'),
  '/electronic/parking-fence': () => import('./fences/ParkingPage.tsx'),
  '/electronic/parking-fence-tencent': () => import('./fences/TencentParkingPage.tsx'),
  '/electronic/no-stop-fence': () => import('./fences/NoStopPage.tsx'),
} satisfies PageMap
