import { useEffect } from 'react'

/** Keys of the page that is shown, and what they do. */
export interface PageKey {
  readonly key: string
  readonly label: string
  readonly run: () => void
}

/** A key and what it does, for the help. */
export type KeyHint = readonly [keys: readonly string[], text: string]

let keysOfPanel: readonly PageKey[] = []
let hintsOfPage: readonly KeyHint[] = []

/** What a list listens to beside its own keys, at the moment of a stroke. */
export const currentPageKeys = (): readonly PageKey[] => keysOfPanel

/** What the page that is shown adds to the help of keys, at the moment when somebody asks for it. */
export const currentKeyHints = (): readonly KeyHint[] => [
  ...hintsOfPage,
  ...keysOfPanel.map(({ key, label }): KeyHint => [[key], label]),
]

/** Keys for what is decided about the row that is shown, e.g. `1` for the first decision; while this is on the screen. */
export function usePanelKeys(keys: readonly PageKey[]): void {
  useEffect(() => {
    keysOfPanel = keys
    return () => {
      if (keysOfPanel === keys) keysOfPanel = []
    }
  })
}

export function useKeyHints(hints: readonly KeyHint[]): void {
  useEffect(() => {
    hintsOfPage = hints
    return () => {
      if (hintsOfPage === hints) hintsOfPage = []
    }
  })
}
