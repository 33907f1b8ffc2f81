import { useEffect, useMemo, useRef } from 'react'
import type { FeatureCollection } from 'geojson'
import { GeoLayers, type PartLayer } from '#kit/map/GeoLayers.tsx'
import { useMap } from '#kit/map/context.ts'
import type { MapTheme } from '#kit/map/palette.ts'
import { markStyles } from '#kit/theme/vehicleColours.ts'
import { boundsOf, lineOf, placeAt, type Way } from './track.ts'

interface Props {
  readonly way: Way
  readonly atMs: number
  readonly theme: MapTheme
  /** The map stays where it is instead of showing the whole track. */
  readonly keepsView?: boolean
}

/** The track's line, its start and end, and the vehicle's position at the playback time. */
export function TrackLayer({ way, atMs, theme, keepsView = false }: Props) {
  const access = useMap()
  const line = useMemo(() => lineOf(way), [way])
  const layers = useMemo(() => layersOf(theme), [theme])
  const fitted = useRef<Way | null>(null)
  useEffect(() => {
    const bounds = boundsOf(way)
    if (keepsView || access === null || bounds === null || fitted.current === way) return
    fitted.current = way
    access.map.fitBounds(bounds, { padding: 48, maxZoom: 17, duration: 0 })
  }, [access, way, keepsView])
  const place = placeAt(way, atMs)
  const lng = place?.lng
  const lat = place?.lat
  const marks = useMemo((): FeatureCollection => {
    if (lng === undefined || lat === undefined) return { type: 'FeatureCollection', features: [] }
    const point = { type: 'Point' as const, coordinates: [lng, lat] }
    return { type: 'FeatureCollection', features: [{ type: 'Feature', properties: {}, geometry: point }] }
  }, [lng, lat])
  return (
    <>
      <GeoLayers id="track" data={line} layers={layers.line} />
      <GeoLayers id="track-now" data={marks} layers={layers.now} />
    </>
  )
}

function layersOf(theme: MapTheme): { line: readonly PartLayer[]; now: readonly PartLayer[] } {
  const colour = markStyles.onTrip[theme]
  return {
    line: [
      {
        id: 'track-casing',
        type: 'line',
        layout: { 'line-cap': 'round', 'line-join': 'round' },
        paint: { 'line-color': theme === 'dark' ? '#0d1218' : '#ffffff', 'line-width': 7, 'line-opacity': 0.85 },
      },
      {
        id: 'track-line',
        type: 'line',
        layout: { 'line-cap': 'round', 'line-join': 'round' },
        paint: { 'line-color': colour, 'line-width': 3.5 },
      },
    ],
    now: [
      {
        id: 'track-now-dot',
        type: 'circle',
        paint: {
          'circle-radius': 8,
          'circle-color': colour,
          'circle-stroke-color': '#ffffff',
          'circle-stroke-width': 3,
        },
      },
    ],
  }
}
