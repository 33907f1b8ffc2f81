import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Vehicle } from '@saddle/contract/fleet/vehicles.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import type { MapBounds, MapViewpoint } from '#kit/map/view.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { ErrorState } from '#kit/ui/states.tsx'
import { ConnectionNote } from './ConnectionNote.tsx'
import { everything, type Filter } from './filter.ts'
import { Legend, VehicleSearch } from './FleetPanel.tsx'
import type { Focus } from './MapStage.tsx'
import { LassoBar, useLasso, type LassoState } from './LassoBar.tsx'
import { MapMenu } from './MapMenu.tsx'
import { liveFilterOf, type MapMode } from './mode.ts'
import './operation-map.css'
import './extras.css'
import { RecentLife } from './RecentLife.tsx'
import { NearestLine } from './NearestLine.tsx'
import { PastCard } from './PastCard.tsx'
import { Sheet } from './Sheet.tsx'
import type { VehicleStore } from './store.ts'
import { noPast, TimeTravel, type Past } from './TimeTravel.tsx'
import { Today } from './Today.tsx'
import { TrackBar, useTrack, type TrackState } from './TrackBar.tsx'
import { useMapLink } from './useMapLink.ts'
import { useMapMode } from './useMapMode.ts'
import { useEscape } from './useEscape.ts'
import { useLiveVehicles, useVehicleVersion } from './useLiveVehicles.ts'
import { useNearest, type NearestState } from './useNearest.ts'
import { firstView, useMapView } from './useMapView.ts'
import { useSelection, type Picked, type Selection } from './useSelection.ts'
import { VehicleBody, VehicleHead } from './VehiclePanel.tsx'
import { clustered, countInView, VehicleList } from './VehicleList.tsx'

const BatchCommand = lazy(() => loadChunk(() => import('../commands/BatchCommand.tsx')))
const MapStage = lazy(() => loadChunk(() => import('./MapStage.tsx')))

const middleOfMap = (): MapViewpoint => firstView(null)

/** The operation map: every vehicle of the scope, live, with its panel and its commands. */
export default function OperationMapPage() {
  const theme = useTheme().appearance
  const { link, outsideView, outside, change, edit } = useMapLink()
  const [initial] = useState(() => firstView(link.view))
  const { mode, setMode } = useMapMode(edit)
  const wanted = useMemo(() => liveFilterOf(link.filter, mode), [link.filter, mode])
  const { store, setLook } = useLiveVehicles(wanted)
  const [past, setPast] = useState(noPast)
  const lasso = useLasso({ store, filter: link.filter })
  const onNumber = useCallback((vehicle: string | null) => change({ vehicle }), [change])
  const selection = useSelection({ store, outside, onNumber })
  const track = useTrack(mode.at === null ? selection.id : null)
  const { focus, pickAndGo, goTo } = useFocus({ store, selection, linkedView: link.view, outsideView })
  const nearest = useNearest({ pickAndGo, middle: middleOfMap })

  const { frame, bounds, onView } = useMapView({ initial, setLook, change })
  const { pick } = selection
  const onPick = useCallback((id: number | null) => pick(id === null ? null : { id }), [pick])
  const onFilter = useCallback((filter: Filter) => change({ filter }), [change])

  const shared = { store, filter: link.filter, selectedId: selection.id, theme }
  return (
    <div
      ref={frame}
      className="om"
      data-fill
      data-theme={theme}
      data-selected={selection.picked !== null && mode.at === null}
      data-past={mode.at !== null}
    >
      <h1 className="visually-hidden">{t('运营地图')}</h1>
      <Suspense fallback={<output className="om-map-wait" aria-label={t('正在加载地图…')} />}>
        <MapStage
          {...shared}
          initial={initial}
          focus={focus}
          onPick={onPick}
          onView={onView}
          mode={mode}
          past={mode.at === null ? null : past.places}
          lasso={lasso.drawing ? lasso : null}
          track={track.shown}
        />
      </Suspense>
      <ConnectionNote store={store} />
      <div className="om-left">
        <div className="om-find">
          <VehicleSearch onFound={pickAndGo} />
          <Legend filter={link.filter} theme={theme} onFilter={onFilter} then={mode.at === null ? null : past} />
        </div>
        <Sheet
          className="om-list-sheet"
          label={t('视野内的车辆')}
          startsOpen={false}
          head={<ListHead store={store} filter={link.filter} bounds={bounds} />}
        >
          <VehicleList
            {...shared}
            bounds={bounds}
            onPick={(id) => pickAndGo({ id })}
            onClearFilter={() => onFilter(everything)}
          />
        </Sheet>
      </div>
      <MapMenu mode={mode} onMode={setMode} lasso={lasso.drawing} onLasso={lasso.toggle} nearest={nearest} />
      <FootBars
        mode={mode}
        onAt={(at) => setMode({ at })}
        filter={link.filter}
        selection={selection}
        theme={theme}
        past={past}
        onPast={setPast}
        track={track}
        lasso={lasso}
      />
      {mode.at === null && (
        <VehicleSheet {...{ selection, store, theme, nearest }} onLocate={goTo} onTrack={track.toggle} />
      )}
    </div>
  )
}

interface FootProps {
  readonly mode: MapMode
  readonly onAt: (at: number | null) => void
  readonly filter: Filter
  readonly selection: Selection
  readonly theme: 'light' | 'dark'
  readonly past: Past
  readonly onPast: (past: Past) => void
  readonly track: TrackState
  readonly lasso: LassoState
}

