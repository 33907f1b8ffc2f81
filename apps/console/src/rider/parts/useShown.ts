import { useState } from 'react'

interface Waiting {
  readonly id: number
  readonly state: string
}

/** The row that is looked at beside its list, and the next one that waits to be decided. */
export function useShown<R extends Waiting>(rows: readonly R[]) {
  const [shown, setShown] = useState<R | null>(null)
  // What was decided meanwhile looks as it is now.
  const current = shown === null ? null : (rows.find(({ id }) => id === shown.id) ?? shown)
  const next = rows.find(({ id, state }) => state === 'waiting' && id !== current?.id) ?? null
  return { current, show: setShown, close: () => setShown(null), goOn: () => setShown(next) }
}
