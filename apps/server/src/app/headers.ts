export interface PolicyOptions {
  readonly nonce: string
  /** Origins that the page may call besides its own. */
  readonly otherHosts: readonly string[]
  /** Origins that the page may load a script from besides its own: a configured chat. */
  readonly scriptHosts: readonly string[]
}

/** Strict policy of the console: own scripts and styles only; antd and MapLibre live with it. */
export function contentPolicy({ nonce, otherHosts, scriptHosts }: PolicyOptions): string {
  const list = (hosts: readonly string[]): string => hosts.map((host) => ` ${host}`).join('')
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${list(scriptHosts)}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "worker-src 'self' blob:",
    `connect-src 'self'${list(otherHosts)}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** A worker lives by the policy that its own script came with, not by the page's: the map's worker fetches tiles. */
export function workerPolicy({ otherHosts }: Pick<PolicyOptions, 'otherHosts'>): string {
  return `default-src 'none'; connect-src ${["'self'", ...otherHosts].join(' ')}; frame-ancestors 'none'`
}

/** Headers of every answer. */
export const safetyHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'geolocation=(self), camera=(self), microphone=()',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