/** What stands at the foot of the map, one at a time: the day in figures, the past, a way, or what is drawn around. */
function FootBars({ mode, onAt, filter, selection, theme, past, onPast, track, lasso }: FootProps) {
  return (
    <>
      {mode.at === null && !track.open && !lasso.drawing && <Today />}
      {mode.at !== null && <TimeTravel at={mode.at} onAt={onAt} filter={filter} mode={mode} onPlaces={onPast} />}
      {mode.at !== null && selection.picked !== null && (
        <PastCard
          selection={selection}
          place={past.all.find(({ id }) => id === selection.id)}
          isWaiting={past.all.length === 0}
          theme={theme}
          onNow={() => onAt(null)}
        />
      )}
      {track.open && <TrackBar track={track} />}
      {lasso.drawing && <LassoBar lasso={lasso} />}
      {lasso.commanding !== null && (
        <Suspense fallback={null}>
          <BatchCommand vehicleIds={lasso.commanding} onClose={lasso.finish} />
        </Suspense>
      )}
    </>
  )
}

function ListHead({ store, filter, bounds }: { store: VehicleStore; filter: Filter; bounds: MapBounds | null }) {
  useVehicleVersion(store)
  const count = store.clusters().size > 0 ? clustered(store, bounds) : countInView(store, filter, bounds)
  return (
    <header className="om-list-head">
      <h2>{t('视野内')}</h2>
      <span data-testid="in-view">{t('{{count}} 辆', { count })}</span>
    </header>
  )
}

interface VehicleSheetProps {
  readonly selection: Selection
  readonly store: VehicleStore
  readonly theme: 'light' | 'dark'
  readonly nearest: NearestState
  readonly onLocate: (vehicle: Vehicle) => void
  readonly onTrack: () => void
}

function VehicleSheet({ selection, store, theme, nearest, onLocate, onTrack }: VehicleSheetProps) {
  useVehicleVersion(store)
  const { picked, vehicle, id, error, pick, retry } = selection
  useEscape({ active: picked !== null, leave: () => pick(null) })
  if (picked === null) return null
  const label = t('车辆面板')
  const live = id === null ? undefined : store.get(id)
  if (vehicle === null) {
    return (
      <Sheet className="om-vehicle-sheet" label={label} startsOpen head={<WaitingHead onClose={() => pick(null)} />}>
        {error === null ? <PanelBones /> : <ErrorState error={error} onRetry={retry} />}
      </Sheet>
    )
  }
  const head = (
    <>
      <VehicleHead
        vehicle={vehicle}
        live={live}
        theme={theme}
        onClose={() => pick(null)}
        onLocate={() => onLocate(vehicle)}
        onTrack={onTrack}
      />
      <NearestLine nearest={nearest} id={vehicle.id} />
    </>
  )
  return (
    <Sheet className="om-vehicle-sheet" label={label} startsOpen head={head}>
      <VehicleBody key={vehicle.id} vehicle={vehicle} live={live} />
      <RecentLife vehicle={vehicle} />
    </Sheet>
  )
}

function WaitingHead({ onClose }: { onClose: () => void }) {
  return (
    <header className="om-head">
      <div className="om-head-text">
        <span className="om-bone" />
      </div>
      <button type="button" className="om-link" onClick={onClose}>
        {t('关闭')}
      </button>
    </header>
  )
}

/** As large as what comes, so that nothing jumps. */
function PanelBones() {
  return (
    <output className="om-bones" aria-busy="true" aria-label={t('正在加载…')}>
      {[72, 48, 120, 160].map((height) => (
        <span key={height} className="om-bone" data-height={height} />
      ))}
    </output>
  )
}

interface FocusOptions {
  readonly store: VehicleStore
  readonly selection: Selection
  /** Where the link says to look: at first this counts more than where its vehicle is. */
  readonly linkedView: MapViewpoint | null
  readonly outsideView: MapViewpoint | null
}

interface FocusState {
  readonly focus: Focus | null
  readonly pickAndGo: (picked: Picked) => void
  readonly goTo: (vehicle: Vehicle) => void
}

/** Brings a vehicle that was not picked on the map itself into view. */
function useFocus({ store, selection, linkedView, outsideView }: FocusOptions): FocusState {
  const { picked, vehicle, pick } = selection
  const [focus, setFocus] = useState<Focus | null>(null)
  const going = useRef(picked !== null && linkedView === null)
  const goTo = useCallback(
    (target: Vehicle) => {
      const at = store.get(target.id) ?? target.position
      if (at !== null) setFocus({ at: { lng: at.lng, lat: at.lat } })
    },
    [store],
  )
  const byLink = picked !== null && 'number' in picked ? picked.number : null
  /** The place already shown: showing a hidden page again must not move the map. */
  const gone = useRef(byLink)
  useEffect(() => {
    if (byLink === gone.current) return
    gone.current = byLink
    if (byLink !== null) going.current = true
  }, [byLink])
  useEffect(() => {
    if (vehicle === null || !going.current) return
    going.current = false
    goTo(vehicle)
  }, [vehicle, goTo])
  const pickAndGo = useCallback(
    (next: Picked) => {
      const known = 'id' in next ? store.get(next.id) : undefined
      going.current = known === undefined
      if (known !== undefined) setFocus({ at: { lng: known.lng, lat: known.lat } })
      pick(next)
    },
    [store, pick],
  )
  const [taken, setTaken] = useState(outsideView)
  if (outsideView !== taken) {
    setTaken(outsideView)
    if (outsideView !== null) setFocus({ at: outsideView, zoom: outsideView.zoom })
  }
  return { focus, pickAndGo, goTo }
}
