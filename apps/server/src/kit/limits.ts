import type { Clock } from './clock.ts'

export type LimitAnswer = {
  allowed: boolean
  /** Milliseconds until one more may pass; 0 when allowed. */ retryAfterMs: number
}

export type Limiter = {
  /** Returns whether one more call is allowed, and counts it if so. Refused calls are not counted. */
  take(key: string): LimitAnswer
  /** Clears the count of the key. */
  reset(key: string): void
  /** Number of keys in memory. */
  size(): number
}

type Windows = { startedAt: number; current: number; previous: number }

/**
 * Lets `limit` calls per key pass in any `windowMs` (sliding: the previous window counts by the part of it that is
 * still within reach). Memory is bounded by `maxKeys`; beyond it the key unused for longest is forgotten, so size it
 * well above the number of honest keys. It lives in this process: limits that guard money or SMS belong in the database.
 */
export function createLimiter(options: { limit: number; windowMs: number; maxKeys: number; clock: Clock }): Limiter {
  const { limit, windowMs, maxKeys, clock } = options
  const entries = new Map<string, Windows>()

  const forget = (): void => {
    const oldest = entries.keys().next().value
    if (oldest !== undefined) entries.delete(oldest)
  }
  return {
    take: (key) => {
      const now = clock.now()
      const windows = roll({ windows: entries.get(key), now, windowMs })
      entries.delete(key)
      entries.set(key, windows)
      if (entries.size > maxKeys) forget()
      const elapsed = now - windows.startedAt
      const used = windows.current + windows.previous * (1 - elapsed / windowMs)
      if (used + 1 > limit) return { allowed: false, retryAfterMs: waitFor({ windows, elapsed, limit, windowMs }) }
      windows.current += 1
      return { allowed: true, retryAfterMs: 0 }
    },
    reset: (key) => {
      entries.delete(key)
    },
    size: () => entries.size,
  }
}

function roll(options: { windows: Windows | undefined; now: number; windowMs: number }): Windows {
  const { windows, now, windowMs } = options
  const startedAt = now - (((now % windowMs) + windowMs) % windowMs)
  if (windows === undefined) return { startedAt, current: 0, previous: 0 }
  if (windows.startedAt === startedAt) return windows
  const isNext = windows.startedAt === startedAt - windowMs
  return { startedAt, current: 0, previous: isNext ? windows.current : 0 }
}

/** Time until the share of the older window has shrunk enough for one more. */
function waitFor(options: { windows: Windows; elapsed: number; limit: number; windowMs: number }): number {
  const { windows, elapsed, limit, windowMs } = options
  const room = limit - 1
  if (windows.current <= room && windows.previous > 0) {
    return Math.max(1, Math.ceil(windowMs * (1 - (room - windows.current) / windows.previous) - elapsed))
  }
  // In the next window the current one becomes the older: wait for its end, then for its share to shrink.
  const shrink = windows.current === 0 ? 0 : windowMs * Math.max(0, 1 - room / windows.current)
  return Math.max(1, Math.ceil(windowMs - elapsed + shrink))
}
