import { coreErrors, titleOfStatus, type CoreErrorCode, type ErrorRow } from '@saddle/contract/coreErrors.ts'
import type { ErrorCode } from '@saddle/contract/errors.ts'

interface Base {
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  readonly cause?: unknown
  /** What the server said about another try. */
  readonly retryAfterS?: number | null
}

type Options =
  | (Base & { readonly code: ErrorCode; /** The server's text. */ readonly promot: string })
  | (Base & { readonly code: CoreErrorCode; readonly promot?: never })

/** A refused or failed call, as the server coded it. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  /** The server's text, in Chinese. */
  readonly promot: string
  readonly title: string
  /** Seconds until another try may succeed; null: the server did not say. */
  readonly retryAfterS: number | null

  constructor({ status, cause, retryAfterS = null, ...refusal }: Options) {
    super(refusal.promot ?? coreErrors[refusal.code].promot, cause === undefined ? undefined : { cause })
    this.code = refusal.code
    this.status = status
    this.retryAfterS = retryAfterS
    this.promot = this.message
    const known: Readonly<Record<string, ErrorRow>> = coreErrors
    this.title = known[refusal.code]?.title ?? titleOfStatus(status)
  }
}

export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError
