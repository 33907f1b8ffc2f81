import type { PageMap } from '#kit/pages.ts'

export const organisationPages = {
  '/permissions/role': () => import('./permissions/RolesPage.tsx'),
  '/permissions/add-role': () => import('./permissions/AddRolePage.tsx'),
  '/permissions/role-detail': () => import('./permissions/RoleDetailPage.tsx'),
  '/permissions/user': () => import('./permissions/UsersPage.tsx'),
  '/agent/service-area-management': () => import('./agent/area/AreaPage.tsx'),
  '/agent/account-management': () => import('./agent/company/AccountPage.tsx'),
  '/agent/role-management': () => import('./agent/RolePage.tsx'),
  '/agent/add-role': () => import('./agent/AddRolePage.tsx'),
} satisfies PageMap
