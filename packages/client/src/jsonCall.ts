import type { ErrorCode } from '@saddle/contract/errors.ts'
import { ApiError } from './error.ts'

/** One call of plain JSON, by a key in a header. */
export interface JsonCall {
  /** Where the platform answers, e.g. `https://saddle.example.com`. */
  readonly url: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly input: object
  readonly timeoutMs: number
}

export const answerTimeoutMs = 10_000

/** What a call answers with. Throws an `ApiError`: of the platform's code, or `network` when no answer came in time. */
export async function callJson({ url, method, path, headers, input, timeoutMs }: JsonCall): Promise<unknown> {
  const isQuery = method === 'GET' || method === 'DELETE'
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(Reflect.get(input, name) ?? '')),
  )
  const rest = given.filter(([name]) => !inPath.has(name))
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)])).toString()
  let answer: Response
  let body: { suc?: boolean; data?: unknown; error?: { code?: ErrorCode; promot?: string } }
  try {
    answer = await fetch(`${url}${place}${isQuery && query !== '' ? `?${query}` : ''}`, {
      method,
      headers: { ...headers, ...(isQuery ? {} : { 'content-type': 'application/json' }) },
      ...(isQuery ? {} : { body: JSON.stringify(Object.fromEntries(rest)) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    body = (await answer.json()) as typeof body
  } catch (cause) {
    throw new ApiError({ code: 'network', status: 0, cause })
  }
  if (answer.ok && body.suc === true) return body.data
  const { code = 'server_error', promot = '' } = body.error ?? {}
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN)
  throw new ApiError({
    code,
    promot,
    status: answer.status,
    retryAfterS: Number.isFinite(retryAfter) ? retryAfter : null,
  })
}
