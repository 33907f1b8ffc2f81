import type { Map as MapLibre } from 'maplibre-gl'
import 'maplibre-gl/dist/maplibre-gl.css'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { MapContext } from './context.ts'
import { createMapHolder } from './holder.ts'
import './map.css'
import type { MapTheme } from './palette.ts'
import { shownBasemap as basemap, zoomLimits } from './shownBasemap.ts'
import { buildStyle } from './style.ts'
import type { MapBounds, MapViewpoint } from './view.ts'

export interface MapViewProps {
  /** What a screen reader calls the map. */
  readonly label: string
  readonly theme: MapTheme
  /** The initial view; later moves are the user's. */
  readonly initial: MapViewpoint
  /** The map is on a printed page. */
  readonly isPrintable?: boolean
  /** Called after each finished move and once at the start; without WebGL with the whole globe for the lists. */
  readonly onView?: (viewpoint: MapViewpoint, bounds: MapBounds) => void
  readonly children?: ReactNode
}

const globe: MapBounds = { west: -180, south: -90, east: 180, north: 90 }
/** A map that fills its parent. Layers are its children and render null. */
export function MapView({ label, theme, initial, isPrintable = false, onView, children }: MapViewProps) {
  const host = useRef<HTMLDivElement>(null)
  const [holder] = useState(createMapHolder)
  const [map, setMap] = useState<MapLibre | null>(null)
  const [failed, setFailed] = useState(false)
  const style = useMemo(() => buildStyle({ theme, basemap }), [theme])
  const start = useRef({
    style,
    viewpoint: initial,
    label,
    minZoom: zoomLimits.min,
    maxZoom: zoomLimits.max,
    isPrintable,
  })

  const latestOnView = useRef(onView)
  useEffect(() => {
    latestOnView.current = onView
  }, [onView])

  useEffect(() => {
    if (host.current === null) return
    const shown = holder.attach(host.current, start.current)
    setMap(shown)
    setFailed(shown === null)
    if (shown === null) latestOnView.current?.(start.current.viewpoint, globe)
    return () => holder.detach()
  }, [holder])

  useEffect(() => holder.setStyle(style), [holder, style])

  useEffect(() => {
    if (map === null || host.current === null) return
    const observer = new ResizeObserver(() => map.resize())
    observer.observe(host.current)
    return () => observer.disconnect()
  }, [map])

  useEffect(() => {
    if (map === null || onView === undefined) return
    const report = () => onView(viewpointOf(map), boundsOf(map))
    report()
    map.on('moveend', report)
    map.on('resize', report)
    return () => {
      map.off('moveend', report)
      map.off('resize', report)
    }
  }, [map, onView])

  const access = useMemo(() => (map === null ? null : { holder, map }), [holder, map])
  return (
    <div className="map-view" data-map-theme={theme}>
      <div ref={host} className="map-host" />
      {failed && <output className="map-note">{t('此浏览器无法显示地图，列表与车辆面板仍可使用')}</output>}
      {!failed && basemap === null && <output className="map-note">{t('未配置底图，仅显示车辆位置')}</output>}
      <MapContext value={access}>{children}</MapContext>
    </div>
  )
}

function viewpointOf(map: MapLibre): MapViewpoint {
  const { lng, lat } = map.getCenter()
  return { lng, lat, zoom: map.getZoom() }
}

function boundsOf(map: MapLibre): MapBounds {
  const bounds = map.getBounds()
  return { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() }
}
