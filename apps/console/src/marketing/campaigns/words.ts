import { campaignEndpoints, type Campaign, type CampaignState } from '@saddle/contract/marketing/campaigns.ts'
import { effectEndpoints } from '@saddle/contract/marketing/effects.ts'
import { t } from '#kit/i18n/index.ts'
import type { Tone } from '#kit/ui/Mark.tsx'

/** Readings that an act on campaigns makes stale. */
export const staleCampaigns = [
  campaignEndpoints.listCampaigns,
  campaignEndpoints.campaignVersions,
  campaignEndpoints.listCampaignRiders,
  effectEndpoints.marketingEffect,
]

export const toneOf: Readonly<Record<CampaignState, Tone>> = {
  draft: 'off',
  scheduled: 'info',
  running: 'info',
  paused: 'warn',
  done: 'good',
  cancelled: 'off',
}

export const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** How far a campaign has come, of the riders that its segment had. */
export function progressText({ audience, sent, heldOut, control, weekly, capped, failed }: Campaign): string {
  if (audience === null) return t('未开始', { context: 'progress' })
  if (audience === 0) return '100%'
  const gone = sent + heldOut + control + weekly + capped + failed
  return `${Math.min(100, Math.floor((gone / audience) * 100))}%`
}
