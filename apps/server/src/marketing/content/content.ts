import type { adEndpoints } from '@saddle/contract/marketing/ads.ts'
import type { helpEndpoints } from '@saddle/contract/marketing/help.ts'
import type { riderContentEndpoints } from '@saddle/contract/marketing/riderContent.ts'
import type { telephoneEndpoints } from '@saddle/contract/marketing/telephones.ts'
import { hourMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import { startJob } from '#kit/job.ts'
import type { Kit } from '#kit/kit.ts'
import type { Photos } from '#photos/public.ts'
import type { Riders } from '#rider/public.ts'
import { createAdHandlers } from './ads/handlers.ts'
import { purgeEvents } from './ads/report.ts'
import { createHelpHandlers } from './help/handlers.ts'
import { createRiderContentHandlers } from './riderContent/handlers.ts'
import { createTelephoneHandlers } from './telephones/handlers.ts'

export type ContentEndpoints = typeof helpEndpoints &
  typeof telephoneEndpoints &
  typeof adEndpoints &
  typeof riderContentEndpoints

export type Content = {
  readonly handlers: Handlers<ContentEndpoints>
  /** Removes ids of events that can no longer be reported. Resolves to their number. For the worker. */
  purge(): Promise<number>
  /** Does that every hour; returns what ends it. */
  startBackground(): () => Promise<void>
}

/** What riders read: help articles, telephone lines, and placements in slots of their app. */
export function createContent(
  kit: Kit,
  others: { readonly audit: Audit; readonly photos: Photos; readonly riders: Riders },
): Content {
  const deps = { kit, ...others }
  const purge = (): Promise<number> => purgeEvents(kit)
  return {
    handlers: {
      ...createHelpHandlers(deps),
      ...createTelephoneHandlers(deps),
      ...createAdHandlers(deps),
      ...createRiderContentHandlers(deps),
    },
    purge,
    startBackground: () =>
      startJob({
        log: kit.log,
        everyMs: hourMs,
        run: purge,
        failure: 'ids of events could not be removed',
        isFirstLater: true,
      }).stop,
  }
}
