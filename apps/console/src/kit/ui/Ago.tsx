import type { ReactNode } from 'react'
import { serverNow } from '#kit/clock.ts'
import { dateTime, relativeTime } from '#kit/format.ts'

/** How long ago; the exact time is shown on hover. */
export function Ago({ at }: { readonly at: number | null }): ReactNode {
  return at === null ? relativeTime(at, serverNow()) : <time title={dateTime(at)}>{relativeTime(at, serverNow())}</time>
}
