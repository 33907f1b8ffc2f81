import type { PageMap } from '#kit/pages.ts'

export const productionPages = {
  '/production/device-upgrade': () => import('./upgrades/DeviceUpgradePage.tsx'),
  '/production/factory-test': () => import('./factoryTests/FactoryTestPage.tsx'),
  '/production/import-export': () => import('./imports/ImportPage.tsx'),
  '/production/test-bench': () => import('./factoryTests/TestBenchPage.tsx'),
  '/production/vehicle-list': () => import('./units/UnitPage.tsx'),
  '/production/vehicle-list-edit': () => import('./units/UnitEditPage.tsx'),
  '/production/voltage-scheme': () => import('./voltage/VoltagePage.tsx'),
  '/production/voice-customization': () => import('./artefacts/VoicePage.tsx'),
} satisfies PageMap
