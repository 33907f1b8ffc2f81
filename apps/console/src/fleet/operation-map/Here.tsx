import type { FeatureCollection } from 'geojson'
import { useMemo, useState } from 'react'
import type { LatLng } from '@saddle/geo/earth.ts'
import { t } from '#kit/i18n/index.ts'
import { useMap } from '#kit/map/context.ts'
import { GeoLayers, type PartLayer } from '#kit/map/GeoLayers.tsx'
import type { MapTheme } from '#kit/map/palette.ts'
import { positionNow } from '#kit/map/position.ts'
import { notify } from '#kit/notify.ts'
import { markStyles } from '#kit/theme/vehicleColours.ts'

const closeZoom = 15.5

/** Where the person stands: a button that goes there, and a dot that stays. Nothing in a browser that cannot tell. */
export function Here({ theme }: { readonly theme: MapTheme }) {
  const access = useMap()
  const [at, setAt] = useState<LatLng | null>(null)
  const [isBusy, setBusy] = useState(false)
  const data = useMemo(
    (): FeatureCollection => ({
      type: 'FeatureCollection',
      features:
        at === null
          ? []
          : [{ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [at.lng, at.lat] } }],
    }),
    [at],
  )
  const layers = useMemo(() => layersOf(theme), [theme])
  if (access === null || !('geolocation' in navigator)) return null
  const locate = async () => {
    setBusy(true)
    const found = await positionNow()
    setBusy(false)
    if (found === null) {
      notify.warning({ text: t('无法获取当前位置，请检查浏览器的定位权限') })
      return
    }
    setAt(found)
    access.map.easeTo({ center: [found.lng, found.lat], zoom: Math.max(access.map.getZoom(), closeZoom) })
  }
  return (
    <>
      <GeoLayers id="here" data={data} layers={layers} />
      <button
        type="button"
        disabled={isBusy}
        aria-label={t('我的位置')}
        title={t('我的位置')}
        onClick={() => void locate()}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path
            d="M8 1.5v2.2M8 12.3v2.2M1.5 8h2.2M12.3 8h2.2M8 4.6a3.4 3.4 0 1 1 0 6.8a3.4 3.4 0 1 1 0-6.8M8 7.4v1.2"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeLinecap="round"
          />
        </svg>
      </button>
    </>
  )
}

const layersOf = (theme: MapTheme): readonly PartLayer[] => [
  {
    id: 'here-dot',
    type: 'circle',
    paint: {
      'circle-radius': 7,
      'circle-color': markStyles.onTrip[theme],
      'circle-stroke-color': '#ffffff',
      'circle-stroke-width': 3,
    },
  },
]
