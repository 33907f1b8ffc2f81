import type { ApiError } from '@saddle/client/error.ts'
import { errorTemplate, t } from '#kit/i18n/index.ts'

export { ApiError, isApiError } from '@saddle/client/error.ts'

/** The error message in the person's language; values that the server filled in are kept. */
export function wordsOf({ code, promot }: ApiError): string {
  const template = errorTemplate(code) ?? promot
  const [before = '', after] = template.split(/\{\w+\}/)
  if (after === undefined || !promot.startsWith(before) || !promot.endsWith(after)) return t(promot)
  const value = promot.slice(before.length, promot.length - after.length)
  return t(template).replace(/\{\w+\}/, () => value)
}
