import { isRoutePermitted, menuRow } from '@saddle/contract/menu.ts'

const home = '/'

/** Path and query of the page that the user wanted, for the `redirect` query of the login pages. */
export function withRedirect(loginPath: string, wanted: string): string {
  return wanted === home ? loginPath : `${loginPath}?redirect=${encodeURIComponent(wanted)}`
}

/**
 * Where to go after login: the wanted path when it starts with one `/` and leads to a permitted page of this console,
 * else `/`. It never returns an address of another host.
 */
export function safeRedirect(wanted: string | null, held: ReadonlySet<string>): string {
  if (wanted === null || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(wanted)) return home
  const base = 'http://console.invalid'
  const url = URL.canParse(wanted, base) ? new URL(wanted, base) : null
  if (url === null || url.origin !== base) return home
  const row = menuRow(url.pathname)
  if (row === undefined || row.public || !isRoutePermitted(row.path, held)) return home
  return url.pathname + url.search
}
