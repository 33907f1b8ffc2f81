import { useEffect, useRef } from 'react'
import { clientConfig } from '#kit/config.ts'
import { t } from '#kit/i18n/index.ts'
import { useMap } from '#kit/map/context.ts'
import { MapControls, MapScale } from '#kit/map/MapControls.tsx'
import { MapView } from '#kit/map/MapView.tsx'
import type { MapTheme } from '#kit/map/palette.ts'
import type { Basemap } from '#kit/map/style.ts'
import type { MapBounds, MapViewpoint } from '#kit/map/view.ts'
import type { Filter } from './filter.ts'
import type { LngLat } from './glide.ts'
import type { VehicleStore } from './store.ts'
import { VehicleLayer } from './VehicleLayer.tsx'

/** A place to bring into view; a new object moves the map again. */
export interface Focus {
  readonly at: LngLat
  /** Exactly this view; without it, close enough to see the vehicle and clear of the panels. */
  readonly zoom?: number
}

export interface MapStageProps {
  readonly store: VehicleStore
  readonly filter: Filter
  readonly selectedId: number | null
  readonly theme: MapTheme
  readonly initial: MapViewpoint
  readonly focus: Focus | null
  readonly onPick: (id: number | null) => void
  readonly onView: (viewpoint: MapViewpoint, bounds: MapBounds) => void
}

const { tilesUrl, city } = clientConfig()
const basemap: Basemap | null = tilesUrl === null || city === null ? null : { tilesUrl, city }

/** The map with its vehicles: the heavy part of the page, fetched on its own. */
export default function MapStage(props: MapStageProps) {
  const { store, filter, selectedId, theme, initial, focus, onPick, onView } = props
  return (
    <MapView label={t('运营地图')} theme={theme} basemap={basemap} initial={initial} onView={onView}>
      <VehicleLayer store={store} filter={filter} selectedId={selectedId} theme={theme} onPick={onPick} />
      <FocusOn focus={focus} />
      <MapControls home={city?.bounds ?? null} />
      <footer className="om-foot">
        <MapScale />
        {basemap !== null && city !== null && <span>{t('{{name}} 离线底图', { name: city.name })}</span>}
        <span>MapLibre</span>
      </footer>
    </MapView>
  )
}

const closeZoom = 15.5

function FocusOn({ focus }: { focus: Focus | null }) {
  const access = useMap()
  /** Effects run again when a hidden tab is shown; the map stays where it was left. */
  const done = useRef<Focus | null>(null)
  useEffect(() => {
    if (access === null || focus === null || focus === done.current) return
    done.current = focus
    const { map } = access
    const { clientWidth, clientHeight } = map.getContainer()
    const narrow = clientWidth <= 720
    map.easeTo({
      center: [focus.at.lng, focus.at.lat],
      zoom: focus.zoom ?? Math.max(map.getZoom(), closeZoom),
      // Beside the panels, or above the sheet.
      offset: focus.zoom !== undefined ? [0, 0] : narrow ? [0, -clientHeight * 0.22] : [-20, 0],
      duration: 900,
    })
  }, [access, focus])
  return null
}
