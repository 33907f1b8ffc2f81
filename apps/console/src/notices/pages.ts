import type { PageMap } from '#kit/pages.ts'

export const noticePages = {
  '/backend/notice-template': () => import('./templates/TemplatesPage.tsx'),
  '/backend/message-config': () => import('./config/MessageConfigPage.tsx'),
} satisfies PageMap
