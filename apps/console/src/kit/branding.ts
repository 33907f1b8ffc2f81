import { agentEndpoints, type Branding } from '@saddle/contract/organisation/agents.ts'
import { call } from '#kit/api/client.ts'
import { clientConfig } from '#kit/config.ts'
import { t } from '#kit/i18n/index.ts'
import { readStored, removeStored, writeStored } from './storage.ts'
import { createStore, useStore } from './store.ts'

export interface Brand {
  readonly webImg: string
  readonly webTitle: string
  readonly appTitle: string
  readonly company: string
}

interface BrandState {
  /** The tenant's settings as stored locally; null when nothing is stored. */
  readonly stored: Branding | null
  /** Its source: the company of the address, which takes precedence, or the company of the logged-in person. */
  readonly source: 'address' | 'company'
  /** The eye toggle: true shows the tenant's branding. */
  readonly custom: boolean
}

const storageKey = 'clientConfig'
const nothingStored: BrandState = { stored: null, source: 'address', custom: true }
const state = createStore<BrandState>(readState())

/** True when a client config is stored locally: only then is there something to toggle. */
export const useBrandToggle = (): { readonly available: boolean; readonly custom: boolean } => {
  const { stored, custom } = useStore(state)
  return { available: stored !== null, custom }
}

export const useBrand = (): Brand => brandOf(useStore(state))
const currentBrand = (): Brand => brandOf(state.get())

/** Shows the tenant's branding, or the product's own. */
export function showCustomBrand(custom: boolean): void {
  change({ ...state.get(), custom })
}

const hasAny = (branding: Branding): boolean => Object.values(branding).some((text) => text !== null && text !== '')

/** Stores the branding of the logged-in person's company, unless the address belongs to a company. */
export function keepCompanyBrand(branding: Branding): void {
  const { stored, source, custom } = state.get()
  if (stored !== null && source === 'address') return
  change({ stored: hasAny(branding) ? branding : null, source: 'company', custom })
}

/** After logout the branding of the person's company is removed. */
export function forgetCompanyBrand(): void {
  const { stored, source, custom } = state.get()
  if (stored !== null && source === 'company') change({ stored: null, source, custom })
}

/** Reads which company the address belongs to and stores its branding; otherwise the product's own stays. */
export async function loadBrand(): Promise<void> {
  try {
    const { data } = await call(
      agentEndpoints.agentByDomain,
      { apiKey: clientConfig().apiKey, domain: location.hostname },
      { quiet: true },
    )
    const { stored, source, custom } = state.get()
    if (hasAny(data.branding)) change({ stored: data.branding, source: 'address', custom })
    else if (stored !== null && source === 'address') change({ stored: null, source, custom })
  } catch {
    // Branding is optional: without a response the page stays as it was.
  }
}

/** Keeps the document's title in sync with the brand. */
export function titleDocument(page?: string, { webTitle }: Brand = currentBrand()): void {
  document.title = page === undefined || page === '' ? webTitle : `${page} · ${webTitle}`
}

function change(next: BrandState): void {
  if (next.stored === null) removeStored(storageKey)
  else writeStored(storageKey, next)
  state.set(next)
}

function brandOf({ stored, custom }: BrandState): Brand {
  const own = custom ? stored : null
  return {
    webImg: safeImage(own?.webImg) ?? '/favicon.svg',
    webTitle: own?.webTitle || t('共享出行运营平台'),
    appTitle: own?.appTitle || t('共享电单车'),
    company: own?.company || t('共享科技有限公司'),
  }
}

/** Only pictures of this origin: the page's policy blocks others, and a broken picture looks worse than none. */
function safeImage(address: string | null | undefined): string | null {
  if (!address) return null
  return /^\/(?!\/)/.test(address) || address.startsWith('data:image/') ? address : null
}

function readState(): BrandState {
  const value = readStored(storageKey)
  if (typeof value !== 'object' || value === null || !('stored' in value)) return nothingStored
  const { stored } = value
  const custom = !('custom' in value) || value.custom !== false
  const source = 'source' in value && value.source === 'company' ? 'company' : 'address'
  return isBranding(stored) ? { stored, source, custom } : nothingStored
}

function isBranding(value: unknown): value is Branding {
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).every((text) => text === null || typeof text === 'string')
}
