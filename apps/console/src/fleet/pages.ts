import type { PageMap } from '#kit/pages.ts'

export const fleetPages = {
  '/vehicle/operation-map': () => import('./operation-map/OperationMapPage.tsx'),
  '/vehicle/vehicle-query': () => import('./vehicle-query/VehicleQueryPage.tsx'),
  '/vehicle/vehicle-screening': () => import('./vehicle-screening/VehicleScreeningPage.tsx'),
  '/vehicle/vehicle-visualization': () => import('./vehicle-visualization/MonitoringPage.tsx'),
  '/vehicle/device-access': () => import('./deviceAccess/DeviceAccessPage.tsx'),
  '/vehicle/operational-analysis': () => import('./operational-analysis/OperationalAnalysisPage.tsx'),
  '/vehicle/government-operation-map': () => import('./government-map/GovernmentMapPage.tsx'),
  '/vehicle-info': () => import('./vehicle-info/VehicleInfoPage.tsx'),
} satisfies PageMap
