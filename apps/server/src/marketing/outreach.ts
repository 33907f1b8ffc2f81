import type { campaignEndpoints, riderMessageEndpoints } from '@saddle/contract/marketing/campaigns.ts'
import type { effectEndpoints } from '@saddle/contract/marketing/effects.ts'
import type { segmentEndpoints } from '@saddle/contract/marketing/segments.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { createCampaignHandlers } from './campaigns/handlers.ts'
import { createCampaignRunner, type CampaignRunner } from './campaigns/run.ts'
import type { CouponDeps } from './coupons/deps.ts'
import { createEffectHandlers } from './effects/handlers.ts'
import { createRiderMessageHandlers } from './riderMessages/handlers.ts'
import { createSegmentHandlers } from './segments/handlers.ts'

export type OutreachEndpoints = typeof campaignEndpoints &
  typeof effectEndpoints &
  typeof riderMessageEndpoints &
  typeof segmentEndpoints

/** Whom the company turns to: segments, campaigns, what riders read, and what it brought. */
export function createOutreach(deps: CouponDeps & { readonly kit: Kit }): {
  readonly handlers: Handlers<OutreachEndpoints>
  readonly campaigns: CampaignRunner
} {
  return {
    handlers: {
      ...createCampaignHandlers(deps),
      ...createEffectHandlers(deps),
      ...createRiderMessageHandlers(deps),
      ...createSegmentHandlers(deps),
    },
    campaigns: createCampaignRunner(deps.kit),
  }
}
