import { useRef } from 'react'
import { newIdempotencyKey } from '#kit/idempotency.ts'

/** A key that stays with one try until its answer is known: after that the next try is another. */
export function useOnceKey(): { readonly get: () => string; readonly renew: () => void } {
  const key = useRef<string | null>(null)
  return {
    get: () => (key.current ??= newIdempotencyKey()),
    renew: () => {
      key.current = null
    },
  }
}
