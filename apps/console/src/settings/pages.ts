import type { PageMap } from '#kit/pages.ts'

export const settingPages = {
  '/backend/system-config': () => import('./choices/SystemConfigPage.tsx'),
} satisfies PageMap
