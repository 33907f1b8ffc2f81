import { useMemo, type ReactNode } from 'react'
import type { LatLng } from '@saddle/geo/earth.ts'
import type { Stretch } from '@saddle/contract/fleet/past.ts'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import { clientConfig } from '#kit/config.ts'
import { t } from '#kit/i18n/index.ts'
import { FenceShapes } from '#kit/map/FenceShapes.tsx'
import { MapControls } from '#kit/map/MapControls.tsx'
import { MapView } from '#kit/map/MapView.tsx'
import type { MapTheme } from '#kit/map/palette.ts'
import { PlayerBar } from './PlayerBar.tsx'
import { TrackLayer } from './TrackLayer.tsx'
import { wayOf } from './track.ts'
import { usePlayer } from './usePlayer.ts'

/** About 300 m across: the last stretch of a ride and the nearest place. */
const closeZoom = 17

interface Props {
  readonly list: readonly Stretch[]
  readonly theme: MapTheme
  /** Drawn below the track. */
  readonly fences?: readonly Fence[]
  /** The end of the track, shown close and at its last moment; absent: the whole track from its start. */
  readonly lookAt?: LatLng
}

/** One vehicle's track on its own map, with playback. */
export default function TrackMap({ list, theme, fences, lookAt }: Props): ReactNode {
  const { city } = clientConfig()
  const way = useMemo(() => wayOf(list), [list])
  const player = usePlayer({ from: way.from, to: way.to, ...(lookAt !== undefined && { startsAt: way.to }) })
  const initial = useMemo(() => {
    if (lookAt !== undefined) return { lng: lookAt.lng, lat: lookAt.lat, zoom: closeZoom }
    const first = way.legs[0]?.points[0]
    return { lng: first?.lng ?? city?.centre.lng ?? 105, lat: first?.lat ?? city?.centre.lat ?? 35, zoom: 14 }
  }, [way, city, lookAt])
  return (
    <>
      <div className="track-map">
        <MapView label={t('轨迹')} theme={theme} initial={initial} isPrintable>
          {fences !== undefined && <FenceShapes list={fences} theme={theme} />}
          <TrackLayer way={way} atMs={player.atMs} theme={theme} keepsView={lookAt !== undefined} />
          <MapControls home={null} />
        </MapView>
      </div>
      <PlayerBar player={player} from={way.from} to={way.to} />
    </>
  )
}
