import { clientConfig } from './config.ts'

/** Difference between the server's clock and this machine's, in ms. */
let offsetMs: number | null = null

/** Milliseconds since 1970 by the server's clock, as estimated by this page. */
export function serverNow(): number {
  offsetMs ??= offsetAtLoad()
  return Date.now() + offsetMs
}

/** Updates the clock difference from a response with the server's time. */
export function learnServerTime(serverTimeMs: number): void {
  offsetMs = serverTimeMs - Date.now()
}

/** The page contains the time when it was generated; the browser knows when the first byte arrived. */
function offsetAtLoad(): number {
  const { serverTime } = clientConfig()
  if (serverTime === 0) return 0
  const [navigation] = performance.getEntriesByType('navigation')
  const firstByteMs = navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : 0
  return serverTime - (performance.timeOrigin + firstByteMs)
}
