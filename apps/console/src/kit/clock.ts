import { clientConfig } from './config.ts'

/** Difference between the server's clock and this machine's, in ms. */
let offsetMs: number | null = null

/** Milliseconds since 1970 by the server's clock, as well as this page knows it. */
export function serverNow(): number {
  offsetMs ??= offsetAtLoad()
  return Date.now() + offsetMs
}

/** Learns from an answer that carried the server's time. */
export function learnServerTime(serverTimeMs: number): void {
  offsetMs = serverTimeMs - Date.now()
}

/** The page carries the time at which it was written; the browser knows when its first byte came. */
function offsetAtLoad(): number {
  const { serverTime } = clientConfig()
  if (serverTime === 0) return 0
  const [navigation] = performance.getEntriesByType('navigation')
  const firstByteMs = navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : 0
  return serverTime - (performance.timeOrigin + firstByteMs)
}
