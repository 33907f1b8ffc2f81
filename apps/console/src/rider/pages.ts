import type { PageMap } from '#kit/pages.ts'

export const riderPages = {
  '/user-info': () => import('./riders/RidersPage.tsx'),
  '/user-info-detail': () => import('./detail/RiderPage.tsx'),
  '/user-manage/student-certificate': () => import('./certificates/CertificatesPage.tsx'),
  '/black-list': () => import('./bans/BansPage.tsx'),
  '/bindcard-list': () => import('./rebinds/RebindsPage.tsx'),
} satisfies PageMap
