/** Does work when nobody waits for a page; browsers without the call do it a moment later. Returns what calls it off. */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const asked = requestIdleCallback(work)
    return () => cancelIdleCallback(asked)
  }
  const timer = setTimeout(work, waitMs)
  return () => clearTimeout(timer)
}

const waitMs = 1_000
