/** What the worker does with a request of a page: it never answers for the server. */
export type Treatment =
  /** Asks the network and falls back on the page that was kept. */
  | 'page'
  /** Never changes under its name: from the shelf, else from the network and onto the shelf. */
  | 'asset'
  /** Shown as it was kept, and asked for anew behind it. */
  | 'tile'
  /** Not the worker's business: calls, sockets, other hosts. */
  | 'network'

export interface Asked {
  readonly method: string
  readonly mode: string
  readonly url: string
  readonly origin: string
}

export const pagePath = '/console/'
const plainAssets: ReadonlySet<string> = new Set(['/favicon.svg', '/manifest.webmanifest'])

/** Only what is the same for everybody is kept: answers of calls are a person's own, and old ones would lie. */
export function treatmentOf({ method, mode, url, origin }: Asked): Treatment {
  const asked = new URL(url)
  if (method !== 'GET' || asked.origin !== origin) return 'network'
  if (mode === 'navigate') return asked.pathname === pagePath ? 'page' : 'network'
  if (asked.pathname.startsWith('/assets/') || asked.pathname.startsWith('/icons/')) return 'asset'
  if (plainAssets.has(asked.pathname)) return 'asset'
  return asked.pathname.startsWith('/tiles/') ? 'tile' : 'network'
}

const shellPrefix = 'saddle-shell-'
export const tilesCache = 'saddle-tiles'
export const shellCacheOf = (build: string): string => `${shellPrefix}${build}`

/** Shelves of other builds; nobody else's of this origin. */
export function outdatedCaches(names: readonly string[], build: string): string[] {
  return names.filter((name) => name.startsWith(shellPrefix) && name !== shellCacheOf(build))
}
