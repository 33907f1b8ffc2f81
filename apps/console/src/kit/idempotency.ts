import type { ApiError } from './api/error.ts'

/**
 * Whether the result of a try is known: it was done, or it was refused before anything was done. A request that was
 * lost, failed on the server or is still running may have been done: the next try uses the same key.
 */
export const isTryOver = (failure: Pick<ApiError, 'status' | 'code'> | null): boolean =>
  failure === null || (failure.status >= 400 && failure.status < 500 && failure.code !== 'request_in_progress')

/** A key for one attempt. `crypto.randomUUID` is missing on plain-http addresses of a local network. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
