import { coreErrorText } from './coreErrors.ts'
import type { ErrorCode } from './errors.ts'

/** The body of every refused call. The odd spelling of `promot` is the specification's. */
export interface ErrorAnswer {
  readonly suc: false
  readonly error: { readonly code: ErrorCode; readonly promot: string; readonly serverTime?: number }
}

/** Reads an error answer of the server; null when the value is none. A code that this build does not know is kept. */
export function parseErrorAnswer(body: unknown): ErrorAnswer['error'] | null {
  if (typeof body !== 'object' || body === null || !('suc' in body) || body.suc !== false) return null
  if (!('error' in body) || typeof body.error !== 'object' || body.error === null) return null
  const { error } = body
  const isText = 'promot' in error && typeof error.promot === 'string'
  const code = 'code' in error && isText && isCode(error.code) ? error.code : 'server_error'
  const promot = isText ? String(error.promot) : coreErrorText('server_error')
  const serverTime = 'serverTime' in error && typeof error.serverTime === 'number' ? error.serverTime : undefined
  return serverTime === undefined ? { code, promot } : { code, promot, serverTime }
}

const isCode = (value: unknown): value is ErrorCode => typeof value === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(value)
