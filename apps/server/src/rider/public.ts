import type { riderSelfEndpoints } from '@saddle/contract/rider/self.ts'
import type { banEndpoints } from '@saddle/contract/rider/bans.ts'
import type { certificateEndpoints } from '@saddle/contract/rider/certificates.ts'
import type { rebindEndpoints } from '@saddle/contract/rider/rebinds.ts'
import type { riderPeopleEndpoints } from '@saddle/contract/rider/riders.ts'
import type { timelineEndpoints } from '@saddle/contract/rider/timeline.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { Photos } from '#photos/public.ts'
import { createBanHandlers } from './bans/handlers.ts'
import { createDetailHandlers } from './detail/handlers.ts'
import type { RiderParts } from './parts/parts.ts'
import type { Riders } from './people/riders.ts'
import { createSeals } from './people/seals.ts'
import { createCertificateHandlers } from './certificates/handlers.ts'
import { createRebindHandlers } from './rebinds/handlers.ts'
import { createRevealHandlers } from './reveal/handlers.ts'
import { createSearchHandlers } from './riders/handlers.ts'
import { createSelfHandlers } from './self/handlers.ts'
import { startSweeping, sweepRiders } from './sweeping.ts'
import { createTimelineHandlers, type RiderEventSources } from './timeline/handlers.ts'

export { certifications } from './certificates/meter.ts'
export { riderKeyed } from './keyed.ts'
export { createRiders, type NewRider, type Riders } from './people/riders.ts'
export type { RiderEvents } from './timeline/handlers.ts'

export type RiderEndpoints = typeof banEndpoints &
  typeof certificateEndpoints &
  typeof rebindEndpoints &
  typeof riderPeopleEndpoints &
  typeof riderSelfEndpoints &
  typeof timelineEndpoints

export type RiderDesk = {
  readonly handlers: Handlers<RiderEndpoints>
  /** Ends what has run out, and keeps up what lists are filtered by. */
  sweep(): Promise<void>
  /** Does that now and again and again; returns what ends it. For the worker; safe on several at once. */
  startBackground(): () => Promise<void>
}

/** Looking after those who ride: finding them, their ID documents and certificates, bans, their lives. */
export function createRiderDesk(
  kit: Kit,
  others: {
    readonly audit: Audit
    readonly photos: Photos
    readonly events: RiderEventSources
    readonly riders: Riders
  },
): RiderDesk {
  const { audit, photos, events, riders } = others
  const parts: RiderParts = { kit, audit, photos, riders, seals: createSeals(kit.secrets) }
  return {
    handlers: {
      ...createSearchHandlers(parts),
      ...createDetailHandlers(parts),
      ...createRevealHandlers(parts),
      ...createBanHandlers(parts),
      ...createCertificateHandlers(parts),
      ...createRebindHandlers(parts),
      ...createSelfHandlers(parts),
      ...createTimelineHandlers(parts, events),
    },
    sweep: () => sweepRiders(parts),
    startBackground: () => startSweeping(parts),
  }
}
