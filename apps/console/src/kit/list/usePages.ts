import { useState } from 'react'

export interface Pages {
  readonly page: number
  /** Undefined on the first page. */
  readonly cursor: string | undefined
  readonly previous: () => void
  readonly next: (cursor: string | null) => void
}

/** The cursors of the visited pages; another query (`key`) starts at the first page again. */
export function usePages(key: string): Pages {
  const [state, setState] = useState<{ key: string; cursors: readonly string[] }>({ key, cursors: [] })
  const cursors = state.key === key ? state.cursors : []
  if (state.key !== key) setState({ key, cursors: [] })
  return {
    page: cursors.length,
    cursor: cursors.at(-1),
    previous: () => setState({ key, cursors: cursors.slice(0, -1) }),
    next: (cursor) => {
      if (cursor !== null) setState({ key, cursors: [...cursors, cursor] })
    },
  }
}
