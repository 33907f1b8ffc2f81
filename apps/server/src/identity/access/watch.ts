import { minuteMs } from '@saddle/contract/time.ts'
import type { Bus } from '#kit/bus.ts'
import type { Clock } from '#kit/clock.ts'
import type { Database } from '#kit/db/pool.ts'
import type { Log } from '#kit/log.ts'
import { identityTopics } from '#identity/session/directory.ts'
import { type Affected, readChanges, settleChanges } from './changes.ts'

/** With the reading itself this leaves a change well below the two seconds that it may take. */
const lookEveryMs = 500
/** Changes are kept for longer than this; a server that was cut off for longer forgets everything. */
const blindMs = 5 * minuteMs
const atOnceMax = 1_000

export interface AccessWatch {
  /** Reads what changed and tells this server; resolves when it has been told. */
  look(): Promise<void>
  /** Looks twice a second until the returned function is called. */
  start(): () => void
}

/**
 * Carries changes of access from the database, where every server writes them with the change itself, to this server's
 * bus. A message cannot get lost on the way: what one look misses the next one reads.
 */
export function createAccessWatch(parts: {
  db: Database
  clock: Clock
  bus: Bus
  log: Log
  /** Makes this server's memory of sessions forget them. */
  forget: (affected: Affected) => void
}): AccessWatch {
  const { db, clock, bus, log, forget } = parts
  let since = '0'
  let seen: ReadonlySet<number> = new Set()
  let lookedAtMs = clock.now()
  let running: Promise<void> = Promise.resolve()
  /** A look that has not begun yet: whoever asks meanwhile shares it. */
  let next: Promise<void> | null = null

  const tell = ({ operatorIds, handles }: Affected): void => {
    // Forgotten first: whoever hears of it reads what holds now.
    forget({ operatorIds, handles })
    for (const handle of handles) bus.publish(identityTopics.sessionChanged, { handle })
    if (operatorIds === null) bus.publish(identityTopics.operatorChanged, {})
    else for (const operatorId of operatorIds) bus.publish(identityTopics.operatorChanged, { operatorId })
  }
  const lookOnce = async (): Promise<void> => {
    const found = await readChanges(db, since)
    const fresh = found.changes.filter(({ id }) => !seen.has(id))
    const nowMs = clock.now()
    const isBlind = nowMs - lookedAtMs > blindMs || fresh.length > atOnceMax
    if (isBlind) tell({ operatorIds: null, handles: [] })
    else if (fresh.length > 0) tell(await settleChanges({ db, changes: fresh, at: new Date(nowMs) }))
    // Only after all was told: what failed on the way is read again.
    since = found.next
    seen = new Set(found.changes.map(({ id }) => id))
    lookedAtMs = nowMs
  }
  const look = (): Promise<void> => {
    next ??= running.then(() => {
      next = null
      const mine = lookOnce()
      running = mine.catch(() => {})
      return mine
    })
    return next
  }

  return {
    look,
    start: () => {
      let isFailing = false
      const lookAndTell = async (): Promise<void> => {
        try {
          await look()
          isFailing = false
        } catch (err) {
          // Once is enough: it goes on until the database is back.
          if (!isFailing) log.warn({ err }, 'changes of access could not be read')
          isFailing = true
        }
      }
      const timer = setInterval(() => void lookAndTell(), lookEveryMs).unref()
      return () => clearInterval(timer)
    },
  }
}
