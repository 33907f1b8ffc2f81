import type { ClientConfig } from '@saddle/contract/clientConfig.ts'
import { clientConfig } from '#kit/config.ts'

type City = NonNullable<ClientConfig['city']>
type Provider = NonNullable<ClientConfig['tileProvider']>

/** The basemap: the offline tiles of the city, or a provider's raster tiles. */
export type Basemap =
  | { readonly kind: 'city'; readonly tilesUrl: string; readonly city: City }
  | ({ readonly kind: 'provider' } & Provider)

/** The configured basemap; null if there is none. */
export function configuredBasemap(): Basemap | null {
  const { tileProvider, tilesUrl, city } = clientConfig()
  if (tileProvider !== null) return { kind: 'provider', ...tileProvider }
  return tilesUrl === null || city === null ? null : { kind: 'city', tilesUrl, city }
}
