import { errorCatalogue, errorText, type ErrorCode } from '@saddle/contract/errors.ts'
import { t } from '#kit/i18n/index.ts'

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
  /** The server's text, in Chinese; `wordsOf` says it in the person's language. */
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

/** What the failure says in the person's language; values that the server filled in are carried over. */
export function wordsOf({ code, promot }: ApiError): string {
  const template = errorCatalogue[code].promot
  const [before = '', after] = template.split(/\{\w+\}/)
  if (after === undefined || !promot.startsWith(before) || !promot.endsWith(after)) return t(promot)
  const value = promot.slice(before.length, promot.length - after.length)
  return t(template).replace(/\{\w+\}/, () => value)
}
