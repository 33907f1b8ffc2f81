import type { PageMap } from '#kit/pages.ts'

export const organisationPages = {
  '/permissions/role': () => import('./roles/RolesPage.tsx'),
  '/permissions/add-role': () => import('./roles/AddRolePage.tsx'),
  '/permissions/role-detail': () => import('./roles/RoleDetailPage.tsx'),
  '/permissions/user': () => import('./people/PeoplePage.tsx'),
  '/agent/service-area-management': () => import('./areas/AreaPage.tsx'),
  '/agent/account-management': () => import('./companies/AccountPage.tsx'),
  '/agent/role-management': () => import('./roles/AgentRolesPage.tsx'),
  '/agent/add-role': () => import('./roles/AgentRolePage.tsx'),
} satisfies PageMap
