import type { PageMap } from '#kit/pages.ts'

export const productionPages = {
  '/production/device-upgrade': () => import('./upgrades/DeviceUpgradePage.tsx'),
  '/production/voice-customization': () => import('./artefacts/VoicePage.tsx'),
} satisfies PageMap
