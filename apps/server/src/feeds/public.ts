import type { jurisdictionEndpoints } from '@saddle/contract/feeds/mds.ts'
import type { mdsAgencyEndpoints } from '@saddle/contract/feeds/agency.ts'
import type { mdsPolicyEndpoints } from '@saddle/contract/feeds/policy.ts'
import type { feedEndpoints } from '@saddle/contract/feeds/publication.ts'
import { hourMs, minuteMs, secondMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import type { Geography } from '#geography/public.ts'
import type { Handlers } from '#kit/call.ts'
import { startJob } from '#kit/job.ts'
import type { Kit } from '#kit/kit.ts'
import type { AgencyDeps } from './agency/city.ts'
import { createAgencyHandlers } from './agency/handlers.ts'
import { pushDue, sweepPushes } from './agency/push.ts'
import { createMdsAccess, type MdsAccess } from './mds/access.ts'
import { createJurisdictionHandlers } from './mds/handlers.ts'
import { createMdsProvider, type MdsProvider } from './mds/provider.ts'
import { createPolicyHandlers } from './policy/handlers.ts'
import { keepPolicies } from './policy/keep.ts'
import type { GbfsFacts } from './publication/facts.ts'
import { createFeedHandlers } from './publication/handlers.ts'
import { publishEveryMs, publishFeeds, type PublishDeps } from './publication/publish.ts'
import { createFeedServer, type FeedServer } from './publication/serve.ts'

export { feedsKeyed } from './keyed.ts'
export type { MdsReader } from './mds/access.ts'
export type { MdsAnswer } from './mds/common.ts'
export type { FeedServer, ServedFeed } from './publication/serve.ts'

const pushEveryMs = 2 * secondMs

export interface FeedDeps {
  readonly audit: Audit
  readonly geography: Pick<Geography, 'inForce' | 'addZones' | 'removeZones' | 'endZones'>
  /** How feeds are made; tests make some that do not fit. */
  readonly build?: PublishDeps['build']
  /** How cities are called. By default it goes out. */
  readonly send?: AgencyDeps['send']
}

export interface Feeds {
  readonly handlers: Handlers<
    typeof feedEndpoints & typeof jurisdictionEndpoints & typeof mdsAgencyEndpoints & typeof mdsPolicyEndpoints
  >
  /** The feeds for everybody. */
  readonly gbfs: FeedServer
  /** The records that cities read. */
  readonly mds: { readonly access: MdsAccess; readonly provider: MdsProvider }
  /** Makes and checks all feeds now; resolves to the number of those that fitted. */
  publish(): Promise<number>
  /** Sends cities what is due; resolves to the number of cities that were told. */
  push(): Promise<number>
  /** Ends policies of cities whose time is over, and counts the vehicles of caps; resolves to the number of both. */
  keepPolicies(): Promise<number>
  /** Removes what cities have not taken for too long. */
  sweep(): Promise<void>
  /** Where the platform answers, unless the configuration says it. */
  servedAt(url: string): void
  startBackground(): () => Promise<void>
  close(): Promise<void>
}

/** The platform's data in the standards of others. */
export function createFeeds(kit: Kit, { audit, geography, build, send }: FeedDeps): Feeds {
  let served = kit.config.publicUrl ?? `http://localhost:${kit.config.port}`
  const base = (): string => served
  const gbfs = createFeedServer(kit, base)
  const access = createMdsAccess(kit)
  const publish = () => publishFeeds({ kit, geography, base, ...(build !== undefined && { build }) })
  const agencies = { kit, ...(send !== undefined && { send }) }
  const push = () => pushDue(agencies)
  const sweep = () => sweepPushes(agencies)
  const keep = () => keepPolicies({ kit, audit, geography })
  const flush = async (): Promise<void> => {
    await Promise.all([gbfs.flush(), access.flush()])
  }
  return {
    handlers: {
      ...createFeedHandlers({ kit, audit, base }),
      ...createJurisdictionHandlers({ kit, audit, base }),
      ...createAgencyHandlers({ kit, audit }),
      ...createPolicyHandlers({ kit, audit, geography, ...(send !== undefined && { send }) }),
    },
    gbfs,
    mds: { access, provider: createMdsProvider({ kit, geography, base }) },
    publish,
    push,
    sweep,
    keepPolicies: keep,
    servedAt: (url) => {
      served = kit.config.publicUrl ?? url
    },
    startBackground: () => {
      const { log } = kit
      const publishing = startJob({
        log,
        everyMs: publishEveryMs,
        run: publish,
        failure: 'feeds were not published',
        isFirstLater: true,
      })
      const counting = startJob({
        log,
        everyMs: publishEveryMs,
        run: flush,
        failure: 'readers of feeds were not counted',
      })
      const telling = startJob({ log, everyMs: pushEveryMs, run: push, failure: 'cities were not told' })
      const sweeping = startJob({
        log,
        everyMs: hourMs,
        run: sweep,
        failure: 'removing what cities did not take failed',
        isFirstLater: true,
      })
      const keeping = startJob({
        log,
        everyMs: minuteMs,
        run: keep,
        failure: 'policies of cities were not kept',
        isFirstLater: true,
      })
      return async () => {
        await Promise.all([publishing.stop(), counting.stop(), telling.stop(), sweeping.stop(), keeping.stop()])
      }
    },
    close: flush,
  }
}

export type { GbfsFacts }
