import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError, type Pool, type PoolClient } from 'pg'
import type { Log } from '../log.ts'
import { isDatabaseAway, isLineFault } from './pgErrors.ts'
import type { Logins } from './logins.ts'

/** How often a replica is asked whether it has caught up. */
const askEveryMs = 20
/** A replica ends a reading that stands in the way of what the primary has removed. */
const conflictWithRecovery = '40001'
const tookTooLong = '57014'

/** Connections to one database, by their role. */
export interface Pools {
  readonly app: Pool
  readonly system: Pool
}

/** The logins of the primary, as they are reached at the address of a replica. */
export function loginsAt(readUrl: string, logins: Logins | null): Logins {
  const at = (url: string): string => {
    const address = new URL(readUrl)
    const { username, password } = new URL(url)
    return Object.assign(address, { username, password }).href
  }
  return logins === null ? { app: readUrl, system: readUrl } : { app: at(logins.app), system: at(logins.system) }
}

interface ReadDatabaseOptions {
  readonly pools: Pools
  readonly log: Log
  /** How far the primary is: its place in the write-ahead log. */
  readonly place: () => Promise<string>
  /** How long a replica may take to come as far as the primary was when it was asked. */
  readonly waitMs: number
  readonly withClient: <T>(pool: Pool, work: (client: PoolClient) => Promise<T>) => Promise<T>
}

/** Ends work on a replica that is not used; nothing was read. */
class NotUsed extends Error {
  override readonly name = 'NotUsed'
}

/**
 * A replica that may answer readings which are no part of a decision. What it answers contains everything that the primary
 * had when it was asked: it gets some time to come that far, and when it does not, the caller reads the primary.
 */
export function createReadDatabase({ pools, log, place, waitMs, withClient }: ReadDatabaseOptions) {
  const asking = new AsyncLocalStorage<Promise<string>>()
  let isUsed = true

  const hasReached = async (client: PoolClient, wanted: string): Promise<boolean> => {
    const { rows } = await client.query<{ reached: boolean }>(
      `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end >= $1::pg_lsn as reached`,
      [wanted],
    )
    return rows[0]?.reached === true
  }
  const waitFor = async (client: PoolClient, wanted: string): Promise<void> => {
    for (let waitedMs = 0; !(await hasReached(client, wanted)); waitedMs += askEveryMs) {
      if (waitedMs >= waitMs) throw new NotUsed('the read database is behind')
      await sleep(askEveryMs)
    }
  }
  const note = (err: unknown): void => {
    if (isUsed) log.warn({ err }, 'the read database is not used: the primary answers')
    isUsed = false
  }

  return {
    pools,
    /** Lets what `work` reads come from here. */
    within: <T>(work: () => Promise<T>): Promise<T> => {
      const wanted = place()
      // Work that reads nothing never asks what became of it.
      wanted.catch(() => {})
      return asking.run(wanted, work)
    },
    /** The place that what is read now has to have; null outside of `within`. */
    wanted: (): Promise<string> | null => asking.getStore() ?? null,
    /**
     * Runs `work` on a connection that has come to `wanted`. Null when there is none, or when a reading that may be repeated
     * was ended by the replica.
     */
    run: async <T>(
      role: keyof Pools,
      wanted: Promise<string>,
      work: (client: PoolClient) => Promise<T>,
      isRepeatable = true,
    ): Promise<{ readonly result: T } | null> => {
      let hasBegun = false
      try {
        const at = await wanted
        const result = await withClient(pools[role], async (client) => {
          await waitFor(client, at)
          hasBegun = true
          return work(client)
        })
        isUsed = true
        return { result }
      } catch (error) {
        if (!isAwayOrBehind(error) || (hasBegun && !isRepeatable)) throw error
        note(error)
        return null
      }
    },
    /** Seconds that the replica is behind: 0 when it has all of the primary; Infinity when it does not answer. */
    lagSeconds: async (): Promise<number> => {
      try {
        const at = await place()
        return await withClient(pools.app, async (client) => {
          if (await hasReached(client, at)) return 0
          const { rows } = await client.query<{ lag: number | null }>(
            `select extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 as lag`,
          )
          return Math.max(0, rows[0]?.lag ?? Infinity)
        })
      } catch {
        return Infinity
      }
    },
    close: async (): Promise<void> => {
      await Promise.all([pools.app.end(), pools.system.end()])
    },
  }
}

function isAwayOrBehind(error: unknown): boolean {
  if (error instanceof NotUsed || isLineFault(error)) return true
  if (!(error instanceof DatabaseError)) return isDatabaseAway(error)
  // The primary would take as long as the replica did.
  return error.code === conflictWithRecovery || (isDatabaseAway(error) && error.code !== tookTooLong)
}
