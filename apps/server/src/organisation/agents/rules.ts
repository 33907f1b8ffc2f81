import type { Branding } from '@saddle/contract/organisation/agents.ts'

/** A host as people type or browsers send it → as it is stored: lower case, without port and without the last dot. */
export function normalisedDomain(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '')
}

/** Text for a LIKE pattern: what somebody searches for is found as it stands, `%` and `_` included. */
export function likePattern(keyword: string): string {
  return `%${keyword.trim().replaceAll(/[\\%_]/g, (special) => `\\${special}`)}%`
}

export interface BrandingColumns {
  readonly web_img: string | null
  readonly web_title: string | null
  readonly app_title: string | null
  readonly brand_company: string | null
}

/** Of an address that nobody has registered. */
export const noBranding: Branding = { webImg: null, webTitle: null, appTitle: null, company: null }

export function brandingOf(row: BrandingColumns): Branding {
  return { webImg: row.web_img, webTitle: row.web_title, appTitle: row.app_title, company: row.brand_company }
}
