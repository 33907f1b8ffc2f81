import { createHash } from 'node:crypto'
import {
  gbfsFeedNames,
  gbfsManifestSchema,
  gbfsTtlSeconds,
  gbfsVersion,
  type GbfsFeedName,
} from '@saddle/contract/feeds/gbfs.ts'
import { businessDayOf, secondMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { feedPath, systemIdOf } from './build.ts'
import { addReadings, selectBody, selectPublished, type Reading } from './store.ts'

/** A feed as it is sent. `body` is compressed where `isCompressed`. */
export interface ServedFeed {
  readonly body: Buffer
  readonly isCompressed: boolean
  readonly etag: string
}

export interface FeedServer {
  manifest(): Promise<ServedFeed>
  /** Null: no such feed is published. */
  feed(areaId: number, name: string): Promise<ServedFeed | null>
  /** Counts that a program has read a feed of an area. */
  count(areaId: number, userAgent: string | undefined): void
  /** Writes down who has read. */
  flush(): Promise<void>
}

/** An answer is read anew after this; a feed is made twice a minute. */
const freshMs = 2 * secondMs
/** Until then nobody waits for that: an older one is not answered any more. */
const staleMs = 6 * secondMs
/** Answers in memory: more than there are feeds of published areas. */
const keptMax = 6_000
/** Programs and areas that are counted between two writings; what comes beyond is counted as `otherReaders`. */
const countedMax = 2_000
const otherReaders = '(others)'
const readerLengthMax = 60

interface Kept {
  readonly readAt: number
  readonly answer: Promise<ServedFeed | null>
  /** The next one is being read. */
  isRenewed: boolean
}

/**
 * Answers from memory what was published, so that a reader who has the newest one already is answered without asking the
 * database. Only answers of published feeds are kept, and none of them depends on who asks.
 */
export function createFeedServer(kit: Kit, base: () => string): FeedServer {
  const { db, clock } = kit
  const kept = new Map<string, Kept>()
  const counted = new Map<string, Reading>()

  const keep = (key: string, read: () => Promise<ServedFeed | null>): Promise<ServedFeed | null> => {
    const now = clock.now()
    const known = kept.get(key)
    const age = known === undefined ? staleMs : now - known.readAt
    if (known === undefined || age >= staleMs) return put(key, read())
    if (age >= freshMs && !known.isRenewed) {
      known.isRenewed = true
      const done = (): void => {
        known.isRenewed = false
      }
      const renew = (found: ServedFeed | null): void => {
        done()
        // Somebody may have waited for a newer one meanwhile.
        if (kept.get(key) !== known) return
        void put(key, Promise.resolve(found), now)
      }
      void read().then(renew, done)
    }
    return known.answer
  }

  const put = (
    key: string,
    answer: Promise<ServedFeed | null>,
    readAt: number = clock.now(),
  ): Promise<ServedFeed | null> => {
    kept.delete(key)
    kept.set(key, { readAt, answer, isRenewed: false })
    // What failed or is not there is asked for again, and takes no place.
    const forget = (): void => {
      if (kept.get(key)?.answer === answer) kept.delete(key)
    }
    void answer.then((found) => (found === null ? forget() : undefined), forget)
    const oldest = kept.keys().next().value
    if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest)
    return answer
  }

  return {
    manifest: async () => {
      const found = await keep('manifest', async () =>
        manifestOf(await db.systemRead((k) => selectPublished().compile(k)), base(), clock.now()),
      )
      if (found === null) throw new Error('there is always a manifest')
      return found
    },
    feed: async (areaId, name) => {
      const known = feedNames.get(name)
      if (known === undefined) return null
      return keep(`${areaId} ${known}`, async () => {
        const [row] = await db.systemRead((k) => selectBody(areaId, known).compile(k))
        return row === undefined ? null : { body: row.body, isCompressed: true, etag: row.etag }
      })
    },
    count: (areaId, userAgent) => {
      const now = clock.now()
      const day = businessDayOf(now)
      const name = readerOf(userAgent)
      const own = `${areaId} ${day} ${name}`
      const reader = counted.has(own) || counted.size < countedMax ? name : otherReaders
      const key = `${areaId} ${day} ${reader}`
      counted.set(key, { areaId, day, reader, reads: (counted.get(key)?.reads ?? 0) + 1, lastAt: now })
    },
    flush: async () => {
      if (counted.size === 0) return
      const readings = [...counted.values()]
      counted.clear()
      await db.system((tx) => addReadings(readings).execute(tx))
    },
  }
}

const feedNames: ReadonlyMap<string, GbfsFeedName> = new Map(gbfsFeedNames.map((name) => [name, name]))

/** The first word of what a program calls itself, e.g. `OpenTripPlanner/2.6`: no more of it, and no address. */
function readerOf(userAgent: string | undefined): string {
  const [word = ''] = (userAgent ?? '').trim().split(/[\s;(]/)
  return word.replaceAll(/[^\w./+-]/g, '').slice(0, readerLengthMax) || '(unnamed)'
}

function manifestOf(
  areas: readonly { readonly area_id: number; readonly published_at: Date }[],
  base: string,
  nowMs: number,
): ServedFeed {
  const updatedMs = Math.max(0, ...areas.map(({ published_at: at }) => at.getTime()))
  const manifest = gbfsManifestSchema.parse({
    last_updated: new Date(updatedMs === 0 ? nowMs : updatedMs).toISOString(),
    ttl: gbfsTtlSeconds,
    version: gbfsVersion,
    data: {
      datasets: areas.map(({ area_id: areaId }) => ({
        system_id: systemIdOf(areaId),
        versions: [{ version: gbfsVersion, url: base + feedPath(areaId, 'gbfs') }],
      })),
    },
  })
  const body = Buffer.from(JSON.stringify(manifest))
  return { body, isCompressed: false, etag: createHash('sha256').update(body).digest('hex').slice(0, 32) }
}
