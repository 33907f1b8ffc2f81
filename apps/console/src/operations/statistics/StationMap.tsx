import type { FeatureCollection } from 'geojson'
import { useCallback, useMemo, useState, type ReactNode } from 'react'
import type { Station } from '@saddle/contract/operations/statistics/stations.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import FocusMap from '#kit/map/FocusMap.tsx'
import { GeoLayers, type PartLayer } from '#kit/map/GeoLayers.tsx'
import type { MapTheme } from '#kit/map/palette.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { markStyles } from '#kit/theme/vehicleColours.ts'
import { fillLabels, fillOf, fills, stockAt, type Fill } from './fill.ts'

interface Props {
  readonly list: readonly Station[]
  /** The first hour of the span. */
  readonly start: number
  readonly onShow: (fenceId: number) => void
}

const colourOf = (fill: Fill, theme: MapTheme): string =>
  ({
    empty: markStyles.fault,
    over: markStyles.fault,
    full: markStyles.lowBattery,
    some: markStyles.available,
    unknown: markStyles.offline,
  })[fill][theme]

/** Parking places by how full they are at an hour of the span; empty ones are rings, and arrows say where more come than go. */
export default function StationMap({ list, start, onShow }: Props): ReactNode {
  const theme = useTheme().appearance
  const hours = list[0]?.stocks.length ?? 0
  const [chosen, setHour] = useState<number | null>(null)
  const hour = Math.min(chosen ?? hours - 1, hours - 1)
  const data = useMemo(() => featuresOf(list, hour), [list, hour])
  const layers = useMemo(() => layersOf(theme), [theme])
  const focus = useMemo(() => boxOf(list), [list])
  const pick = useCallback((found: Readonly<Record<string, unknown>>) => onShow(Number(found['fence'])), [onShow])
  return (
    <section className="page-card station-map" aria-label={t('停车点地图')}>
      <div className="station-map-stage">
        <FocusMap label={t('停车点地图')} focus={focus}>
          <GeoLayers id="stations" data={data} layers={layers} onPick={pick} />
        </FocusMap>
      </div>
      <footer className="station-map-foot">
        {hours > 1 && (
          <label>
            {t('时刻')}
            <input
              type="range"
              min={0}
              max={hours - 1}
              value={hour}
              aria-valuetext={dateTime(start + (hour + 1) * hourMs)}
              onChange={(event) => setHour(Number(event.target.value))}
            />
            <time>{dateTime(start + (hour + 1) * hourMs).slice(5, 16)}</time>
          </label>
        )}
        <ul aria-label={t('图例')}>
          {fills.map((fill) => (
            <li key={fill}>
              <i data-stock={fill} style={{ color: colourOf(fill, theme) }} aria-hidden="true" />
              {t(fillLabels[fill])}{' '}
              <b>{list.filter((row) => fillOf(stockAt(row, hour), row.capacity) === fill).length}</b>
            </li>
          ))}
          <li>{t('▲ 流入多 · ▼ 流出多')}</li>
        </ul>
      </footer>
    </section>
  )
}

function featuresOf(list: readonly Station[], hour: number): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: list.map((row) => {
      const stock = stockAt(row, hour)
      const net = row.inflow - row.outflow
      return {
        type: 'Feature',
        id: row.fenceId,
        properties: {
          fence: row.fenceId,
          fill: fillOf(stock, row.capacity),
          size: 7 + Math.min(13, Math.sqrt(Math.max(row.capacity ?? 0, stock)) * 1.6),
          text: row.capacity === null ? String(stock) : `${stock}/${row.capacity}`,
          flow: net === 0 ? '' : net > 0 ? `▲${net}` : `▼${-net}`,
          order: fillOf(stock, row.capacity) === 'over' ? 2 : stock === 0 ? 1 : 0,
        },
        geometry: { type: 'Point', coordinates: [row.lng, row.lat] },
      }
    }),
  }
}

function layersOf(theme: MapTheme): readonly PartLayer[] {
  const colour = [
    'match',
    ['get', 'fill'],
    ...fills.flatMap((fill) => [fill, colourOf(fill, theme)]),
    '#888888',
  ] as never
  const edge = theme === 'dark' ? '#0d1218' : '#ffffff'
  const ink = theme === 'dark' ? '#e6edf5' : '#16202e'
  return [
    {
      id: 'station-circle',
      type: 'circle',
      layout: { 'circle-sort-key': ['get', 'order'] },
      paint: {
        // From afar a city's places would cover each other.
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 10, ['*', 0.3, ['get', 'size']], 14, ['get', 'size']],
        'circle-color': colour,
        'circle-opacity': ['match', ['get', 'fill'], 'empty', 0.08, 'over', 0.95, 0.75],
        'circle-stroke-color': ['case', ['==', ['get', 'fill'], 'empty'], colour, edge],
        'circle-stroke-width': ['case', ['==', ['get', 'fill'], 'empty'], 2.5, 1],
      },
    },
    {
      id: 'station-text',
      type: 'symbol',
      minzoom: 13,
      layout: { 'text-field': ['get', 'text'], 'text-size': 11, 'text-allow-overlap': true },
      paint: { 'text-color': ink, 'text-halo-color': edge, 'text-halo-width': 1.3 },
    },
    {
      id: 'station-flow',
      type: 'symbol',
      minzoom: 12,
      filter: ['!=', ['get', 'flow'], ''],
      layout: { 'text-field': ['get', 'flow'], 'text-size': 10, 'text-anchor': 'top', 'text-offset': [0, 1] },
      paint: { 'text-color': ink, 'text-halo-color': edge, 'text-halo-width': 1.3 },
    },
  ]
}

function boxOf(list: readonly Station[]) {
  if (list.length === 0) return null
  const [lngs, lats] = [list.map(({ lng }) => lng), list.map(({ lat }) => lat)]
  return { west: Math.min(...lngs), east: Math.max(...lngs), south: Math.min(...lats), north: Math.max(...lats) }
}
