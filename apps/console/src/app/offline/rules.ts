/** How the worker handles a request of a page; it never answers calls. */
export type Treatment =
  /** Network first, then the cached page. */
  | 'page'
  /** Immutable: from the cache, otherwise from the network and into the cache. */
  | 'asset'
  /** From the cache, and updated in the background. */
  | 'tile'
  /** Not handled: calls, sockets, other hosts. */
  | 'network'

export interface Asked {
  readonly method: string
  readonly mode: string
  readonly url: string
  readonly origin: string
}

export const pagePath = '/console/'
const plainAssets: ReadonlySet<string> = new Set(['/favicon.svg', '/manifest.webmanifest'])

/** Only assets that are the same for all users are cached, never answers of calls. */
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

/** Caches of other builds of the console on this origin. */
export function outdatedCaches(names: readonly string[], build: string): string[] {
  return names.filter((name) => name.startsWith(shellPrefix) && name !== shellCacheOf(build))
}
