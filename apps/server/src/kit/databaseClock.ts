import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

const readEveryMs = 5_000
const readingsAtStart = 5
/** A machine whose clock differs by more is told of once: its log and its certificates follow that clock. */
const toldMs = 1_000

export interface DatabaseClockOptions {
  /** The database's time in milliseconds since 1970 UTC. */
  readonly read: () => Promise<number>
  /** Milliseconds since any moment; it never steps. */
  readonly monotonic?: () => number
  readonly machine?: () => number
  readonly log: Log
}

export type DatabaseClock = Clock & {
  /** Asks the database once. A database that does not answer changes nothing. */
  adjust(): Promise<void>
  stop(): Promise<void>
}

/**
 * The database's time, the same for all processes of a cluster: it goes on by the monotonic clock, so that a step of this machine's
 * clock changes nothing, and is compared with the database every 5 s. An answer only tells that the database's time was read
 * between question and answer; the clock is moved by the least that agrees with that, so a slow answer does not move it.
 * Rejects when the database does not answer at the start.
 */
export async function startDatabaseClock(options: DatabaseClockOptions): Promise<DatabaseClock> {
  const { read, monotonic = () => performance.now(), machine = () => Date.now(), log } = options
  let offsetMs: number | null = null
  let isTold = false

  const compare = async (): Promise<void> => {
    const sentAt = monotonic()
    const time = await read()
    const [least, most] = [time - monotonic(), time - sentAt]
    offsetMs = offsetMs === null ? (least + most) / 2 : Math.min(Math.max(offsetMs, least), most)
  }
  const now = (): number => Math.floor(monotonic() + (offsetMs ?? 0))
  const tell = (): void => {
    const aheadMs = machine() - now()
    const differs = Math.abs(aheadMs) >= toldMs
    if (differs && !isTold) log.warn({ aheadMs }, "the clock of this machine differs from the database's, which counts")
    isTold = differs
  }
  const adjust = async (): Promise<void> => {
    await compare().catch((err: unknown) => log.debug({ err }, "the database's time could not be read"))
    tell()
  }

  for (let reading = 0; reading < readingsAtStart; reading += 1) await compare()
  const stopping = new AbortController()
  const { signal } = stopping
  const running = (async () => {
    while (!signal.aborted) {
      await sleep(readEveryMs, undefined, { signal, ref: false }).catch(() => {})
      if (!signal.aborted) await adjust()
    }
  })()
  return {
    now,
    adjust,
    stop: () => {
      stopping.abort()
      return running
    },
  }
}
