import type { LatLng } from '@saddle/geo/earth.ts'
import { gcj02Of } from '@saddle/geo/gcj02.ts'

export interface NavigationLinks {
  /** Opens the phone's default map app. */
  readonly device: string
  /** Opens a provider's app or web page; its maps use another datum. */
  readonly amap: string
}

/** Links that open a WGS-84 place in a map app that the person already has. */
export function navigationLinks(place: LatLng, name: string): NavigationLinks {
  const at = `${place.lat.toFixed(6)},${place.lng.toFixed(6)}`
  const shifted = gcj02Of(place)
  const to = `${shifted.lng.toFixed(6)},${shifted.lat.toFixed(6)},${name.replaceAll(',', ' ')}`
  const query = new URLSearchParams({ to, mode: 'ride', coordinate: 'gaode', callnative: '1' })
  return {
    device: `geo:${at}?q=${encodeURIComponent(`${at}(${name})`)}`,
    amap: `https://uri.amap.com/navigation?${query}`,
  }
}
