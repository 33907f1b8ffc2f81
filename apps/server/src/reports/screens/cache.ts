import type { Clock } from '#kit/clock.ts'

/** Scopes whose answers are kept; the oldest makes room. */
const keptMax = 500

/**
 * Keeps the answer of a scope for a moment, so that ten screens cost as much as one. Questions that arrive while it is being
 * read wait for the same reading; a reading that failed is not kept.
 */
export function createAnswerCache<T>({ clock, keptMs }: { readonly clock: Clock; readonly keptMs: number }) {
  const kept = new Map<string, { readonly at: number; readonly answer: Promise<T> }>()
  return (key: string, read: () => Promise<T>): Promise<T> => {
    const known = kept.get(key)
    if (known !== undefined && clock.now() - known.at < keptMs) return known.answer
    const entry = { at: clock.now(), answer: read() }
    entry.answer.catch(() => {
      if (kept.get(key) === entry) kept.delete(key)
    })
    kept.delete(key)
    kept.set(key, entry)
    const oldest = kept.size > keptMax ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
    return entry.answer
  }
}
