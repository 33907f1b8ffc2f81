import { errorCatalogue, errorText, type ErrorCode } from '@saddle/contract/errors.ts'

interface Options {
  readonly code: ErrorCode
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** The server's text; absent: the catalogue's. */
  readonly promot?: string
  readonly cause?: unknown
}

/** A refused or failed call, as the server coded it. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  /** The server's text, in Chinese. */
  readonly promot: string
  readonly title: string

  constructor({ code, status, promot, cause }: Options) {
    super(promot ?? errorText(code), cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.promot = this.message
    this.title = errorCatalogue[code].title
  }
}

export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError
