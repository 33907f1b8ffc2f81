import type { ReactNode } from 'react'
import { fenceEndpoints } from '@saddle/contract/geography/fences.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { LatLng } from '@saddle/geo/earth.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'

/** About ten metres: a vehicle that rolls a little is not asked for again. */
const rounded = (degrees: number): number => Math.round(degrees * 1e4) / 1e4

/** Road, nearest parking place and its distance, as far as the platform knows them; nothing where it knows neither. */
export function PlaceWords({ place }: { readonly place: LatLng }): ReactNode {
  const { data } = useEndpoint(
    fenceEndpoints.whereIs,
    { lat: rounded(place.lat), lng: rounded(place.lng) },
    { staleMs: 10 * minuteMs, keepPrevious: true, quiet: true },
  )
  if (data === undefined) return null
  const { road, spot } = data.data
  const words = [
    road?.name,
    spot === null
      ? undefined
      : spot.isInside
        ? t('在{{name}}内', { name: spot.name })
        : t('距{{name}} {{metres}} 米', { name: spot.name, metres: Math.round(spot.distanceM) }),
  ].filter((part) => part !== undefined)
  return words.length === 0 ? t('附近没有已知的道路和停车点') : words.join(' · ')
}
