import { minuteMs } from '@saddle/contract/time.ts'
import type { Bus } from '#kit/bus.ts'
import type { Clock } from '#kit/clock.ts'
import type { Database } from '#kit/db/pool.ts'
import type { Log } from '#kit/log.ts'
import { identityTopics } from '#identity/session/directory.ts'
import { type Affected, readChanges, resolveChanges } from './changes.ts'

/** Together with the read a change takes effect well below its limit of two seconds. */
const pollEveryMs = 500
/** Changes are kept for longer than this; a server without a poll for longer drops its whole cache. */
const maxGapMs = 5 * minuteMs
const atOnceMax = 1_000

export interface AccessWatch {
  /** Reads changes and publishes them on this server; resolves when they are published. */
  poll(): Promise<void>
  /** Polls twice a second until the returned function is called. */
  start(): () => void
}

/**
 * Publishes access changes from the database, where every server writes them in the transaction of the change, on this
 * server's bus. No change is lost: what one poll misses the next one reads.
 */
export function createAccessWatch(deps: {
  db: Database
  clock: Clock
  bus: Bus
  log: Log
  /** Removes them from this server's session cache. */
  forget: (affected: Affected) => void
}): AccessWatch {
  const { db, clock, bus, log, forget } = deps
  let since = '0'
  let seen: ReadonlySet<number> = new Set()
  let polledAtMs = clock.now()
  let running: Promise<void> = Promise.resolve()
  /** A poll that has not started yet: callers share it until it does. */
  let next: Promise<void> | null = null

  const notify = ({ operatorIds, handles }: Affected): void => {
    // The cache is cleared first, so that subscribers read the new state.
    forget({ operatorIds, handles })
    for (const handle of handles) bus.publish(identityTopics.sessionChanged, { handle })
    if (operatorIds === null) bus.publish(identityTopics.operatorChanged, {})
    else for (const operatorId of operatorIds) bus.publish(identityTopics.operatorChanged, { operatorId })
  }
  const pollOnce = async (): Promise<void> => {
    const found = await readChanges(db, since)
    const fresh = found.changes.filter(({ id }) => !seen.has(id))
    const nowMs = clock.now()
    const isTooFarBehind = nowMs - polledAtMs > maxGapMs || fresh.length > atOnceMax
    if (isTooFarBehind) notify({ operatorIds: null, handles: [] })
    else if (fresh.length > 0) notify(await resolveChanges({ db, changes: fresh, at: new Date(nowMs) }))
    // Set only after everything is published: after a failure the changes are read again.
    since = found.next
    seen = new Set(found.changes.map(({ id }) => id))
    polledAtMs = nowMs
  }
  const poll = (): Promise<void> => {
    next ??= running.then(() => {
      next = null
      const current = pollOnce()
      running = current.catch(() => {})
      return current
    })
    return next
  }

  return {
    poll,
    start: () => {
      let isFailing = false
      const pollAndNotify = async (): Promise<void> => {
        try {
          await poll()
          isFailing = false
        } catch (err) {
          // Logged once; polling continues until the database is back.
          if (!isFailing) log.warn({ err }, 'access changes could not be read')
          isFailing = true
        }
      }
      const timer = setInterval(() => void pollAndNotify(), pollEveryMs).unref()
      return () => clearInterval(timer)
    },
  }
}
