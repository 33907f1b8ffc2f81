/** `g` and then one of these letters leads to a group of the menu. */
export const groupLetters: Readonly<Record<string, string>> = {
  h: '/log',
  s: '/screenHome',
  e: '/screenHome1',
  v: '/vehicle',
  u: '/user-manage',
  d: '/data',
  o: '/operation',
  p: '/permissions',
  m: '/marketing',
  b: '/backend',
  r: '/report',
  a: '/agent',
  c: '/production',
  w: '/work',
  f: '/financial',
}

export function letterOf(path: string): string | null {
  return Object.entries(groupLetters).find(([, group]) => group === path)?.[0] ?? null
}

/** Timeout of the second letter after `g`. */
export const chordMs = 1_500

export type KeyAction =
  | { readonly do: 'palette' }
  | { readonly do: 'search' }
  | { readonly do: 'help' }
  | { readonly do: 'wait' }
  | { readonly do: 'group'; readonly path: string }

export interface KeyStroke {
  readonly key: string
  readonly command: boolean
  /** True when the person is writing into a field: single letters belong to the text then. */
  readonly writing: boolean
  /** Milliseconds since a lone `g`, null when there was none. */
  readonly sinceGMs: number | null
}

/** The shell's action of a key stroke; null when there is none. */
export function keyAction(stroke: KeyStroke): KeyAction | null {
  const key = stroke.key.toLowerCase()
  if (stroke.command) return key === 'k' ? { do: 'palette' } : null
  if (stroke.writing) return null
  if (stroke.sinceGMs !== null && stroke.sinceGMs <= chordMs) {
    const path = groupLetters[key]
    return path === undefined ? null : { do: 'group', path }
  }
  if (key === 'g') return { do: 'wait' }
  if (key === '/') return { do: 'search' }
  return key === '?' ? { do: 'help' } : null
}
