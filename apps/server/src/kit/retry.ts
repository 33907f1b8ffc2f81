import { hourMs, minuteMs, secondMs } from '@saddle/contract/time.ts'
import { RefusedError } from './webhook.ts'

/** Pauses after each attempt that failed; the last one is repeated. */
const pausesMs = [
  10 * secondMs,
  30 * secondMs,
  minuteMs,
  2 * minuteMs,
  5 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  hourMs,
] as const
const longestMs = hourMs

/** Another side that does not take something is asked again for so long. */
export const retryMs = 24 * hourMs

/** How long is waited after so many failures in a row. */
export const pauseAfter = (failures: number): number => pausesMs[failures - 1] ?? longestMs

/** When something is tried again; null: its day is over. */
export function retryAt(options: {
  readonly nowMs: number
  readonly attempts: number
  readonly firstTriedAtMs: number
}): number | null {
  const { nowMs, attempts, firstTriedAtMs } = options
  const at = nowMs + pauseAfter(attempts)
  return at > firstTriedAtMs + retryMs ? null : at
}

/** Whether the other side is told no more: the next attempt would come later than a day after the first failure. */
export const isPauseDue = (options: {
  readonly nowMs: number
  readonly failures: number
  readonly failingSinceMs: number
}): boolean => options.nowMs + pauseAfter(options.failures) > options.failingSinceMs + retryMs

const firstSuccess = 200
const firstRedirect = 300
export const isReceived = (status: number): boolean => status >= firstSuccess && status < firstRedirect

const faultCharsMax = 200

/** What people are told of a call that failed: no addresses that the platform resolved. */
export function faultOf(err: unknown): string {
  if (err instanceof RefusedError) return err.message
  const { name, code } = err instanceof Error ? (err as NodeJS.ErrnoException) : { name: 'Error', code: undefined }
  return (name === 'TimeoutError' || name === 'AbortError' ? 'timeout' : (code ?? 'no answer')).slice(0, faultCharsMax)
}
