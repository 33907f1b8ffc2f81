import type { PageMap } from '#kit/pages.ts'

export const fleetPages = {
  '/vehicle/operation-map': () => {
    // The map is fetched beside its page, not after it. A failure is for the page, which tries again.
    import('./operation-map/MapStage.tsx').catch(() => null)
    return import('./operation-map/OperationMapPage.tsx')
  },
  '/vehicle/vehicle-query': () => import('./vehicle-query/VehicleQueryPage.tsx'),
  '/vehicle/vehicle-screening': () => import('./vehicle-screening/VehicleScreeningPage.tsx'),
  '/vehicle/vehicle-visualization': () => import('./vehicle-visualization/MonitoringPage.tsx'),
  '/vehicle/device-access': () => import('./deviceAccess/DeviceAccessPage.tsx'),
  '/vehicle/operational-analysis': () => import('./operational-analysis/OperationalAnalysisPage.tsx'),
  '/vehicle/government-operation-map': () => import('./government-map/GovernmentMapPage.tsx'),
  '/vehicle-info': () => import('./vehicle-info/VehicleInfoPage.tsx'),
} satisfies PageMap
