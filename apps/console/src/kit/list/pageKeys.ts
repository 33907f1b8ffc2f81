import { useEffect } from 'react'

/** Keyboard shortcuts of the current page. */
export interface PageKey {
  readonly key: string
  readonly label: string
  readonly run: () => void
}

/** A key and what it does, for the help. */
export type KeyHint = readonly [keys: readonly string[], text: string]

let keysOfPanel: readonly PageKey[] = []
let hintsOfPage: readonly KeyHint[] = []

/** The shortcuts that a list handles besides its own, read at each key press. */
export const currentPageKeys = (): readonly PageKey[] => keysOfPanel

/** The shortcuts that the current page adds to the keyboard help, read when the help opens. */
export const currentKeyHints = (): readonly KeyHint[] => [
  ...hintsOfPage,
  ...keysOfPanel.map(({ key, label }): KeyHint => [[key], label]),
]

/** Shortcuts for decisions about the open row, e.g. `1` for the first decision; active while mounted. */
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
