import type { PageMap } from '#kit/pages.ts'

export const auditPages = {
  '/operation/vehicle-log': () => import('./log/VehicleLogPage.tsx'),
  '/operation/device-log': () => import('./log/DeviceLogPage.tsx'),
  '/operation/operator-log': () => import('./log/OperatorLogPage.tsx'),
} satisfies PageMap
