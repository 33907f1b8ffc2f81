import type { feedEndpoints } from '@saddle/contract/feeds/publication.ts'
import type { Audit } from '#audit/public.ts'
import type { Geography } from '#geography/public.ts'
import type { Handlers } from '#kit/call.ts'
import { startJob } from '#kit/job.ts'
import type { Kit } from '#kit/kit.ts'
import type { GbfsFacts } from './publication/facts.ts'
import { createFeedHandlers } from './publication/handlers.ts'
import { publishEveryMs, publishFeeds, type PublishDeps } from './publication/publish.ts'
import { createFeedServer, type FeedServer } from './publication/serve.ts'

export { feedsKeyed } from './keyed.ts'
export type { FeedServer, ServedFeed } from './publication/serve.ts'

export interface FeedDeps {
  readonly audit: Audit
  readonly geography: Pick<Geography, 'inForce'>
  /** How feeds are made; tests make some that do not fit. */
  readonly build?: PublishDeps['build']
}

export interface Feeds {
  readonly handlers: Handlers<typeof feedEndpoints>
  /** The feeds for everybody. */
  readonly gbfs: FeedServer
  /** Makes and checks all feeds now; resolves to the number of those that fitted. */
  publish(): Promise<number>
  /** Where the platform answers, unless the configuration says it. */
  servedAt(url: string): void
  startBackground(): () => Promise<void>
  close(): Promise<void>
}

/** The platform's data in the standards of others. */
export function createFeeds(kit: Kit, { audit, geography, build }: FeedDeps): Feeds {
  let served = kit.config.publicUrl ?? `http://localhost:${kit.config.port}`
  const base = (): string => served
  const gbfs = createFeedServer(kit, base)
  const publish = () => publishFeeds({ kit, geography, base, ...(build !== undefined && { build }) })
  return {
    handlers: createFeedHandlers({ kit, audit, base }),
    gbfs,
    publish,
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
        run: gbfs.flush,
        failure: 'readers of feeds were not counted',
      })
      return async () => {
        await Promise.all([publishing.stop(), counting.stop()])
      }
    },
    close: () => gbfs.flush(),
  }
}

export type { GbfsFacts }
