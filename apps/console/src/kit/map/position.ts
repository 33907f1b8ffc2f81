import type { LatLng } from '@saddle/geo/earth.ts'

const waitMs = 10_000

/** Where the person stands, as the browser tells it; null where it cannot, or may not. */
export function positionNow(): Promise<LatLng | null> {
  if (!('geolocation' in navigator)) return Promise.resolve(null)
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lng: coords.longitude }),
      () => resolve(null),
      { enableHighAccuracy: true, timeout: waitMs },
    )
  })
}
