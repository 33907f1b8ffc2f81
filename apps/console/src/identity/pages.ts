import type { PageMap } from '#kit/pages.ts'

export const identityPages = {
  '/account': () => import('./account/AccountPage.tsx'),
  '/permissions/device': () => import('./devices/DevicesPage.tsx'),
  '/login': () => import('./login/LoginPage.tsx'),
  '/login-home': () => import('./visitor/WelcomePage.tsx'),
  '/register': () => import('./visitor/RegisterPage.tsx'),
  '/register-result': () => import('./visitor/RegisterResultPage.tsx'),
  '/404': () => import('./visitor/NotFoundPage.tsx'),
} satisfies PageMap
