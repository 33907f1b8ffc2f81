import { useEffect, useRef, useState } from 'react'
import { analysisEndpoints, heatKindLabels, type HeatKind } from '@saddle/contract/fleet/analysis.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { type LatLng } from '@saddle/geo/earth.ts'
import { serverNow } from '#kit/clock.ts'
import { clientConfig } from '#kit/config.ts'
import { t } from '#kit/i18n/index.ts'
import { useMap } from '#kit/map/context.ts'
import { MapControls, MapScale } from '#kit/map/MapControls.tsx'
import { MapView } from '#kit/map/MapView.tsx'
import type { MapTheme } from '#kit/map/palette.ts'
import { configuredBasemap } from '#kit/map/basemap.ts'
import type { MapBounds, MapViewpoint } from '#kit/map/view.ts'
import { useEndpoint } from '#kit/query.ts'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import { parkedIn } from '../layers/parked.ts'
import { FenceLayer } from '../layers/FenceLayer.tsx'
import { HexLayer } from '../layers/HexLayer.tsx'
import { HexLegend } from '../layers/HexLegend.tsx'
import { TrackLayer } from '#kit/tracks/TrackLayer.tsx'
import type { Way } from '#kit/tracks/track.ts'
import { ClusterLayer } from './ClusterLayer.tsx'
import { Here } from './Here.tsx'
import { isFiltering, type Filter } from './filter.ts'
import { Lasso } from '#kit/map/lasso/Lasso.tsx'
import { narrowings, type MapMode } from './mode.ts'
import { PastLayer } from './PastLayer.tsx'
import type { Corner } from '#kit/map/lasso/polygon.ts'
import type { PastPlace } from './replay.ts'
import type { VehicleStore } from './store.ts'
import { VehicleLayer } from './VehicleLayer.tsx'

/** A place to bring into view; a new object moves the map again. */
export interface Focus {
  readonly at: LatLng
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
  readonly mode: MapMode
  /** The fleet as it was, while the past is shown. */
  readonly past: readonly PastPlace[] | null
  /** A vehicle's way, and the moment of it that is played. */
  readonly track: { readonly way: Way; readonly atMs: number } | null
  readonly lasso: { readonly corners: readonly Corner[]; readonly onCorner: (corner: Corner) => void } | null
}

const { city } = clientConfig()
const basemap = configuredBasemap()

/** The map with its vehicles: the heavy part of the page, fetched on its own. */
export default function MapStage(props: MapStageProps) {
  const isWhole = !isFiltering(props.filter) && narrowings(props.mode) === 0
  const { store, filter, selectedId, theme, initial, focus, onPick, onView, mode, past, lasso, track } = props
  return (
    <MapView label={t('运营地图')} theme={theme} initial={initial} onView={onView}>
      {mode.heat !== null && <Heat kind={mode.heat} theme={theme} />}
      {mode.fences && mode.at !== null && <FenceLayer theme={theme} below={firstVehicleLayer} at={mode.at} />}
      {mode.fences && mode.at === null && <LiveFences store={store} theme={theme} isWhole={isWhole} />}
      {past === null ? (
        <>
          <VehicleLayer
            store={store}
            filter={filter}
            selectedId={selectedId}
            theme={theme}
            onPick={lasso === null ? onPick : ignore}
          />
          <ClusterLayer store={store} theme={theme} />
        </>
      ) : (
        <PastLayer places={past} theme={theme} selectedId={selectedId} onPick={onPick} />
      )}
      {track !== null && <TrackLayer {...track} theme={theme} />}
      {lasso !== null && <Lasso {...lasso} drawing theme={theme} />}
      <FocusOn focus={focus} />
      <MapControls home={city?.bounds ?? null}>
        <Here theme={theme} />
      </MapControls>
      <footer className="map-foot">
        <MapScale />
        {mode.heat !== null && <HeatLegend kind={mode.heat} theme={theme} />}
        {basemap?.kind === 'city' && <span>{t('{{name}} 离线底图', { name: basemap.city.name })}</span>}
        {basemap?.kind === 'provider' && <span>{basemap.attribution}</span>}
        <span>MapLibre</span>
      </footer>
    </MapView>
  )
}

/** Parking spots with what stands in them, while single vehicles are drawn and no condition hides any. */
function LiveFences({ store, theme, isWhole }: { store: VehicleStore; theme: MapTheme; isWhole: boolean }) {
  const access = useMap()
  const [parked, setParked] = useState<((list: readonly Fence[]) => ReadonlyMap<number, number> | null) | undefined>()
  useEffect(() => {
    if (access === null || !isWhole) return
    let counted = -1
    const count = (): void => {
      if (store.version() === counted) return
      counted = store.version()
      if (store.clusters().size > 0) return setParked(undefined)
      const view = access.map.getBounds()
      const bounds = { west: view.getWest(), south: view.getSouth(), east: view.getEast(), north: view.getNorth() }
      const vehicles = [...store.all().values()]
      setParked(() => (list: readonly Fence[]) => parkedIn(list, { vehicles, bounds }))
    }
    count()
    const timer = setInterval(count, countEveryMs)
    return () => {
      clearInterval(timer)
      setParked(undefined)
    }
  }, [access, store, isWhole])
  return <FenceLayer theme={theme} below={firstVehicleLayer} {...(parked !== undefined && { parked })} />
}

const countEveryMs = 3_000

/** Shapes lie below the vehicles. */
const firstVehicleLayer = 'vehicle-halo'
const ignore = (): void => undefined

const weekMs = 7 * dayMs
const heatStaleMs = 300_000
/** The span of a heat map moves on by whole hours, so that it is read once an hour. */

function useHeat(kind: HeatKind) {
  const to = Math.floor(serverNow() / hourMs) * hourMs
  const input = kind === 'idle' ? { kind } : { kind, from: to - weekMs, to }
  const { data } = useEndpoint(analysisEndpoints.heatMap, input, {
    staleMs: heatStaleMs,
    keepPrevious: true,
    quiet: true,
  })
  return data?.data.cells ?? noCells
}
const noCells: readonly [] = []

function Heat({ kind, theme }: { kind: HeatKind; theme: MapTheme }) {
  return <HexLayer cells={useHeat(kind)} theme={theme} below={firstVehicleLayer} />
}

function HeatLegend({ kind, theme }: { kind: HeatKind; theme: MapTheme }) {
  return <HexLegend title={t(heatKindLabels[kind])} cells={useHeat(kind)} theme={theme} />
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
