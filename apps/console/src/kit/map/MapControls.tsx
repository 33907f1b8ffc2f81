import { useEffect, useRef, useState, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { useMap } from './context.ts'
import type { MapBounds } from './view.ts'
import { scaleFor } from './scale.ts'

/** Zoom, the whole city, and a scale bar; buttons large enough for a thumb. */
export function MapControls({ home, children }: { home: MapBounds | null; children?: ReactNode }) {
  const access = useMap()
  if (access === null) return null
  const { map } = access
  return (
    <fieldset className="map-controls" aria-label={t('地图操作')}>
      <button type="button" data-zoom aria-label={t('放大')} title={t('放大')} onClick={() => map.zoomIn()}>
        <ControlIcon path="M8 3v10M3 8h10" />
      </button>
      <button type="button" data-zoom aria-label={t('缩小')} title={t('缩小')} onClick={() => map.zoomOut()}>
        <ControlIcon path="M3 8h10" />
      </button>
      {home !== null && (
        <button
          type="button"
          aria-label={t('显示全城')}
          title={t('显示全城')}
          onClick={() => map.fitBounds([home.west, home.south, home.east, home.north], { padding: 24 })}
        >
          <ControlIcon path="M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3" />
        </button>
      )}
      {children}
    </fieldset>
  )
}

function ControlIcon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

/** A bar whose length is a round distance at the middle of the map. */
export function MapScale() {
  const access = useMap()
  const bar = useRef<HTMLSpanElement>(null)
  const [text, setText] = useState('')
  useEffect(() => {
    if (access === null) return
    const { map } = access
    const measure = () => {
      const scale = scaleFor({ lat: map.getCenter().lat, zoom: map.getZoom(), maxPx: 90 })
      setText(scale.metres >= 1000 ? `${scale.metres / 1000} km` : `${scale.metres} m`)
      if (bar.current !== null) bar.current.style.width = `${scale.px}px`
    }
    measure()
    map.on('zoom', measure)
    map.on('moveend', measure)
    return () => {
      map.off('zoom', measure)
      map.off('moveend', measure)
    }
  }, [access])
  return (
    <div className="map-scale" aria-hidden="true">
      <span ref={bar} className="map-scale-bar" />
      {text}
    </div>
  )
}
