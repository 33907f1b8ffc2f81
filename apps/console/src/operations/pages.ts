import type { PageMap } from '#kit/pages.ts'

export const operationsPages = {
  '/data/power-change-statistics': () => import('./statistics/SwapPage.tsx'),
  '/data/repair-statistics': () => import('./statistics/RepairPage.tsx'),
  '/data/inspection-statistics': () => import('./statistics/InspectionPage.tsx'),
  '/data/car-park-statistics': () => import('./statistics/MovePage.tsx'),
  '/data/car-info-statistics': () => import('./statistics/VehiclesPage.tsx'),
  '/data/station-statistics': () => import('./statistics/StationsPage.tsx'),
  '/data/inspect-report-statistics': () => import('./statistics/ReportPage.tsx'),
  '/data/operation-tasks': () => import('./tasks/TasksPage.tsx'),
  '/data/area-management': () => import('./workAreas/WorkAreasPage.tsx'),
  '/data/park-application': () => import('./parkApplications/ParkApplicationsPage.tsx'),
  '/backend/repair-config': () => import('./repairConfig/RepairConfigPage.tsx'),
  '/data/rebalancing': () => import('./rebalancing/RebalancingPage.tsx'),
  '/field': () => import('./field/FieldPage.tsx'),
} satisfies PageMap
